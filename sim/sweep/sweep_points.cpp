#include "sim/sweep/points_csv.hpp"

namespace saturn {

SweepTable sweep_table(const SweepPlan& plan, const ReadResults& results) {
  SweepTable table{.title = plan.header.title,
                   .answer = plan.header.answer.substr(0, plan.header.answer.find(' ')),
                   .seed = plan.header.seed,
                   .axes = plan.header.axes,
                   .rows = {}};
  table.rows.reserve(plan.points.size());
  for (const PlannedPoint& point : plan.points) {
    SweepRow& row = table.rows.emplace_back();
    row.number = table.rows.size() - 1;
    row.id = point.id;
    row.cells = point.cells;
    const auto found = results.by_id.find(point.id);
    if (found != results.by_id.end()) row.result = found->second;
  }
  return table;
}

}  // namespace saturn
