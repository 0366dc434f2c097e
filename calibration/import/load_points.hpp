#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "calibration/import/imported_text.hpp"
#include "calibration/import/measured_file.hpp"

/// What formats of measured loads share. A CSV of loads is a table of columns with its quirks. To add one: write its
/// MeasuredColumns, say by which names its header is known (IsLoadHeader), and hand walk_load_tables() what a header
/// and a row become; headers, torn rows and too many rows are seen to here, numbers and their complaints by CsvRow.

namespace saturn {

/// A column of times and the entry of LoadPoint::measured that it becomes.
struct MeasuredColumn {
  const char* column;    ///< as column_key() gives it
  const char* measured;  ///< "queue_s"
};

/// Whether the names are those of a format's header, perhaps a damaged one.
using IsLoadHeader = bool (*)(const CsvColumns& columns);

/// A column says how much was in flight or asked for: Concurrency or Request Rate.
bool has_load(const CsvColumns& columns);

/// Whether one of the first lines is such a header.
bool recognises_load_table(std::string_view text, IsLoadHeader is_header);

/// Goes through a text of one such table or of several behind each other, each under its header. Complains about lines
/// before the first header, torn rows, and more points than are used.
/// @param file   the walk ends once most_load_points were added to its loads
/// @param begin  called with each header; false when the rows below it are of no use, of which it has complained
/// @param take   called with each whole row
void walk_load_tables(std::string_view text, IsLoadHeader is_header, const MeasuredFile& file, LeftOutLines& complaints,
                      const std::function<bool(const CsvColumns& columns, const CsvLine& header)>& begin,
                      const std::function<void(const CsvRow& row)>& take);

/// Of one file so many are used: measured loads are tens, and what has more is no such file.
inline constexpr std::size_t most_load_points = 100'000;

/// Says that the file holds more than that.
void complain_of_many_points(std::size_t line, LeftOutLines& complaints);

/// Keeps out what cannot be: latencies of zero (rounded away), and percentiles that fall where they have to rise, which
/// is how a number looks that lost its last digits.
void drop_impossible_latencies(LoadPoint& point, LeftOutLines& complaints);

/// Fills the items of a request where a file does not give them: items_per_s · latency_mean / concurrency, rounded to
/// the nearest whole number when within 5 % of one. Says so in a note, and names the points where the law gives no
/// whole number, contradicts by more than 20 % what the file gives, or cannot be applied.
/// @param first  the first of file.loads to look at
/// Source  Little, Operations Research 9 (1961) 383: L = λW
void apply_littles_law(MeasuredFile& file, std::size_t first);

/// Takes back what apply_littles_law() has noted in the file, where the items of a request are settled otherwise.
void drop_batch_notes(MeasuredFile& file);

}  // namespace saturn
