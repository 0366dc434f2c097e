#include "sim/study/request.hpp"

#include <algorithm>

#include "scenarios/fields/quantity_text.hpp"
#include "sim/plan/plan.hpp"
#include "sim/study/asked_scenario.hpp"
#include "sim/study/option_quantity.hpp"
#include "sim/study/run_failed.hpp"

namespace saturn {

namespace {

/// More would be beyond what the clock counts; some years.
constexpr double longest_budget_s = 1e8;

Seconds parsed_budget(const std::string& text) {
  const ReadQuantity read = read_quantity(text, Dimension::duration);
  if (read.reading == QuantityReading::good && read.value > 0.0) return Seconds{read.value};
  refuse_input("--budget", "option.not_a_quantity",
               "--budget is \"" + text +
                   "\"; a wall time above 0 needs its unit (s, min, h), for example \"30 s\". Without "
                   "--budget nothing ends early; `saturn check` answers by the formulas alone.");
}

}  // namespace

Budget::Budget(const std::optional<std::string>& text) {
  if (text) time_ = parsed_budget(*text);
}

Deadline Budget::deadline(double share) const {
  if (!time_) return std::nullopt;
  const std::chrono::duration<double> length(share * std::min(time_->value, longest_budget_s));
  return start_ + std::chrono::duration_cast<std::chrono::steady_clock::duration>(length);
}

bool Budget::allows(const std::function<void()>& extra) const {
  if (is_spent()) return false;
  try {
    extra();
    return true;
  } catch (const OutOfBudget&) {
    return false;
  } catch (const RunFailed& failed) {
    if (failed.exit_code() != ExitCode::precision_not_reached) throw;
    return false;
  }
}

void Complaints::add(const std::string& source, const std::string& code, const std::string& text) {
  all_.push_back({.source = source, .code = code, .text = text});
}

void Complaints::of(const std::function<void()>& check) {
  try {
    check();
  } catch (const InputError& error) {
    all_.insert(all_.end(), error.complaints().begin(), error.complaints().end());
  }
}

void Complaints::raise() const {
  if (!all_.empty()) throw InputError(all_);
}

OutputOptions output_options(const TypedCommand& typed) {
  OutputOptions output;
  typed.take_if_any("--format", output.format);
  typed.take_if_any("--out", output.out);
  typed.take_if_any("--force", output.force);
  typed.take_if_any("--quiet", output.quiet);
  typed.take_if_any("--details", output.details);
  return output;
}

ScenarioOptions scenario_options(const TypedCommand& typed) {
  ScenarioOptions scenario;
  typed.take_if_any("scenario", scenario.scenario);
  typed.take_if_any("--set", scenario.set);
  typed.take_if_any("--seed", scenario.seed);
  typed.take_if_any("--no-calibration-draws", scenario.fits_exact);
  scenario.command = typed.repeating_the_answer();
  return scenario;
}

MachineOptions machine_options(const TypedCommand& typed) {
  MachineOptions machine;
  typed.take_if_any("--workers", machine.processes);
  // Where it counts no jobs, it is the former name.
  if (const OptionRow* jobs = typed.find("--jobs"); jobs != nullptr && !jobs->now.empty())
    typed.take("--jobs", machine.processes);
  typed.take_if_any("--time-limit", machine.time_limit);
  typed.take_if_any("--memory-limit", machine.memory_limit);
  return machine;
}

RunLimits limits_of(const MachineOptions& options) {
  return {.time = parse_duration("--time-limit", options.time_limit),
          .memory_bytes = parse_memory("--memory-limit", options.memory_limit)};
}

RunOptions run_options_of(const MachineOptions& machine, const RunLimits& limits, const ScenarioOptions& scenario,
                          const Deadline& deadline, Progress* progress) {
  return {.processes = machine.processes,
          .limits = limits,
          .command = scenario_command("run", scenario),
          .progress = progress != nullptr ? progress->callback() : nullptr,
          .deadline = deadline};
}

}  // namespace saturn
