#include "calibration/fit/row_errors.hpp"

#include <algorithm>
#include <cmath>

#include "calibration/fit/fit_text.hpp"
#include "calibration/fit/linear_squares.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/complaint.hpp"

namespace saturn {

namespace {

constexpr int iterations = 4;

std::string fault_of(const ClosedLoopRow& row) {
  if (!squarable(row.clients)) return significant(row.clients, 3) + " clients; allowed are numbers above 0.";
  if (!squarable(row.event_time_s))
    return "the event time " + significant(row.event_time_s, 3) + " s; allowed are numbers above 0.";
  if (row.own_s && !(*row.own_s >= 0.0 && *row.own_s < row.event_time_s))
    return "the own time " + significant(*row.own_s, 3) + " s; allowed is a part of the event time of " +
           significant(row.event_time_s, 3) + " s.";
  if (row.standard_error && !squarable(*row.standard_error))
    return "the standard error " + significant(*row.standard_error, 3) +
           " s; allowed are numbers above 0: leave it out where it is not known.";
  return "";
}

std::size_t count_of(std::span<const ClosedLoopRow> rows, const auto& has) {
  return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), has));
}

bool has_error(const ClosedLoopRow& row) {
  return row.standard_error.has_value();
}

}  // namespace

void demand_sound_rows(std::span<const ClosedLoopRow> rows) {
  std::vector<Complaint> complaints;
  for (const ClosedLoopRow& row : rows) {
    const std::string fault = fault_of(row);
    if (!fault.empty()) complaints.push_back(complaint_at(row.label, "calibration.bad_value", "This row has " + fault));
  }
  const std::size_t own = count_of(rows, [](const ClosedLoopRow& row) { return row.own_s.has_value(); });
  if (own != 0 && own != rows.size())
    complaints.push_back(complaint_at(rows.front().label, "calibration.bad_value",
                                      std::to_string(own) + " of " + counted_noun(rows.size(), "row") +
                                          " have an own time outside the module; give it for all rows or for none."));
  if (!complaints.empty()) throw InputError(complaints);
  const std::size_t needed = count_of(rows, has_error) == rows.size() ? 3 : 4;
  if (rows.size() < needed)
    refuse_fit(rows.empty() ? "" : rows.front().label, "calibration.too_few_points",
               counted_noun(rows.size(), "row") +
                   " for the event time without load and the demand of the bottleneck; " + std::to_string(needed) +
                   " are needed" + (needed == 4 ? ", or 3 with errors" : "") + ": measure more numbers of clients.");
  if (std::all_of(rows.begin(), rows.end(),
                  [&](const ClosedLoopRow& row) { return row.clients == rows.front().clients; }))
    refuse_fit(
        rows.front().label, "calibration.too_few_sizes",
        "All rows have " + significant(rows.front().clients, 3) +
            " clients; where the event time begins to grow needs different numbers of them: measure, for example, "
            "a tenth, a half, once and twice as many.");
}

RowErrors errors_of(std::span<const ClosedLoopRow> rows) {
  const std::size_t given = count_of(rows, has_error);
  RowErrors errors{.known = given == rows.size(), .relative = given == 0};
  std::vector<double> relative;
  for (const ClosedLoopRow& row : rows)
    if (row.standard_error) relative.push_back(*row.standard_error / row.event_time_s);
  std::sort(relative.begin(), relative.end());
  const double usual = relative.empty() ? 1.0 : relative[relative.size() / 2];
  for (const ClosedLoopRow& row : rows) errors.values.push_back(row.standard_error.value_or(usual * row.event_time_s));
  return errors;
}

SaturationSolution solve_with_errors(std::span<const ClosedLoopRow> rows, RowErrors& errors) {
  SaturationSolution solution = solve_saturation(rows, errors.values, Parting::both);
  for (int i = 0; errors.relative && i < iterations; ++i) {
    errors.values = solution.fitted;
    solution = solve_saturation(rows, errors.values, Parting::both);
  }
  return solution;
}

}  // namespace saturn
