#include "sim/sweep/merge_folders.hpp"

#include <set>

#include "models/words/texts.hpp"
#include "sim/sweep/copy_results.hpp"
#include "sim/sweep/points_csv.hpp"
#include "sim/sweep/sweep_plan.hpp"

namespace saturn {

namespace {

std::uint64_t results_without_point(const SweepPlan& plan, const ReadResults& results) {
  std::set<std::string_view> planned;
  for (const PlannedPoint& point : plan.points) planned.insert(point.id);
  std::uint64_t count = 0;
  for (const auto& [id, result] : results.by_id) count += planned.contains(id) ? 0U : 1U;
  return count;
}

}  // namespace

PointCounts point_counts(const SweepTable& table) {
  PointCounts counts;
  for (const SweepRow& row : table.rows) {
    switch (row.result.status) {
      case PointStatus::missing:
        ++counts.missing;
        break;
      case PointStatus::answered:
        ++counts.answered;
        break;
      case PointStatus::imprecise:
        ++counts.imprecise;
        break;
      case PointStatus::failed:
        ++counts.failed;
        break;
    }
  }
  return counts;
}

std::string missing_points(const SweepTable& table) {
  std::string text;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (table.rows[i].result.status != PointStatus::missing) continue;
    const std::size_t first = i;
    while (i + 1 < table.rows.size() && table.rows[i + 1].result.status == PointStatus::missing) ++i;
    append_part(text, std::to_string(table.rows[first].number));
    if (i > first) text += "-" + std::to_string(table.rows[i].number);
  }
  return text;
}

MergedFolders merge_folders(const std::filesystem::path& folder, std::span<const std::filesystem::path> folders) {
  const SweepPlan plan = read_plan(folder);
  MergedFolders merged;
  merged.copied = copy_results(folder, folders);
  ReadResults results = read_results(folder);
  merged.files = results.files;
  merged.torn = results.torn;
  merged.conflicts = std::move(results.conflicts);
  merged.unasked = results_without_point(plan, results);
  merged.table = sweep_table(plan, std::move(results));
  merged.counts = point_counts(merged.table);
  merged.missing = missing_points(merged.table);
  return merged;
}

}  // namespace saturn
