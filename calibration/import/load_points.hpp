#pragma once

#include <string>

#include "calibration/import/imported_text.hpp"
#include "calibration/import/measured_file.hpp"

namespace saturn {

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
