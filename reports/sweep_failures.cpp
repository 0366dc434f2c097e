#include "reports/sweep_failures.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "models/words/texts.hpp"
#include "reports/number_text.hpp"
#include "reports/terminal_text.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_numbers = 6;
constexpr std::size_t longest_reason = 400;

struct FailureGroup {
  std::string kind;
  std::string reason;
  std::vector<std::uint64_t> points;
};

std::vector<FailureGroup> failure_groups(std::span<const SweepRow* const> rows) {
  std::map<std::pair<std::string, std::string>, std::vector<std::uint64_t>> points;
  for (const SweepRow* row : rows) {
    if (row->result.status != PointStatus::failed) continue;
    points[{row->result.failure, row->result.reason}].push_back(row->number);
  }
  std::vector<FailureGroup> groups;
  for (const auto& [what, numbers] : points)
    groups.push_back({.kind = what.first, .reason = what.second, .points = numbers});
  std::stable_sort(groups.begin(), groups.end(),
                   [](const FailureGroup& a, const FailureGroup& b) { return a.points.size() > b.points.size(); });
  return groups;
}

std::string numbers_text(const std::vector<std::uint64_t>& points) {
  std::string text;
  for (std::size_t i = 0; i < std::min(points.size(), most_numbers); ++i) append_part(text, std::to_string(points[i]));
  return text + (points.size() > most_numbers ? ", ..." : "");
}

std::string group_text(const FailureGroup& group) {
  const std::string kind = group.kind.empty() ? "failed" : terminal_text(group.kind);
  const std::string reason = group.reason.empty() ? "" : ": " + terminal_text(group.reason, longest_reason);
  return kind + " at " + whole_text(group.points.size()) + (group.points.size() == 1 ? " point (" : " points (") +
         numbers_text(group.points) + ")" + reason;
}

}  // namespace

std::string failures_text(std::span<const SweepRow* const> rows, std::size_t width, std::size_t most) {
  const std::vector<FailureGroup> groups = failure_groups(rows);
  std::string text;
  for (std::size_t i = 0; i < std::min(groups.size(), most); ++i)
    text += wrapped_text(group_text(groups[i]), width, "  × ", "    ");
  if (groups.size() <= most) return text;
  std::size_t others = 0;
  for (std::size_t i = most; i < groups.size(); ++i) others += groups[i].points.size();
  return text + wrapped_text(whole_text(others) + " points more failed, for other reasons: see points.csv.", width,
                             "  × ", "    ");
}

}  // namespace saturn
