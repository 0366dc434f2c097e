#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/words/texts.hpp"
#include "reports/plan/plan_report.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

/// "bounds", "mean value analysis"
std::string method_in_words(const Methods& methods) {
  return joined(texts_of(methods.all(),
                         [](Method one) {
                           return one == Method::mva ? std::string("mean value analysis") : std::string(name_of(one));
                         }),
                " and ");
}

/// "event times by bounds are 1.0 to 3.1 % off in the median of a case, 14 % at worst": of the rates where no time was
/// published; empty where nothing was.
std::string error_in_words(Method method, const std::vector<FormulaErrors>& errors) {
  for (const std::string_view quantity : {"event_time_s", "events_per_s"}) {
    std::optional<double> least;
    double most = 0.0;
    double worst = 0.0;
    for (const FormulaErrors& one : errors) {
      if (one.by != method || one.score.quantity->name != quantity) continue;
      const double median = one.score.median_absolute_error;
      least = std::min(least.value_or(median), median);
      most = std::max(most, median);
      worst = std::max(worst, std::abs(one.score.worst_error));
    }
    if (!least) continue;
    const std::string low = percent_text(*least);
    const std::string high = percent_text(most);
    return std::string(quantity == "event_time_s" ? "event times" : "rates") + " by " + method_in_words({method}) +
           " are " + (low == high ? "" : low + " to ") + high + " off in the median of a case, " + percent_text(worst) +
           " at worst";
  }
  return "";
}

}  // namespace

namespace {

/// Those that give a number, the others with their reason.
std::string answering_text(const PlanReport& report) {
  std::vector<std::string> answering;
  std::string silent;
  for (const Method method : report.question.methods.all()) {
    const PlanRow* why = nullptr;
    bool answers = false;
    for (const PlanRow& row : report.plan.rows) {
      if (row.by != method) continue;
      answers = answers || row.streams_per_gpu.has_value();
      why = &row;
    }
    if (answers || why == nullptr)
      answering.push_back(method_in_words({method}));
    else
      append_part(silent,
                  method_in_words({method}) + (why->remark.starts_with("left out") ? " is " : " ") + why->remark, "; ");
  }
  const bool bounds_alone = answering == std::vector{method_in_words({Method::bounds})};
  return "Nothing was simulated: these numbers are those of " + joined(answering, " and ") + " alone." +
         (bounds_alone ? " Bounds know no waiting: to keep events that short may take many times as many devices."
                       : "") +
         (silent.empty() ? "" : " " + capitalised(silent) + ".");
}

}  // namespace

std::string formulas_alone_text(const Methods& methods) {
  return "Nothing was simulated: these numbers are those of " + method_in_words(methods) + " alone.";
}

void add_formulas_alone(Answer& document, const PlanReport& report) {
  const Methods& methods = report.question.methods;
  std::string known;
  for (const Method method : methods.all()) append_part(known, error_in_words(method, report.formula_errors), "; ");
  document.say(answering_text(report) + (known.empty()
                                             ? " No published measurement says how far they are from this system."
                                             : " Beside published rows of this system " + known + "."));
  Table table{.place = {"formula_errors"},
              .caption = "Formulas beside published rows",
              .columns = {{.key = "method", .title = "method"},
                          {.key = "case", .title = "measured case"},
                          {.key = "quantity", .title = "error of"},
                          {.key = "rows", .title = "rows", .shown = Shown::whole},
                          {.key = "median", .title = "median", .shown = Shown::percent},
                          {.key = "worst", .title = "worst", .shown = Shown::percent}}};
  for (const FormulaErrors& one : report.formula_errors)
    table.add_row({std::string(name_of(one.by)), one.of_case, std::string(one.score.quantity->heading),
                   std::uint64_t{one.score.rows}, one.score.median_absolute_error, one.score.worst_error});
  document.add(std::move(table));
  const std::optional<std::uint64_t>& gpus = report.plan.answer.gpus_by_mva;
  document.add_facts({"answer"}, {{"simulated", false}, {"gpus_by_mva", gpus ? Cell(*gpus) : Cell()}});
}

}  // namespace saturn
