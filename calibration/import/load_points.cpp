#include "calibration/import/load_points.hpp"

#include <array>
#include <cmath>
#include <vector>

#include "calibration/import/imported_text.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

constexpr double whole_within = 0.05;
constexpr double agrees_within = 0.2;
constexpr std::size_t most_points_named = 10;

// How notes about the items of a request begin.
constexpr const char* applied_note = "Batch sizes follow from Little's law";
constexpr const char* broken_note = "Little's law gives no whole number of items a request";
constexpr const char* contradicted_note = "Little's law contradicts the given items of a request";
constexpr const char* unknown_note = "The items of a request are not known";

constexpr std::array<const char*, 4> rising{"latency_p50_s", "latency_p90_s", "latency_p95_s", "latency_p99_s"};

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
  std::vector<std::string> contradicted{};
  std::vector<std::string> unknown{};
};

void judge(LoadPoint& point, Findings& findings) {
  const auto batch = littles_batch(point);
  if (point.request_batch) {
    if (!batch || std::abs(*batch / *point.request_batch - 1.0) <= agrees_within) return;
    findings.contradicted.push_back(place(point) + ": " + significant(*batch, 4) + " instead of " +
                                    significant(*point.request_batch, 4));
  } else if (batch) {
    point.request_batch = near_whole(*batch) ? std::round(*batch) : *batch;
    point.batch_from = BatchOrigin::littles_law;
    findings.applied = true;
    if (!near_whole(*batch)) findings.broken.push_back(place(point) + ": " + significant(*batch, 4));
  } else {
    findings.unknown.push_back(place(point));
  }
}

}  // namespace

void complain_of_many_points(std::size_t line, LeftOutLines& complaints) {
  complaints.add(line, "import.too_many_points",
                 "From this line on the file is left out: more than " + std::to_string(most_load_points) +
                     " measured loads are not used; give the loads that you want to fit.");
}

bool has_load(const CsvColumns& columns) {
  return columns.has("concurrency") || columns.has("request rate");
}

bool recognises_load_table(std::string_view text, IsLoadHeader is_header) {
  LineWalk lines(text);
  while (lines.next() && lines.line() <= header_within_lines) {
    const CsvLine line = csv_line(lines.text(), lines.line());
    if (!has_number(line) && is_header(CsvColumns(line))) return true;
  }
  return false;
}

void walk_load_tables(std::string_view text, IsLoadHeader is_header, const MeasuredFile& file, LeftOutLines& complaints,
                      const std::function<bool(const CsvColumns&, const CsvLine&)>& begin,
                      const std::function<void(const CsvRow&)>& take) {
  const std::size_t first = file.loads.size();
  CsvColumns columns;
  bool begun = false;
  bool usable = false;
  LineWalk lines(text);
  while (lines.next()) {
    if (file.loads.size() >= first + most_load_points) return complain_of_many_points(lines.line(), complaints);
    const CsvLine line = csv_line(lines.text(), lines.line());
    if (!has_number(line) && is_header(CsvColumns(line))) {
      columns = CsvColumns(line);
      begun = true;
      usable = begin(columns, line);
    } else if (usable) {
      const CsvRow row(columns, line, complaints);
      if (row.whole()) take(row);
    } else if (!begun) {
      complaints.add(line.line, "import.no_header", "The line stands before the header; it is left out.", line.text);
    }
  }
}

void drop_impossible_latencies(LoadPoint& point, LeftOutLines& complaints) {
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
  complaints.add(
      point.at.line, "import.falling_percentiles",
      "The percentiles of the latency are left out: a higher one is smaller than a lower one; look for digits "
      "that were lost.");
}

void apply_littles_law(MeasuredFile& file, std::size_t first) {
  Findings findings;
  for (std::size_t k = first; k < file.loads.size(); ++k) judge(file.loads[k], findings);
  if (findings.applied) {
    file.notes.push_back(std::string(applied_note) +
                         ", items/s times mean latency over concurrency; the file does not give "
                         "them.");
  }
  if (!findings.broken.empty()) {
    file.notes.push_back(std::string(broken_note) + " (" + joined(findings.broken, "; ", most_points_named) +
                         "): the batches vary, or the measurement was too short.");
  }
  if (!findings.contradicted.empty()) {
    file.notes.push_back(std::string(contradicted_note) + " (" +
                         joined(findings.contradicted, "; ", most_points_named) +
                         "): the requests in flight were not those of the first column, or the measurement was too "
                         "short.");
  }
  if (!findings.unknown.empty()) {
    file.notes.push_back(std::string(unknown_note) + " (" + joined(findings.unknown, "; ", most_points_named) +
                         "): neither given, nor to be had from Little's law, which needs the concurrency and the mean "
                         "latency.");
  }
}

void drop_batch_notes(MeasuredFile& file) {
  std::erase_if(file.notes, [](const std::string& note) {
    return note.starts_with(applied_note) || note.starts_with(broken_note) || note.starts_with(contradicted_note) ||
           note.starts_with(unknown_note) || note.starts_with("The items of a request follow from Little's law");
  });
}

}  // namespace saturn
