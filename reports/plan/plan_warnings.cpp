#include <string>

#include "models/words/texts.hpp"
#include "reports/plan/plan_report.hpp"
#include "reports/words/facts_text.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

/// What the same jobs come to from two starts, and what may starve.
void say_starts(Answer& document, const PlanReport& report) {
  const std::optional<StartsCompared>& starts = report.plan.answer.starts;
  if (starts) {
    const std::string jobs = counted(static_cast<double>(starts->clients), stream_word_of(report.facts));
    const std::string both = jobs + " take " + estimate_text(starts->orderly_s) + " s from an orderly start, " +
                             estimate_text(starts->burst_s) + " s after a burst, in which all of them begin within " +
                             "half an event";
    if (starts->differ)
      document.say("This system has TWO REGIMES: " + both + ". The plan is what holds after a burst.");
    else
      document.detail("Tried from two starts, which agree: " + both + ".");
  }
  say_starving(document, report.facts);
}

}  // namespace

void say_left_out(Answer& document, const std::vector<std::string>& left_out) {
  for (const std::string& one : left_out) document.say("No time was left for " + one + ".");
}

void say_warnings(Answer& document, const PlanReport& report) {
  say_laws(document, report.facts);
  const bool by_formulas = report.question.methods.formulas_alone();
  if (report.over_a_horizon)
    document.say(
        std::string("Runs of this scenario have a fixed length (/run/horizon), and what jobs meet changes in it. Jobs "
                    "per GPU are what FORMULAS say of the time in which nothing does") +
        (by_formulas
             ? ""
             : "; the GPUs are simulated, with all that happens: the fewest with which events are no more than " +
                   percent_text(report.question.slowdown) + " slower than with any number of them") +
        ". What happens over time: saturn run, saturn report. What is enough: saturn plan --free ... --require "
        "'late <= 0.1 %'. Static beside scaling: saturn compare --set-b.");
  else if (!report.plan.confirmed && !by_formulas)
    document.say("These jobs are NOT CONFIRMED: they are what the formulas say.");
  if (report.plan.budget_spent)
    document.say(
        "Time was over before the plan was finished: the interval is what the simulated candidates and the bound "
        "leave open. How far it came depends on the machine: the same command may answer otherwise.");
  else if (!report.plan.precision_reached)
    document.say("The asked precision was NOT REACHED." +
                 (report.spread.empty()
                      ? ""
                      : " Nothing varies in this scenario: jobs in step wait for each other or never, "
                        "so that more devices may be slower, and their number right by chance alone. "
                        "With a spread of 20 %: " +
                            report.spread + "."));
  say_starts(document, report);
  say_left_out(document, report.left_out);
}

}  // namespace saturn
