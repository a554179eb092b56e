// SPDX-License-Identifier: Apache-2.0
// Pages for a person who watches a command at work: HTTP, GET and HEAD of a few paths. Nothing of
// the disk is served but what the answerer gives; requests, connections and their time are bounded.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "support/result.hpp"

namespace hopwise::app {

struct HttpContent {
  std::string type, body;
};

/// What a path has ("/", "/state.json"); nothing: there is no such page.
using HttpAnswer = std::function<std::optional<HttpContent>(std::string_view path)>;

class HttpServer {
 public:
  HttpServer() = default;
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();

  /// `where`: [ADDRESS:]PORT; the address is the loopback unless given, port 0 any free one. From
  /// here on clients can connect; they wait for an answer until `serve`. app.bad-address,
  /// app.cannot-serve.
  Diagnostics listen(const std::string& where);

  /// "http://127.0.0.1:8080/".
  const std::string& url() const { return url_; }

  /// Answers until SIGINT, SIGTERM or SIGHUP.
  void serve(const HttpAnswer& answer);

  /// The same in a process of its own, which yields to others, until `stop`, or until this process
  /// ends; whatever becomes of it, this process goes on. False where there can be none.
  bool serve_beside(const HttpAnswer& answer);

  /// A page that asks each second has heard the last state when it returns.
  void stop();

 private:
  std::string url_;
  int socket_ = -1, alive_ = -1;  // alive_: closed when the process beside is to end
  int process_ = -1;
  bool version6_ = false, loopback_ = false;
};

}  // namespace hopwise::app
