#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/results/run_outcome.hpp"
#include "sim/engine/simulate.hpp"

namespace saturn {

namespace plain_bytes {

// The members of a plain struct, in their order, without a list of them: a member that is added to it is there.

/// Calls take(first member, second member, ...) once. There are as many as the struct can be made of.
/// @param value  an aggregate of 2 to 16 members
template <class T, class Take>
void with_members(T& value, Take&& take) {
  static_assert(
      !requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }, "more than 16 members");
  if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = value;
    take(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
  } else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = value;
    take(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
  } else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = value;
    take(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  } else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = value;
    take(a, b, c, d, e, f, g, h, i, j, k, l, m);
  } else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value;
    take(a, b, c, d, e, f, g, h, i, j, k, l);
  } else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = value;
    take(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    auto& [a, b, c, d, e, f, g, h, i, j] = value;
    take(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    auto& [a, b, c, d, e, f, g, h, i] = value;
    take(a, b, c, d, e, f, g, h, i);
  } else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}}; }) {
    auto& [a, b, c, d, e, f, g, h] = value;
    take(a, b, c, d, e, f, g, h);
  } else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}}; }) {
    auto& [a, b, c, d, e, f, g] = value;
    take(a, b, c, d, e, f, g);
  } else if constexpr (requires { T{{}, {}, {}, {}, {}, {}}; }) {
    auto& [a, b, c, d, e, f] = value;
    take(a, b, c, d, e, f);
  } else if constexpr (requires { T{{}, {}, {}, {}, {}}; }) {
    auto& [a, b, c, d, e] = value;
    take(a, b, c, d, e);
  } else if constexpr (requires { T{{}, {}, {}, {}}; }) {
    auto& [a, b, c, d] = value;
    take(a, b, c, d);
  } else if constexpr (requires { T{{}, {}, {}}; }) {
    auto& [a, b, c] = value;
    take(a, b, c);
  } else if constexpr (requires { T{{}, {}}; }) {
    auto& [a, b] = value;
    take(a, b);
  }
}

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class Writer {
 public:
  template <class... T>
  void operator()(T&... values) {
    (put(values), ...);
  }
  std::string taken() { return std::move(bytes_); }

 private:
  void put_size(std::size_t size) { put(size); }
  template <Plain T>
  void put(T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(std::string& text) {
    put_size(text.size());
    bytes_ += text;
  }
  template <class T>
  void put(std::vector<T>& values) {
    put_size(values.size());
    for (T& value : values) put(value);
  }
  template <class T, std::size_t n>
  void put(std::array<T, n>& values) {
    for (T& value : values) put(value);
  }
  template <class K, class V>
  void put(std::map<K, V>& values) {
    put_size(values.size());
    for (auto& [key, value] : values) put(key), put(value);
  }
  template <class T>
  void put(std::optional<T>& value) {
    bool present = value.has_value();
    put(present);
    if (present) put(*value);
  }
  template <class T>
  void put(T& value) {
    with_members(value, *this);
  }

  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view next(std::size_t count) {
    if (count > bytes_.size()) throw std::logic_error("the bytes of an outcome end too early");
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  template <Plain T>
  void get(T& value) {
    std::memcpy(&value, next(sizeof value).data(), sizeof value);
  }
  std::size_t size() {
    std::size_t count = 0;
    get(count);
    // Every element takes at least a byte: a larger count is no outcome, and must not be allocated.
    if (count > bytes_.size()) throw std::logic_error("the bytes of an outcome end too early");
    return count;
  }
  void get(std::string& text) { text = next(size()); }
  template <class T>
  void get(std::vector<T>& values) {
    values.resize(size());
    for (T& value : values) get(value);
  }
  template <class T, std::size_t n>
  void get(std::array<T, n>& values) {
    for (T& value : values) get(value);
  }
  template <class K, class V>
  void get(std::map<K, V>& values) {
    for (std::size_t left = size(); left > 0; --left) {
      K key{};
      get(key);
      get(values[key]);
    }
  }
  template <class T>
  void get(std::optional<T>& value) {
    bool present = false;
    get(present);
    if (present) get(value.emplace());
  }
  template <class T>
  void get(T& value) {
    with_members(value, *this);
  }

  std::string_view bytes_;
};

}  // namespace plain_bytes

/// The bytes of a plain struct, to travel from a forked child to its parent: both are the same program, so numbers go
/// as they lie in memory. No format to store.
template <class T>
std::string bytes_of(T& value) {
  plain_bytes::Writer writer;
  writer(value);
  return writer.taken();
}

/// The value of bytes_of().
/// @throws std::logic_error  bytes that it never gives: too short, or too long
template <class T>
T from_bytes(std::string_view bytes) {
  plain_bytes::Reader reader(bytes);
  T value;
  reader(value);
  if (!reader.at_end()) throw std::logic_error("the bytes of an outcome go on after its end");
  return value;
}

/// The bytes of an outcome.
std::string to_bytes(RunOutcome outcome);

/// The outcome of to_bytes().
/// @throws std::logic_error  bytes that to_bytes() never gives: too short, or too long
RunOutcome outcome_from_bytes(std::string_view bytes);

/// The same of a traced run.
std::string to_bytes(TracedRun run);
/// @throws std::logic_error  as outcome_from_bytes()
TracedRun traced_run_from_bytes(std::string_view bytes);

}  // namespace saturn
