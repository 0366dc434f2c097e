#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/import/import_kit.hpp"

/// What formats of measured loads share. A CSV of loads is a table of columns with its quirks. To add one: write its
/// LoadColumns, say by which titles its header is known (IsLoadHeader), and hand walk_load_tables() what a header and a
/// row become; headers, torn rows and too many rows are seen to here, numbers and their complaints by LoadRow.

namespace saturn {

/// A column of times and the entry of LoadPoint::measured that it becomes.
struct LoadColumn {
  const char* title;     ///< as column_key() gives it
  const char* measured;  ///< "queue_s"
};

/// Which column has which title; of equal titles the first. Titles are compared by column_key.
class LoadHeader {
 public:
  LoadHeader() = default;
  explicit LoadHeader(const CellLine& header);

  std::optional<std::size_t> find(std::string_view title) const;
  bool has(std::string_view title) const { return find(title).has_value(); }
  /// A column says how much was in flight or asked for: Concurrency or Request Rate.
  bool has_load() const { return has("concurrency") || has("request rate"); }
  std::size_t count() const { return count_; }
  std::string written(std::string_view title) const;  ///< as the file writes it; as asked for where it has none

 private:
  std::map<std::string, std::size_t, std::less<>> by_title_;
  std::vector<std::string> titles_;
  std::size_t count_ = 0;
};

/// One row under its header; complaints name the line, the column and what was found.
class LoadRow {
 public:
  LoadRow(const LoadHeader& header, const CellLine& cells, Import& import)
      : header_(header), cells_(cells), import_(import) {}

  /// The row has the cells that its header has; else it is complained about as torn. Empty cells may be too many.
  bool whole() const;

  /// A cell's text, empty where there is no such column.
  std::string cell(std::string_view title) const;

  /// A number >= 0. Absent without a complaint where there is no such column or the cell is empty; absent with one
  /// where it is anything but such a number.
  std::optional<double> number(std::string_view title) const;

  /// A number > 0 without which the row is of no use: anything else is complained about. `why` ends the sentence about
  /// a zero.
  std::optional<double> needed(std::string_view title, const std::string& why) const;

  const LoadHeader& header() const { return header_; }
  const ImportedLine& line() const { return cells_.line; }
  void complain(const std::string& code, const std::string& text) const { import_.leave_out(line(), code, text); }

 private:
  const LoadHeader& header_;
  const CellLine& cells_;
  Import& import_;
};

/// Whether the titles are those of a format's header, perhaps a damaged one.
using IsLoadHeader = bool (*)(const LoadHeader& header);

/// Whether one of the first lines is such a header.
bool recognises_load_table(std::string_view text, IsLoadHeader is_header);

/// Goes through a text of one such table or of several behind each other, each under its header. Complains about lines
/// before the first header, torn rows, and more points than are used.
/// @param begin  called with each header; false when the rows below it are of no use, of which it has complained
/// @param take   called with each whole row
void walk_load_tables(Import& import, IsLoadHeader is_header,
                      const std::function<bool(const LoadHeader& header, const ImportedLine& line)>& begin,
                      const std::function<void(const LoadRow& row)>& take);

/// Of one file so many are used: measured loads are tens, and what has more is no such file.
inline constexpr std::size_t most_load_points = 100'000;

/// Seconds of a unit of time as AIPerf and GenAI-Perf write it ("ms", "sec"); nothing for another word.
std::optional<double> seconds_of_unit(std::string_view unit);

/// Says that the file holds more than that.
void complain_of_many_points(const ImportedLine& line, Import& import);

/// Keeps out what cannot be: latencies of zero (rounded away), and percentiles that fall where they have to rise, which
/// is how a number looks that lost its last digits.
void drop_impossible_latencies(LoadPoint& point, Import& import);

/// Takes one item a request for all loads that do not say, of a format that counts requests alone, and says so.
void assume_single_items(MeasuredFile& file);

/// Fills the items of a request where a file does not give them: items_per_s · latency_mean / concurrency, rounded to
/// the nearest whole number when within 5 % of one. Says so in a note, and names the points where the law gives no
/// whole number, or cannot be applied. Where the items are known otherwise, the rate is taken by the law instead:
/// take_rates_of_loops().
/// Source  Little, Operations Research 9 (1961) 383: L = λW
void apply_littles_law(MeasuredFile& file);

/// Takes back what apply_littles_law() has noted in the file, where the items of a request are settled otherwise.
void drop_batch_notes(MeasuredFile& file);

}  // namespace saturn
