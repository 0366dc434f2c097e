#include "sim/run/read_platform.hpp"

#include <cstring>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>

#include "models/words/texts.hpp"
#include "sim/engine/network/platform_file.hpp"
#include "sim/run/process_pool.hpp"

namespace saturn {

namespace {

class PlatformBytes {
 public:
  PlatformBytes() = default;
  explicit PlatformBytes(const std::string& bytes) : bytes_(bytes) {}
  const std::string& text() const { return bytes_; }

  template <class T>
  void put(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(const std::string& text) {
    put(text.size());
    bytes_ += text;
  }
  template <class T>
  T get() {
    T value{};
    std::memcpy(&value, taken(sizeof value).data(), sizeof value);
    return value;
  }
  std::string get_text() { return std::string(taken(get<std::size_t>())); }

 private:
  std::string_view taken(std::size_t count) {
    if (count > bytes_.size() - at_) throw std::logic_error("the bytes of a platform end too early");
    at_ += count;
    return std::string_view(bytes_).substr(at_ - count, count);
  }
  std::string bytes_;
  std::size_t at_ = 0;
};

enum class Tag : char { network, fault };

std::string to_bytes(const PlatformNetwork& network) {
  PlatformBytes bytes;
  bytes.put(Tag::network);
  bytes.put(network.hosts.size());
  for (const std::string& host : network.hosts) bytes.put(host);
  bytes.put(network.links.size());
  for (const PlatformLink& link : network.links) {
    bytes.put(link.name);
    bytes.put(link.bandwidth.value);
    bytes.put(link.sharing);
  }
  bytes.put(network.routes.size());
  for (const PlatformRoute& route : network.routes) {
    bytes.put(route.from);
    bytes.put(route.to);
    bytes.put(route.latency.value);
    bytes.put(route.links.size());
    for (const std::size_t link : route.links) bytes.put(link);
  }
  return bytes.text();
}

PlatformNetwork network_from(PlatformBytes& bytes) {
  PlatformNetwork network;
  network.hosts.resize(bytes.get<std::size_t>());
  for (std::string& host : network.hosts) host = bytes.get_text();
  network.links.resize(bytes.get<std::size_t>());
  for (PlatformLink& link : network.links) {
    link.name = bytes.get_text();
    link.bandwidth.value = bytes.get<double>();
    link.sharing = bytes.get<LinkSharing>();
  }
  network.routes.resize(bytes.get<std::size_t>());
  for (PlatformRoute& route : network.routes) {
    route.from = bytes.get_text();
    route.to = bytes.get_text();
    route.latency.value = bytes.get<double>();
    route.links.resize(bytes.get<std::size_t>());
    for (std::size_t& link : route.links) link = bytes.get<std::size_t>();
  }
  return network;
}

struct Answer {
  std::variant<PlatformNetwork, std::string> content;
  bool crashed = false;
};

/// Far more than platforms of a size that is let through take.
constexpr RunLimits limits_of_reading{.time = Seconds{60.0}, .memory_bytes = 4ull << 30};

/// @throws Interrupted
Answer ask_once(const std::string& path, const std::vector<HostPair>& pairs) {
  ProcessPool pool(1, limits_of_reading);
  pool.submit([&] {
    try {
      return to_bytes(load_platform_file(path, pairs));
    } catch (const PlatformFault& fault) {
      PlatformBytes bytes;
      bytes.put(Tag::fault);
      bytes.put(std::string(fault.what()));
      return bytes.text();
    }
  });
  const std::optional<EndedTask> ended = pool.wait();
  if (const auto* failure = std::get_if<TaskFailure>(&ended->result)) {
    if (failure->kind == FailureKind::interrupted) throw Interrupted("interrupted while SimGrid read " + path);
    const std::string& message = failure->message;
    return {"SimGrid fails: " + message.substr(0, message.find(';')), failure->kind == FailureKind::crashed};
  }
  PlatformBytes bytes(std::get<std::string>(ended->result));
  if (bytes.get<Tag>() == Tag::fault) return {bytes.get_text()};
  return {network_from(bytes)};
}

// One line, as every message of ours.
std::string in_one_line(const std::string& text) {
  return replaced_all(std::string(trimmed_end(text, " \n")), "\n", " ");
}

}  // namespace

std::variant<PlatformNetwork, std::string> read_platform_file(const std::string& path,
                                                              const std::vector<HostPair>& pairs) {
  Answer answer = ask_once(path, pairs);
  // SimGrid 3.32 ends the process at some missing routes, and does not say at which.
  if (answer.crashed && !ask_once(path, {}).crashed) {
    for (const HostPair& pair : pairs) {
      if (!ask_once(path, {pair}).crashed) continue;
      return "SimGrid fails at the route from \"" + pair.from + "\" to \"" + pair.to +
             "\": something on the way has no route, or, in a zone with Dijkstra's routing, any host has none";
    }
  }
  if (const auto* fault = std::get_if<std::string>(&answer.content)) return in_one_line(*fault);
  return answer.content;
}

}  // namespace saturn
