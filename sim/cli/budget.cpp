#include "sim/cli/budget.hpp"

#include "scenarios/complaint.hpp"
#include "scenarios/quantity_text.hpp"

namespace saturn {

Budget::Budget(const std::string& option, const std::optional<std::string>& text) {
  if (!text) return;
  // parse_duration() refuses 0 with the words of a limit; a budget of nothing needs its own way out.
  const ReadQuantity read = read_quantity(*text, Dimension::duration);
  if (read.reading != QuantityReading::good)
    throw InputError({{.source = option + " " + *text,
                       .code = "option.not_a_quantity",
                       .text = "A budget is a time with its unit, for example \"30 s\" or \"5 min\".",
                       .excerpt = ""}});
  if (!(read.value > 0.0))
    throw InputError(
        {{.source = option + " " + *text,
          .code = "option.no_budget",
          .text = "Nothing can be simulated in no time. Give a budget above 0, for example \"30 s\"; `saturn "
                  "check` answers by the formulas alone.",
          .excerpt = ""}});
  constexpr double longest_s = 1e9;  // further the clock of the machine does not count
  end_ = std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::steady_clock::duration>(
             std::chrono::duration<double>(read.value < longest_s ? read.value : longest_s));
}

}  // namespace saturn
