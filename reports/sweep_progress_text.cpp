#include "reports/sweep_progress_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "models/units.hpp"
#include "models/words/texts.hpp"
#include "reports/number_text.hpp"
#include "reports/terminal_text.hpp"

namespace saturn {

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
