#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gallery.py ROOT HOPWISE OUT [NAME [WORD...]]: runs the commands of docs/gallery.md, or that of NAME with more words; report and
results of each in OUT/NAME, with a picture of how the report begins, report.png, where there is a Chromium."""

import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ENTRY = re.compile(r'<!-- gallery: (\w+) -->\s+hopwise (.+)')


def picture(report, to):
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(['chromium', '--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', f'--user-data-dir={profile}',
                        '--window-size=1200,2100', '--virtual-time-budget=10000', f'--screenshot={to}', report.as_uri()],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main():
    root, hopwise, out = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    only, more = sys.argv[4:5], sys.argv[5:]
    entries = dict(ENTRY.findall((root / 'docs/gallery.md').read_text()))
    for name in only:
        if name not in entries:
            sys.exit(f'gallery.py: no {name} in docs/gallery.md; there are {", ".join(entries)}')
    for name in only or entries:
        words = shlex.split(entries[name])
        place = words.index('-o') + 1
        if words[place] != f'out/gallery/{name}':
            sys.exit(f'gallery.py: {name} goes to {words[place]} in docs/gallery.md, for out/gallery/{name}')
        words[place] = str(out / name)
        if status := subprocess.run([str(hopwise), *words, '--force', *more], cwd=root).returncode:
            sys.exit(status)
        if shutil.which('chromium'):
            picture(out / name / 'report.html', out / name / 'report.png')


main()
