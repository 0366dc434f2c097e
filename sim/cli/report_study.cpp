#include "sim/cli/report_study.hpp"

#include <stdexcept>

#include "reports/number_text.hpp"
#include "scenarios/complaint.hpp"
#include "sim/cli/planned_runs.hpp"
#include "sim/cli/run_failed.hpp"

namespace saturn {

namespace {

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

}  // namespace

RunOptions StudyContext::run_options_until() const {
  RunOptions timed = run_options;
  timed.deadline = clock.deadline(until);
  return timed;
}

std::vector<Results> StudyContext::simulate(std::span<const Scenario> scenarios) const {
  if (is_over()) throw OutOfBudget();
  PlannedRuns runs(read.scenario, run_options_until());
  return runs.evaluate(scenarios);
}

std::string budget_spent_text(const StudyContext& context) {
  return "The budget of " + number_text(context.clock.total().value, 3) +
         " s was spent before this was simulated; --budget gives more.";
}

std::string why_not_studied(const StudyContext& context) {
  try {
    throw;
  } catch (const OutOfBudget&) {
    return budget_spent_text(context);
  } catch (const RunFailed& failed) {
    if (failed.exit_code() == ExitCode::precision_not_reached) return budget_spent_text(context);
    if (failed.exit_code() != ExitCode::input) throw;
    return first_line(failed.what());
  } catch (const InputError& error) {
    return in_one_line(error);
  } catch (const std::domain_error& none) {
    return none.what();
  }
}

}  // namespace saturn
