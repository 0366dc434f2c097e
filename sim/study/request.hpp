#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/values/units.hpp"
#include "reports/run/provenance.hpp"
#include "reports/words/escaped_text.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/scenario.hpp"
#include "sim/formula/formulas.hpp"
#include "sim/run/replications.hpp"
#include "sim/run/run_failure.hpp"
#include "sim/study/monitor.hpp"
#include "sim/study/typed_command.hpp"

/// Quantities that stand on the command line, with their unit.

namespace saturn {

// What the requests of several verbs have in common, as a user writes it.

/// The writers of reports/answer/answer.hpp.
enum class Format { table, markdown, csv, json, html };

/// Where an answer goes and how it looks. Its format is a matter of whoever prints it.
struct OutputOptions {
  Format format = Format::table;
  std::optional<std::string> out;  ///< what --out names: mostly a folder for result.json, result.csv and result.txt
  bool force = false;              ///< files may be replaced
  bool quiet = false;              ///< nothing on stderr but complaints
  bool details = false;            ///< people see everything, not the first screen alone
};

/// Which scenario, and what is changed in it.
struct ScenarioOptions {
  std::string scenario;
  std::vector<std::string> set;  ///< "/json/pointer=value"
  std::optional<std::uint64_t> seed;
  bool fits_exact = false;  ///< the uncertainty of fitted parameter files is not drawn
  std::string command{};    ///< repeats the answer, as it was typed
};

/// How simulations run on this machine; none of it changes their results.
struct MachineOptions {
  unsigned processes = 0;
  std::string time_limit{};
  std::string memory_limit{};
};

/// What was typed of these options; of those that the verb has not, what is usual. The scenario's command repeats the
/// answer.
OutputOptions output_options(const TypedCommand& typed);
ScenarioOptions scenario_options(const TypedCommand& typed);
MachineOptions machine_options(const TypedCommand& typed);

/// The limits of one run.
/// @throws InputError  option.not_a_quantity
RunLimits limits_of(const MachineOptions& options);

/// Wall time that a verb may take, counted from when this is made, which is before anything is read.
class Budget {
 public:
  /// Replications that a budget may pay for, in place of a scenario's /run/max_replications.
  static constexpr std::uint64_t most_replications = 10'000;

  /// @param text  as it stands on the command line, for example "30 s"; absent: time has no end
  /// @throws InputError  option.not_a_quantity
  explicit Budget(const std::optional<std::string>& text);
  explicit Budget(Seconds time) : time_(time) {}

  /// As it was asked for; absent: time has no end.
  const std::optional<Seconds>& time() const { return time_; }
  /// The same [s]; absent as well where a signal ended everything before.
  std::optional<double> seconds() const {
    return time_ && !is_cut_short() ? std::optional(time_->value) : std::nullopt;
  }

  /// When a share of it is spent; absent where time has no end.
  /// @param share  in (0, 1]
  Deadline deadline(double share = 1.0) const;
  bool is_spent(double share = 1.0) const { return is_past(deadline(share)); }

  /// Does what comes on top of an answer, unless it is spent before or meanwhile.
  /// @returns whether it was done
  /// @throws  what `extra` throws but OutOfBudget and a RunFailed for want of time
  bool allows(const std::function<void()>& extra) const;

 private:
  std::optional<Seconds> time_{};
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Collects what is wrong with a request, so that all of it is said at once.
class Complaints {
 public:
  /// @param source  an option, "--out", or a file
  void add(const std::string& source, const std::string& code, const std::string& text);
  /// What a check complains of.
  void of(const std::function<void()>& check);
  /// @throws InputError  if anything is wrong
  void raise() const;
  std::size_t size() const { return all_.size(); }

 private:
  std::vector<Complaint> all_{};
};

/// How the simulations of a verb run.
/// @param limits    limits_of(machine), which is asked before anything is read
/// @param progress  counts them; none: nobody does
RunOptions run_options_of(const MachineOptions& machine, const RunLimits& limits, const ScenarioOptions& scenario,
                          const Deadline& deadline, Progress* progress = nullptr);

/// The methods that --method names; where it was not typed, what is usual. Options that only simulations heed would
/// silently do nothing beside formulas alone.
/// @throws InputError  option.not_a_method, option.needs_simulation
Methods asked_methods(const TypedCommand& typed, const Methods& usual);

/// @throws InputError  option.no_formula: what mean value analysis cannot model, and what answers instead
void refuse_without_mva(const System& system);

/// "600 s", "10 min", "2 h".
/// @throws InputError  option.not_a_quantity
Seconds parse_duration(const std::string& option, const std::string& text);

/// "8 GB", "500 MiB": at least 64 MB, since SimGrid alone needs some.
/// @throws InputError  option.not_a_quantity, option.out_of_range
std::uint64_t parse_memory(const std::string& option, const std::string& text);

/// "1 %" or "0.01": above 0, at most 100 (10,000 %).
/// @throws InputError  option.not_a_quantity, option.out_of_range
double parse_fraction(const std::string& option, const std::string& text);

/// The share by which events may take longer than when they wait for nobody, 1 % without a word: with its unit, above
/// 0, at most 10,000 %.
/// @throws InputError  require.bare_slowdown, option.not_a_quantity, option.out_of_range
double parse_slowdown(const std::optional<std::string>& text);

/// The share of events that a plan may lose, 0.1 % without a word: above 0, below 1.
/// @throws InputError  option.not_a_quantity, option.out_of_range
double parse_loss(const std::optional<std::string>& text);

/// "0.03 USD/h".
/// @throws InputError  option.not_a_quantity
UsdPerHour parse_price(const std::string& option, const std::string& text);

/// A scenario's name, without folder and ending. @param given  as it was typed
std::string name_of_scenario(const std::string& given);

/// The overrides that --set asks for, and the one that --seed stands for.
/// @throws InputError  set.not_an_override
std::vector<Override> overrides_of(const ScenarioOptions& options);

/// Reads the asked scenario with its overrides, and says its warnings.
/// @throws InputError
ReadScenario load_scenario(const ScenarioOptions& options, Monitor& monitor);

/// "warning: ..." of each.
void say_warnings(const std::vector<Complaint>& warnings, Monitor& monitor);

/// Where a result of a scenario comes from, its fitted parameter files among it.
/// @param command  repeats the result
Provenance provenance_of(const ReadScenario& read, std::string command);

/// " --seed 7"; empty where none was typed.
std::string seed_option(const std::optional<std::uint64_t>& seed);

/// "saturn VERB SCENARIO --set ...": what determines the scenario, without the seed.
std::string scenario_command(const std::string& verb, const ScenarioOptions& options);

/// The same with the seed where one was given: repeats a result. Options that change no number are left out.
std::string reproducing_command(const std::string& verb, const ScenarioOptions& options);

/// What repeats runs that a budget ended, or that went beyond the scenario's largest number of replications; empty for
/// others.
std::string settings_of_replications(const RunControl& control, std::uint64_t replications, bool out_of_time);

}  // namespace saturn
