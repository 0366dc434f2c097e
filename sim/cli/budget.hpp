#pragma once

#include <optional>
#include <string>

#include "models/units.hpp"
#include "sim/cli/verb.hpp"
#include "sim/run/run_failure.hpp"

namespace saturn {

/// Wall time that a verb may take, counted from when this is made, which is before anything is read.
class Budget {
 public:
  /// Replications that a budget may pay for, in place of a scenario's /run/max_replications.
  static constexpr std::uint64_t most_replications = 10'000;

  /// @param text  as it stands on the command line, for example "30 s"; absent: time has no end
  /// @throws InputError  option.not_a_quantity
  explicit Budget(const std::optional<std::string>& text);

  /// As it was asked for; absent: time has no end.
  const std::optional<Seconds>& time() const { return time_; }

  /// When it is spent; absent where time has no end.
  const Deadline& deadline() const { return deadline_; }
  bool is_spent() const { return is_past(deadline_); }

 private:
  std::optional<Seconds> time_;
  Deadline deadline_;
};

/// --budget TIME.
/// @param help  what it ends
VerbOption add_budget_option(const Verb& verb, std::optional<std::string>& budget, const std::string& help);

}  // namespace saturn
