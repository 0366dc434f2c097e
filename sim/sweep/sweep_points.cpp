#include <unordered_map>

#include "sim/sweep/points_csv.hpp"

namespace saturn {

SweepTable sweep_table(const SweepPlan& plan, const ReadResults& results) {
  return sweep_table(plan, ReadResults(results));
}

SweepTable sweep_table(const SweepPlan& plan, ReadResults&& results) {
  SweepTable table{.title = plan.header.title,
                   .answer = plan.header.answer.substr(0, plan.header.answer.find(' ')),
                   .seed = plan.header.seed,
                   .axes = plan.header.axes,
                   .rows = {}};
  table.rows.reserve(plan.points.size());
  // Two points may ask the same, so that they share a result.
  std::unordered_map<const PointResult*, std::size_t> first_row;
  for (const PlannedPoint& point : plan.points) {
    SweepRow& row = table.rows.emplace_back();
    row.number = table.rows.size() - 1;
    row.id = point.id;
    row.cells = point.cells;
    const auto found = results.by_id.find(point.id);
    if (found == results.by_id.end()) continue;
    const auto [first, is_new] = first_row.try_emplace(&found->second, row.number);
    row.result = is_new ? std::move(found->second) : table.rows[first->second].result;
  }
  return table;
}

}  // namespace saturn
