#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the names of a plain table's columns mean.

namespace saturn {

/// What a column's figures are. A plain rate ("throughput") is one of events beside clients and one of items beside a
/// concurrency; a plain time is that of an event or of a request likewise.
enum class ColumnKind {
  unknown,
  clients,
  concurrency,
  batch,
  model,
  event_time,
  module_time,
  nonml,
  events_rate,
  items_rate,
  requests_rate,
  plain_rate,
  latency,
  plain_time,
  spread
};

/// Which number of a sample a column gives.
enum class ColumnSpread { mean, sd, sem };

/// One column as its name says.
struct TableColumn {
  std::string name{};  ///< as it stands in the file
  std::string bare{};  ///< without a unit in brackets
  ColumnKind kind = ColumnKind::unknown;
  ColumnSpread spread = ColumnSpread::mean;
  std::string percentile{};         ///< "p50", "p90", "p95" or "p99" of a latency
  std::optional<double> unit_si{};  ///< one of its unit in s or 1/s; absent: the name has none
  std::string unit{};               ///< as it stands in the name; may be none that is known
};

/// What a column's name means: "event_time_s", "latency_ms", "throughput [1/s]", "p99 latency (us)", "event time sd".
TableColumn table_column(std::string_view name);

/// True for clients, concurrency and batch: what a row is looked up by.
bool is_table_key(ColumnKind kind);

/// True for a kind that a unit belongs to.
bool needs_unit(ColumnKind kind);

/// A spelling of the column's name with a unit that would do: "event_time_s".
std::string spelling_with_unit(const TableColumn& column);

/// True for what is counted by the second.
bool is_table_rate(ColumnKind kind);

/// The name under which ClosedLoopPoint::measured or LoadPoint::measured keeps the column; empty for other kinds.
std::string measured_name(const TableColumn& column);

/// One cell of a line.
struct TableCell {
  std::string text{};      ///< without blanks and quotes round it
  std::size_t column = 1;  ///< where it begins in the line, from 1 [byte]
};

/// The cells of a line. @param separator  ',', ';' or a tab
std::vector<TableCell> table_cells(std::string_view line, char separator);

}  // namespace saturn
