#include "calibration/import/load_points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "calibration/closed_loop_rates.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

constexpr double whole_within = 0.05;
constexpr std::size_t most_points_named = 10;

// How notes about the items of a request begin.
constexpr const char* applied_note = "Batch sizes follow from Little's law";
constexpr const char* broken_note = "Little's law gives no whole number of items a request";
constexpr const char* unknown_note = "The items of a request are not known";
constexpr const char* assumed_note = "Only requests are counted, and not their items";

constexpr std::array<const char*, 4> rising{"latency_p50_s", "latency_p90_s", "latency_p95_s", "latency_p99_s"};

std::string shown_cell(std::string_view cell) {
  return in_quotes(std::string(cell.substr(0, 40)) + (cell.size() > 40 ? "..." : ""));
}

std::string place(const LoadPoint& point) {
  return point.at.line > 0 ? "line " + std::to_string(point.at.line) : point.at.file;
}

std::optional<double> littles_batch(const LoadPoint& point) {
  const auto latency = point.measured.find("latency_mean_s");
  if (!point.concurrency || latency == point.measured.end()) return std::nullopt;
  const double batch = point.items_per_s * latency->second / *point.concurrency;
  if (!std::isfinite(batch) || batch <= 0.0) return std::nullopt;
  return batch;
}

bool near_whole(double batch) {
  const double whole = std::round(batch);
  return whole >= 1.0 && std::abs(batch - whole) <= whole_within * whole;
}

/// What the points have shown, for the notes.
struct Findings {
  bool applied = false;
  std::vector<std::string> broken{};
  std::vector<std::string> unknown{};
};

void judge(LoadPoint& point, Findings& findings) {
  const bool by_law = point.batch_from == BatchOrigin::littles_law;
  if (point.request_batch && !by_law) return;
  const auto batch = littles_batch(point);
  if (batch) {
    point.request_batch = near_whole(*batch) ? std::round(*batch) : *batch;
    point.batch_from = BatchOrigin::littles_law;
    findings.applied = true;
    if (!near_whole(*batch)) findings.broken.push_back(place(point) + ": " + significant(*batch, 4));
  } else {
    findings.unknown.push_back(place(point));
  }
}

}  // namespace

LoadHeader::LoadHeader(const CellLine& header) {
  for (const ImportedCell& cell : header.cells) {
    by_title_.emplace(column_key(cell.text), titles_.size());
    titles_.push_back(cell.text);
    // A comma behind the last title makes no column.
    if (!cell.text.empty()) count_ = titles_.size();
  }
}

std::optional<std::size_t> LoadHeader::find(std::string_view title) const {
  const auto found = by_title_.find(title);
  return found == by_title_.end() ? std::nullopt : std::optional(found->second);
}

std::string LoadHeader::written(std::string_view title) const {
  const auto found = find(title);
  return found ? titles_[*found] : std::string(title);
}

bool LoadRow::whole() const {
  std::size_t filled = cells_.cells.size();
  while (filled > header_.count() && cells_.cells[filled - 1].text.empty()) --filled;
  std::string fault = cells_.fault;
  if (fault.empty() && filled != header_.count())
    fault = "it has " + counted(cells_.cells.size(), "cell") + ", its header " + std::to_string(header_.count());
  if (fault.empty()) return true;
  complain("import.torn_line", "The line is left out: " + fault + "; write the row anew or measure it again.");
  return false;
}

std::string LoadRow::cell(std::string_view title) const {
  const auto at = header_.find(title);
  return at && *at < cells_.cells.size() ? cells_.cells[*at].text : "";
}

std::optional<double> LoadRow::number(std::string_view title) const {
  const std::string found = cell(title);
  const auto value = plain_number(found);
  if (found.empty() || (value && *value >= 0.0)) return value;
  complain("import.bad_number", header_.written(title) + " is " + shown_cell(found) +
                                    "; it has to be a number of at least 0. The value is left out.");
  return std::nullopt;
}

std::optional<double> LoadRow::needed(std::string_view title, const std::string& why) const {
  const auto value = plain_number(cell(title));
  if (value && *value > 0.0) return value;
  complain("import.unusable_line", "The line is left out: " + header_.written(title) + " is " +
                                       shown_cell(cell(title)) + "; " +
                                       (value && *value == 0.0 ? why : "it has to be a number above 0."));
  return std::nullopt;
}

bool recognises_load_table(std::string_view text, IsLoadHeader is_header) {
  // What comes later is no reason to take a file for a table.
  constexpr std::size_t header_within_lines = 1000;
  for (ImportedLine line; next_line(text, line) && line.number <= header_within_lines;) {
    const CellLine cells = cells_of(line, ',');
    if (!cells.has_number() && is_header(LoadHeader(cells))) return true;
  }
  return false;
}

void walk_load_tables(Import& import, IsLoadHeader is_header,
                      const std::function<bool(const LoadHeader&, const ImportedLine&)>& begin,
                      const std::function<void(const LoadRow&)>& take) {
  LoadHeader header;
  bool begun = false;
  bool usable = false;
  std::string_view rest = import.text();
  for (ImportedLine line; next_line(rest, line);) {
    if (import.file().loads.size() >= most_load_points) return complain_of_many_points(line, import);
    const CellLine cells = cells_of(line, ',');
    if (!cells.has_number() && is_header(LoadHeader(cells))) {
      header = LoadHeader(cells);
      begun = true;
      usable = begin(header, line);
    } else if (usable) {
      const LoadRow row(header, cells, import);
      if (row.whole()) take(row);
    } else if (!begun) {
      import.leave_out(line, "import.no_header", "The line stands before the header; it is left out.");
    }
  }
}

void complain_of_many_points(const ImportedLine& line, Import& import) {
  import.leave_out({.number = line.number}, "import.too_many_points",
                   "From this line on the file is left out: more than " + std::to_string(most_load_points) +
                       " measured loads are not used; give the loads that you want to fit.");
}

void drop_impossible_latencies(LoadPoint& point, Import& import) {
  std::erase_if(point.measured,
                [](const auto& value) { return value.first.starts_with("latency_") && value.second <= 0.0; });
  double before = 0.0;
  bool falls = false;
  for (const char* name : rising) {
    const auto found = point.measured.find(name);
    if (found == point.measured.end()) continue;
    falls = falls || found->second < before;
    before = found->second;
  }
  if (!falls) return;
  for (const char* name : rising) point.measured.erase(name);
  import.leave_out(
      {.number = point.at.line}, "import.falling_percentiles",
      "The percentiles of the latency are left out: a higher one is smaller than a lower one; look for digits "
      "that were lost.");
}

void apply_littles_law(MeasuredFile& file) {
  Findings findings;
  for (LoadPoint& point : file.loads) judge(point, findings);
  if (findings.applied) {
    file.notes.push_back(std::string(applied_note) +
                         ", items/s times mean latency over concurrency; the file does not give "
                         "them.");
  }
  if (!findings.broken.empty()) {
    file.notes.push_back(std::string(broken_note) + " (" + joined(findings.broken, "; ", most_points_named) +
                         "): the batches vary, or the measurement was too short.");
  }
  if (!findings.unknown.empty()) {
    file.notes.push_back(std::string(unknown_note) + " (" + joined(findings.unknown, "; ", most_points_named) +
                         "): neither given, nor to be had from Little's law, which needs the concurrency and the mean "
                         "latency.");
  }
  take_rates_of_loops(file);
}

std::optional<double> seconds_of_unit(std::string_view unit) {
  struct TimeUnit {
    std::string_view name;
    double seconds;
  };
  constexpr std::array<TimeUnit, 6> units{
      {{"ms", 1e-3}, {"s", 1.0}, {"sec", 1.0}, {"seconds", 1.0}, {"us", 1e-6}, {"ns", 1e-9}}};
  for (const TimeUnit& one : units)
    if (one.name == unit) return one.seconds;
  return std::nullopt;
}

void assume_single_items(MeasuredFile& file) {
  bool any = false;
  for (LoadPoint& point : file.loads) {
    if (point.request_batch) continue;
    point.request_batch = 1.0;
    point.batch_from = BatchOrigin::assumed;
    any = true;
  }
  if (any)
    file.notes.push_back(std::string(assumed_note) +
                         ": one item a request is assumed, so that items/s are requests/s. --batch N says another.");
}

void drop_batch_notes(MeasuredFile& file) {
  std::erase_if(file.notes, [](const std::string& note) {
    return note.starts_with(applied_note) || note.starts_with(broken_note) || note.starts_with(unknown_note) ||
           note.starts_with(assumed_note) || note.starts_with("The items of a request follow from Little's law");
  });
}

}  // namespace saturn
