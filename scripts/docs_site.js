// SPDX-License-Identifier: Apache-2.0
// The search of the documentation site, where pages come from the disk: browsers start no worker there. This one runs the script in a
// frame of the page instead, and the index is a script, too.
if (location.protocol === 'file:') {
  document.write(`<script src="${new URL('search/search_index.js', document.currentScript.src)}"></` + 'script>');
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement('iframe');
      frame.hidden = true;
      document.body.append(frame);
      this.inside = frame.contentWindow;
      this.waiting = [];
      const here = this;
      const answer = (data) => {
        const event = new MessageEvent('message', { data });
        here.dispatchEvent(event);
        if (here.onmessage) here.onmessage(event);
      };
      this.inside.postMessage = answer;
      const script = this.inside.document.createElement('script');
      script.src = new URL(url, location.href);
      script.onload = () => {
        here.ready = true;
        here.waiting.splice(0).forEach((data) => here.postMessage(data));
      };
      this.inside.document.body.append(script);
    }
    postMessage(data) {
      if (this.ready) this.inside.dispatchEvent(new this.inside.MessageEvent('message', { data }));
      else this.waiting.push(data);
    }
    terminate() {}
  };
}
