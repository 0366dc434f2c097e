#pragma once

#include <CLI/App.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "models/units.hpp"

namespace saturn {

/// Wall time that the simulations of a verb may take, counted from when this is made.
class Budget {
 public:
  /// Replications that a budget may pay for, in place of a scenario's /run/max_replications.
  static constexpr std::uint64_t most_replications = 10'000;

  /// @param text  as it stands on the command line, for example "30 s"; absent: time has no end
  /// @throws InputError  option.not_a_quantity
  explicit Budget(const std::optional<std::string>& text);

  /// As it was asked for; absent: time has no end.
  const std::optional<Seconds>& time() const { return time_; }

  bool is_spent() const;

  /// For RunOptions; empty where time has no end.
  std::function<bool()> out_of_time() const;

 private:
  std::optional<Seconds> time_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// --budget TIME.
/// @param help  what it ends
CLI::Option* add_budget_option(CLI::App& verb, std::optional<std::string>& budget, const std::string& help);

}  // namespace saturn
