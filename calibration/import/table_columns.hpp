#pragma once

#include <optional>
#include <string>
#include <string_view>

/// What the titles of a plain table's columns mean.

namespace saturn {

/// What a figure's unit is one of.
enum class ColumnUnit { none, time, rate };

/// What a column's figures are, by its name. A plain rate ("throughput") is one of events beside clients and one of
/// items beside a concurrency; a plain time is that of an event or of a request likewise.
struct ColumnMeaning {
  std::string_view closed_loop;  ///< "clients", or the entry of ClosedLoopPoint::measured; empty: not read there
  std::string_view load;         ///< "concurrency", "batch", "items_per_s", or the entry of LoadPoint::measured
  ColumnUnit unit = ColumnUnit::none;
  bool of_events = false;  ///< beside clients it makes the table one of events
};

/// Which number of a sample a column gives.
enum class ColumnSpread { mean, sd, sem };

/// One column as its name says: "event_time_s", "latency_ms", "throughput [1/s]", "p99 latency (us)", "event time sd".
struct TableColumn {
  explicit TableColumn(std::string_view written);

  std::string name;                        ///< as it stands in the file
  std::string bare;                        ///< without a unit in brackets
  const ColumnMeaning* meaning = nullptr;  ///< nullptr: not known
  bool spread_alone = false;               ///< only "sd" or the like: it is that of another column
  ColumnSpread spread = ColumnSpread::mean;
  std::string percentile{};         ///< "p50", "p90", "p95" or "p99" of a latency
  std::optional<double> unit_si{};  ///< one of its unit in s or 1/s; absent: the name has none
  std::string unit{};               ///< as it stands in the name; may be none that is known

  bool has_unit() const { return meaning != nullptr && meaning->unit != ColumnUnit::none; }
  /// It is what others are measured at (clients, concurrency or batch).
  bool is_key() const;
  /// It gives a measured mean.
  bool is_measured_mean() const { return spread == ColumnSpread::mean && has_unit(); }
  /// Where its figures go; empty where they are not read.
  std::string key(bool closed_loop) const;
};

}  // namespace saturn
