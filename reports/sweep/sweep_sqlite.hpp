#pragma once

#include <filesystem>
#include <stdexcept>

#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// Changes with every change to the tables that write_sweep_sqlite makes.
inline constexpr int sweep_sqlite_layout = 1;

/// A database that cannot be written; what() is a sentence.
class SweepSqliteFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Writes a sweep as an SQLite database, whole or not at all; a file that is there is replaced. The same table gives
/// the same content. Tables:
///   sweep    one row: title, answer, seed (a text, since SQLite's integers are signed), points, layout
///   axes     axis, name, head, pointer, unit, column_name: the last one is that of `points`, which is the head unless
///            that is taken
///   points   point, id, status, failure, reason, replications, and one column an axis: REAL where all values are
///            numbers, else TEXT as written
///   metrics  point, name, unit, mean, low, high: one number a row; NULL for what is absent or not finite
///   words    point, name, word
///   answers  a view: the points with the means of their metrics and their words as columns, as many as SQLite allows
/// Cost: some 10 us a number
/// @throws SweepSqliteFailed  the disk is full, the folder closed, or there are more axes than SQLite has columns
void write_sweep_sqlite(const SweepTable& table, const std::filesystem::path& file);

}  // namespace saturn
