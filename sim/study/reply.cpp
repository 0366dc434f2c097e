#include "sim/study/reply.hpp"

#include <utility>

#include "reports/run/check_report.hpp"

namespace saturn {

Reply reply_without_plan(const std::string& why, Provenance provenance) {
  return {.answer = no_plan_answer(why, std::move(provenance)), .exit_code = ExitCode::no_plan};
}

namespace {

ExitCode code_of(FailureKind kind) {
  switch (kind) {
    case FailureKind::interrupted:
      return ExitCode::interrupted;
    case FailureKind::out_of_budget:
      return ExitCode::precision_not_reached;
    case FailureKind::out_of_time:
    case FailureKind::out_of_memory:
    case FailureKind::killed:
    case FailureKind::no_answer:
      return ExitCode::input;
    case FailureKind::crashed:
    case FailureKind::broken_law:
    case FailureKind::deadlocked:
      break;
  }
  return ExitCode::our_bug;
}

std::string way_out(FailureKind kind) {
  const std::string formulas = "; \"saturn check\" answers by formulas alone.";
  if (kind == FailureKind::out_of_time)
    return "\n  Give it more with --time-limit, simulate fewer jobs, or shorter with --set /run/brief=true" + formulas;
  if (kind == FailureKind::out_of_memory)
    return "\n  Give it more with --memory-limit, or simulate fewer jobs" + formulas;
  if (kind == FailureKind::out_of_budget) return "\n  Give it more with --budget, or simulate fewer jobs.";
  if (kind == FailureKind::killed)
    return "\n  The machine did it, from outside: a batch system, or the kernel for want of memory (see its log). "
           "Do it again, with fewer processes at once (--workers) or where there is more memory.";
  if (code_of(kind) == ExitCode::our_bug)
    return "\n  This is an error of the program itself; please report it with the command.";
  return "";
}

std::string text_of(const RunFailure& failure) {
  if (failure.kind == FailureKind::interrupted) return "saturn: interrupted; nothing is printed of an unfinished run";
  const std::string title = failure.scenario.empty() ? "without a title" : failure.scenario;
  return std::string("saturn: a simulation gave no result: ") + name_of(failure.kind) + "\n  " + failure.message +
         "\n  scenario: " + title + ", seed " + std::to_string(failure.seed) + ", replica " +
         std::to_string(failure.replica) + "\n  again: " + failure.command + way_out(failure.kind);
}

}  // namespace

RunFailed::RunFailed(const RunFailure& failure)
    : std::runtime_error(text_of(failure)), exit_code_(code_of(failure.kind)) {}

void refuse_broken_laws(const Results& summary, const std::string& command) {
  std::string broken;
  for (const Check& check : summary.checks) {
    if (!check.passed) broken += "\n  " + check.name + ": " + check.detail;
  }
  if (broken.empty()) return;
  throw std::logic_error("the results break laws that every run must satisfy, so they are not printed:" + broken +
                         "\n  again: " + command);
}

}  // namespace saturn
