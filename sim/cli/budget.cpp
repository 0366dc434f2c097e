#include "sim/cli/budget.hpp"

#include "scenarios/complaint.hpp"
#include "scenarios/quantity_text.hpp"

namespace saturn {

namespace {

Seconds parsed(const std::string& text) {
  const ReadQuantity read = read_quantity(text, Dimension::duration);
  if (read.reading == QuantityReading::good && read.value > 0.0) return Seconds{read.value};
  throw InputError({{.source = "--budget",
                     .code = "option.not_a_quantity",
                     .text = "--budget is \"" + text +
                             "\"; a wall time above 0 needs its unit (s, min, h), for example \"30 s\". Without "
                             "--budget nothing ends early; `saturn check` answers by the formulas alone.",
                     .excerpt = ""}});
}

}  // namespace

Budget::Budget(const std::optional<std::string>& text) {
  if (!text) return;
  time_ = parsed(*text);
  deadline_ = deadline_after(*time_);
}

VerbOption add_budget_option(const Verb& verb, std::optional<std::string>& budget, const std::string& help) {
  return verb.add_option("--budget", budget, help).type_name("TIME");
}

}  // namespace saturn
