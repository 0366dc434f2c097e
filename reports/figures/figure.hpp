#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

/// Figures as data: a Vega-Lite specification and the tidy rows that it draws. Nothing here draws.

namespace saturn {

/// A column of tidy rows.
struct RowColumn {
  std::string name{};  ///< snake_case: letters, digits and underscores, since it becomes a field name of Vega-Lite
  std::string unit{};  ///< "s", "per_s", "usd"; empty: a bare number, or words

  /// "event_time_s": the name with its unit.
  std::string head() const { return unit.empty() ? name : name + "_" + unit; }
};

/// A line of a title that is no wider than the figure [characters].
inline constexpr std::size_t title_letters = 76;

/// An empty cell, a number (not finite: as if empty) or a word.
using RowCell = std::variant<std::monostate, double, std::string>;

/// Rows of one figure: one observation a row.
struct TidyRows {
  std::vector<RowColumn> columns{};
  std::vector<std::vector<RowCell>> rows{};  ///< (rows, columns)
};

/// The rows as CSV with a head line; numbers in the shortest form that reads back to the same value.
std::string rows_csv(const TidyRows& rows);

/// The rows by column, {"columns": [heads], "values": [[column 1], [column 2], ...]}: what the page turns back into
/// rows. Words that repeat are numbered: {"words": [...], "of": [...]} takes the place of such a column.
std::string rows_json(const TidyRows& rows);

/// One figure.
struct Figure {
  std::string name{};      ///< unique in a report, names its files and its place: "event_time"
  std::string title{};     ///< what is seen, a sentence without a full stop
  std::string subtitle{};  ///< scenario and seed
  std::string caption{};   ///< how to read it and where its numbers come from, in sentences
  /// Vega-Lite specification, JSON. Its data is {"name": "rows"}; empty: see `cannot`.
  std::string spec{};
  TidyRows rows{};
  std::string cannot{};  ///< why it could not be drawn, a sentence; empty: it was
};

/// "protodune-big-batch, seed 42"
std::string figure_subtitle(const std::string& scenario, std::uint64_t seed);

/// The specification for a file beside NAME.csv, from which it takes its rows; newline at the end.
std::string spec_beside_csv(const Figure& figure);

/// The specification with its rows inside: what any Vega-Lite viewer draws.
std::string spec_with_rows(const Figure& figure);

}  // namespace saturn
