#include "reports/sweep/sweep_summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "models/values/units.hpp"
#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/sweep/sweep_view.hpp"
#include "reports/words/escaped_text.hpp"
#include "reports/words/number_text.hpp"

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

namespace {

constexpr std::size_t summary_width = 80;
constexpr std::size_t most_failure_groups = 3;
constexpr std::size_t few_values = 4;

std::size_t count_of(const SweepTable& table, PointStatus status) {
  return static_cast<std::size_t>(std::count_if(table.rows.begin(), table.rows.end(),
                                                [&](const SweepRow& row) { return row.result.status == status; }));
}

/// "13 values, 0.1 to 100 ms", "none, fixed, dynamic"
std::string range_text(const ShownAxis& axis) {
  const std::size_t values = axis.values.size();
  if (values <= few_values) return with_unit(joined(axis.labels), axis.unit);
  return with_unit(whole_text(values) + " values, " + axis.labels.front() + " to " + axis.labels.back(), axis.unit);
}

std::string axes_text(const SweepTable& table) {
  std::vector<const SweepRow*> rows;
  for (const SweepRow& row : table.rows) rows.push_back(&row);
  std::string text;
  for (std::size_t c = 0; c < table.axes.size(); ++c) {
    const ShownAxis axis = shown_axis(table, rows, c);
    text += wrapped_text(axis.name + ": " + range_text(axis), summary_width, "  ", "    ");
  }
  return text;
}

/// "0.42 %"; less than that where it is more than nothing, and never 100 % of what is not all.
std::string share_text(std::size_t part, std::size_t all) {
  if (part == all) return "100 %";
  const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(all);
  return percent > 99.9 ? "more than 99.9 %" : percent_text(percent / 100.0);
}

std::string status_text(const SweepTable& table) {
  const std::size_t imprecise = count_of(table, PointStatus::imprecise);
  const std::size_t answered = count_of(table, PointStatus::answered) + imprecise;
  const std::size_t failed = count_of(table, PointStatus::failed);
  const std::size_t missing = count_of(table, PointStatus::missing);
  std::string text = counted(table.rows.size(), "point") + ": " + whole_text(answered) + " answered";
  if (imprecise > 0) text += " (" + whole_text(imprecise) + " of them less precise than asked)";
  if (failed > 0) text += ", " + whole_text(failed) + " failed";
  if (missing > 0)
    text += ", " + whole_text(missing) + " not computed yet (" + share_text(missing, table.rows.size()) +
            "; the sweep command computes them)";
  return text + ".";
}

}  // namespace

std::string sweep_summary_text(const SweepTable& table) {
  const std::string title = terminal_text(table.title, summary_width);
  const std::string asked =
      terminal_text(table.asked_at_each_point(), summary_width) + " at each point, seed " + std::to_string(table.seed);
  std::string text =
      wrapped_text("Sweep of " + (title.empty() ? "a scenario" : title) + ": " + asked, summary_width, "", "  ");
  text += axes_text(table);
  if (table.rows.empty()) return text + "  The sweep has no points.\n";
  text += wrapped_text(status_text(table), summary_width, "  ", "  ");
  std::vector<const SweepRow*> rows;
  for (const SweepRow& row : table.rows) rows.push_back(&row);
  return text + failures_text(rows, summary_width, most_failure_groups);
}

namespace {

constexpr std::size_t longest_progress_bar = 30;
constexpr std::size_t shortest_progress_bar = 6;
constexpr std::size_t most_failure_kinds = 5;
constexpr std::size_t longest_kind = 40;
constexpr double minute = 60.0;
constexpr double day = 24.0 * seconds_per_hour;
constexpr double longest_spoken = 1e9;
constexpr std::array<const char*, 8> parts_of_block{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};

/// "2 h 10 min": the larger unit, and the smaller one where it is not none.
std::string two_units(double seconds, double large, const std::string& large_name, double small,
                      const std::string& small_name) {
  const double smalls = std::round(seconds / small);
  const double per_large = std::round(large / small);
  const double larges = std::floor(smalls / per_large);
  const double rest = smalls - larges * per_large;
  const std::string plural = large_name == "day" && larges != 1.0 ? "s" : "";
  std::string text = whole_text(larges) + " " + large_name + plural;
  return rest == 0.0 ? text : text + " " + whole_text(rest) + " " + small_name;
}

/// "8.6 a second", "3.2 a minute", "1.5 an hour"
std::string spoken_rate(const SweepProgress& progress) {
  if (progress.done == 0 || !(progress.elapsed_s > 0.0) || !std::isfinite(progress.elapsed_s)) return "";
  const double rate = static_cast<double>(progress.done) / progress.elapsed_s;
  if (rate >= 1.0) return number_text(rate, rate >= 1000.0 ? 4 : 2) + " a second";
  if (rate * minute >= 1.0) return number_text(rate * minute, 2) + " a minute";
  return number_text(rate * seconds_per_hour, 2) + " an hour";
}

std::string bar_text(double share, std::size_t width, TextStyle style) {
  const auto eighth = static_cast<std::size_t>(std::floor(share * static_cast<double>(width) * 8.0));
  const std::size_t full = std::min(width, eighth / 8);
  std::string done;
  for (std::size_t i = 0; i < full; ++i) done += "█";
  if (full < width) done += parts_of_block[eighth % 8];
  std::string left;
  for (std::size_t i = width_of(done); i < width; ++i) left += "░";
  return style.colour ? "\033[38;5;36m" + done + "\033[2m" + left + "\033[0m" : done + left;
}

}  // namespace

std::string spoken_time(double seconds) {
  if (!(seconds >= 0.0) || seconds > longest_spoken) return "an unknown time";
  if (seconds == 0.0) return "0 s";
  if (seconds < 0.95) return number_text(seconds, 1) + " s";
  if (std::round(seconds) < minute) return whole_text(seconds) + " s";
  if (std::round(seconds) < seconds_per_hour) return two_units(seconds, minute, "min", 1.0, "s");
  if (std::round(seconds / minute) * minute < day) return two_units(seconds, seconds_per_hour, "h", minute, "min");
  return two_units(seconds, day, "day", seconds_per_hour, "h");
}

std::string sweep_progress_text(const SweepProgress& progress, TextStyle style, std::size_t width) {
  const std::uint64_t done = std::min(progress.done, progress.tasks);
  const double share = progress.tasks == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(progress.tasks);
  std::vector<std::string> parts{whole_text(done) + " of " + whole_text(progress.tasks)};
  if (progress.stopping) parts.emplace_back("stopping: running points are finished");
  if (progress.failed > 0) parts.push_back(whole_text(progress.failed) + " failed");
  if (const std::string rate = spoken_rate(progress); !rate.empty()) parts.push_back(rate);
  const bool known = progress.remaining_s > 0.0 && progress.remaining_s <= longest_spoken;
  if (known && !progress.stopping) parts.push_back(spoken_time(progress.remaining_s) + " left");

  std::string text;
  for (const std::string& part : parts) {
    const std::string longer = text + (text.empty() ? "" : ", ") + part;
    if (width_of(longer) > width) break;
    text = longer;
  }
  const std::size_t room = width - std::min(width, width_of(text) + 1);
  if (room < shortest_progress_bar) return text;
  return bar_text(share, std::min(longest_progress_bar, room), style) + " " + text;
}

std::string sweep_end_text(const SweepProgress& progress, const std::map<std::string, std::uint64_t>& failures) {
  const std::uint64_t failed = std::min(progress.failed, progress.done);
  std::string text = counted(progress.done, "point") + ": " + whole_text(progress.done - failed) + " answered";
  if (failed > 0) text += ", " + whole_text(failed) + " failed";
  std::string kinds;
  std::size_t listed = 0;
  for (const auto& [kind, count] : failures) {
    if (++listed > most_failure_kinds) break;
    // One kind alone needs no number: it stands before it.
    const std::string number = failures.size() == 1 ? "" : whole_text(count) + " ";
    append_part(kinds, number + terminal_text(kind, longest_kind));
  }
  if (failures.size() > most_failure_kinds) kinds += ", ...";
  if (failed > 0 && !kinds.empty()) text += " (" + kinds + ")";
  text += ", in " + spoken_time(progress.elapsed_s);
  if (const std::string rate = spoken_rate(progress); !rate.empty()) text += ", " + rate;
  if (progress.workers > 0) text += " on " + counted(progress.workers, "worker");
  const std::uint64_t left = progress.tasks - std::min(progress.tasks, progress.done);
  return text + (left == 0 ? "." : "; " + whole_text(left) + " not computed yet.");
}

}  // namespace saturn
