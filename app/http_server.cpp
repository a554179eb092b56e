// SPDX-License-Identifier: Apache-2.0
#include "app/http_server.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include "support/hash.hpp"

namespace hopwise::app {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using std::chrono::steady_clock;

namespace {

constexpr unsigned kMostConnections = 32;
constexpr unsigned kMostHeader = 8192;         // bytes of a request; it has no body
constexpr std::chrono::seconds kMostTime{20};  // of a connection
/// A page that has asked so lately is open; it asks again within the second time.
constexpr std::chrono::seconds kOpen{3}, kLastWord{2};

/// Scripts and styles of the page itself; the plots compile expressions. Nothing from elsewhere.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
    "img-src data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;

/// Does the request name this machine? A page from elsewhere whose name has been made to lead here
/// does not.
bool names_loopback(std::string_view host) {
  if (host.empty()) return false;
  const bool bracket = host.front() == '[';
  const auto end = host.find(bracket ? ']' : ':');
  const std::string_view name =
      bracket ? host.substr(1, end == host.npos ? end : end - 1) : host.substr(0, end);
  if (name == "localhost") return true;
  boost::system::error_code error;
  const auto address = asio::ip::make_address(std::string(name), error);
  return !error && address.is_loopback();
}

/// What all sessions have in common.
struct Service {
  const HttpAnswer& answer;
  bool loopback;  ///< only this machine may ask, and must mean it
  steady_clock::time_point asked{};
  unsigned connections = 0;
  std::function<void()> freed{};  ///< a connection has ended
};

Response text_response(const Request& request, http::status status, std::string text) {
  Response response(status, request.version());
  response.set(http::field::content_type, "text/plain; charset=utf-8");
  response.body() = std::move(text);
  return response;
}

Response respond(Service& service, const Request& request) {
  if (request.method() != http::verb::get && request.method() != http::verb::head) {
    Response response =
        text_response(request, http::status::method_not_allowed, "GET and HEAD only\n");
    response.set(http::field::allow, "GET, HEAD");
    return response;
  }
  const auto host = request[http::field::host];
  if (service.loopback && !names_loopback({host.data(), host.size()}))
    return text_response(request, http::status::misdirected_request, "no such host here\n");
  const std::string_view target(request.target().data(), request.target().size());
  const auto content = service.answer(target.substr(0, target.find('?')));
  if (!content) return text_response(request, http::status::not_found, "no such page\n");
  service.asked = steady_clock::now();
  const std::string tag = fmt::format("\"{:016x}\"", fnv1a(content->body));
  const bool known = request[http::field::if_none_match] == tag;
  Response response(known ? http::status::not_modified : http::status::ok, request.version());
  response.set(http::field::content_type, content->type);
  response.set(http::field::etag, tag);
  response.set("Content-Security-Policy", kPolicy);
  if (!known) response.body() = content->body;
  return response;
}

/// One connection: one request and its answer.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, Service& service) : stream_(std::move(socket)), service_(service) {
    ++service_.connections;
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    --service_.connections;
    if (service_.freed) service_.freed();
  }

  void start() {
    parser_.header_limit(kMostHeader);
    stream_.expires_after(kMostTime);
    http::async_read(stream_, buffer_, parser_,
                     [self = shared_from_this()](beast::error_code error, std::size_t) {
                       self->on_read(error);
                     });
  }

 private:
  void on_read(beast::error_code error) {
    const bool good = !error;
    // anything but a request that is none: the client or its time has gone
    if (!good && error.category() != http::make_error_code(http::error::bad_method).category())
      return;
    if (error == http::error::end_of_stream || error == http::error::partial_message) return;
    const Request& request = parser_.get();
    response_ = good ? answered(request)
                     : text_response(request, http::status::bad_request, error.message() + "\n");
    response_.set(http::field::cache_control, "no-cache");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.keep_alive(false);
    response_.prepare_payload();
    if (request.method() == http::verb::head) response_.body().clear();
    http::async_write(stream_, response_,
                      [self = shared_from_this()](beast::error_code, std::size_t) {
                        beast::error_code ignored;
                        self->stream_.socket().shutdown(tcp::socket::shutdown_both, ignored);
                      });
  }

  Response answered(const Request& request) try {
    return respond(service_, request);
  } catch (const std::exception& error) {
    return text_response(request, http::status::internal_server_error,
                         std::string(error.what()) + "\n");
  }

  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{2 * kMostHeader};
  http::request_parser<http::empty_body> parser_;
  Response response_;
  Service& service_;
};

/// Accepts while there are places; who comes then waits.
class Listener {
 public:
  Listener(asio::io_context& context, const tcp& protocol, int socket, Service& service)
      : acceptor_(context, protocol, socket), pause_(context), service_(service) {
    service_.freed = [this] {
      if (!accepting_) accept();
    };
    accept();
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() { service_.freed = nullptr; }

 private:
  void accept() {
    accepting_ = service_.connections < kMostConnections;
    if (!accepting_) return;
    acceptor_.async_accept([this](beast::error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) {  // no file left, say
        pause_.expires_after(std::chrono::milliseconds(200));
        pause_.async_wait([this](beast::error_code stopped) {
          if (!stopped) accept();
        });
        return;
      }
      std::make_shared<Session>(std::move(socket), service_)->start();
      accept();
    });
  }

  tcp::acceptor acceptor_;
  asio::steady_timer pause_;
  Service& service_;
  bool accepting_ = false;
};

/// Serves until a signal comes or, where `alive` is a pipe, until its other end is closed.
void serve_socket(int socket, bool version6, Service service, int alive) {
  asio::io_context context(1);
  const Listener listener(context, version6 ? tcp::v6() : tcp::v4(), socket, service);
  asio::signal_set signals(context);
  asio::posix::stream_descriptor pipe(context);
  asio::steady_timer last_word(context);
  char byte = 0;
  if (alive < 0) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) signals.add(signal);
    signals.async_wait([&](beast::error_code, int) { context.stop(); });
  } else {
    pipe.assign(alive);
    pipe.async_read_some(asio::buffer(&byte, 1), [&](beast::error_code, std::size_t) {
      if (steady_clock::now() - service.asked > kOpen) return context.stop();
      last_word.expires_after(kLastWord);
      last_word.async_wait([&](beast::error_code) { context.stop(); });
    });
  }
  context.run();
}

/// The parent's locks and pipes end with the parent.
void close_all_but(int one, int other) {
  unsigned first = STDERR_FILENO + 1;
  for (const int kept : {std::min(one, other), std::max(one, other)}) {
    const auto number = static_cast<unsigned>(kept);
    if (number > first) ::close_range(first, number - 1, 0);
    first = std::max(first, number + 1);
  }
  ::close_range(first, ~0U, 0);
}

Diagnostics bad_address(const std::string& where) {
  return {{"app.bad-address",
           {},
           "--serve",
           where,
           "[ADDRESS:]PORT, a port from 0 to 65535",
           "--serve 8080 is for this machine alone; 0 picks a free port"}};
}

}  // namespace

HttpServer::~HttpServer() {
  stop();
  if (socket_ >= 0) ::close(socket_);
}

Diagnostics HttpServer::listen(const std::string& where) {
  const auto colon = where.rfind(':');
  const std::string digits = where.substr(colon == where.npos ? 0 : colon + 1);
  std::string host = colon == where.npos ? "127.0.0.1" : where.substr(0, colon);
  if (host == "localhost") host = "127.0.0.1";
  if (host.size() > 2 && host.front() == '[' && host.back() == ']')
    host = host.substr(1, host.size() - 2);
  std::uint16_t port = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  boost::system::error_code error;
  const auto address = asio::ip::make_address(host, error);
  if (error || failed != std::errc() || end != digits.data() + digits.size())
    return bad_address(where);
  asio::io_context context;
  tcp::acceptor acceptor(context);
  tcp::endpoint endpoint(address, port);
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(tcp::acceptor::max_listen_connections, error);
  if (!error) endpoint = acceptor.local_endpoint(error);
  if (error) {
    return {{"app.cannot-serve",
             {},
             "--serve",
             fmt::format("{}: {}", where, error.message()),
             "an address of this machine and a free port",
             "0 picks a free port"}};
  }
  socket_ = acceptor.release(error);
  ::fcntl(socket_, F_SETFD, FD_CLOEXEC);  // tasks and compilers must not keep it
  version6_ = address.is_v6();
  loopback_ = address.is_loopback();
  const std::string host_part = version6_ ? "[" + address.to_string() + "]" : address.to_string();
  url_ = fmt::format("http://{}:{}/", host_part, endpoint.port());
  return {};
}

void HttpServer::serve(const HttpAnswer& answer) {
  serve_socket(std::exchange(socket_, -1), version6_, {answer, loopback_}, -1);
}

bool HttpServer::serve_beside(const HttpAnswer& answer) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  std::fflush(nullptr);
  process_ = ::fork();
  if (process_ == 0) {
    for (const int signal : {SIGINT, SIGHUP}) std::signal(signal, SIG_IGN);  // the parent's
    std::signal(SIGTERM, SIG_DFL);
    close_all_but(socket_, ends[0]);
    (void)::nice(10);
    try {
      serve_socket(socket_, version6_, {answer, loopback_}, ends[0]);
    } catch (const std::exception&) {
      ::_exit(1);  // the run goes on without its page
    }
    ::_exit(0);
  }
  ::close(ends[0]);
  ::close(std::exchange(socket_, -1));
  alive_ = ends[1];
  return process_ > 0;
}

void HttpServer::stop() {
  if (alive_ >= 0) ::close(std::exchange(alive_, -1));
  if (process_ > 0) ::waitpid(std::exchange(process_, -1), nullptr, 0);
}

}  // namespace hopwise::app
