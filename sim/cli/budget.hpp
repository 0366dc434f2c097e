#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace saturn {

/// The wall time that simulations may take, from when it was made.
class Budget {
 public:
  /// @param option  as complaints call it
  /// @param text    "30s", "5 min"; absent: no end
  /// @throws InputError  option.not_a_quantity, option.no_budget (not above 0)
  Budget(const std::string& option, const std::optional<std::string>& text);

  bool is_limited() const { return end_.has_value(); }
  bool is_spent() const { return end_ && std::chrono::steady_clock::now() >= *end_; }
  std::optional<std::chrono::steady_clock::time_point> end() const { return end_; }

 private:
  std::optional<std::chrono::steady_clock::time_point> end_{};
};

}  // namespace saturn
