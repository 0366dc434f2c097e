#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/document/complaints.hpp"

namespace saturn {

// What a user's file says, before anything is fitted to it. All times in seconds, all amounts in bytes, whatever units
// the file has.

inline constexpr double microsecond = 1e-6;  ///< [s]

/// Where a figure stands in its file.
struct FoundAt {
  std::string file{};    ///< as the user named it
  std::size_t line = 0;  ///< from 1; 0 where the file has no lines (a database)

  /// "perf.csv:3", or "timing.db".
  std::string text() const { return line == 0 ? file : file + ":" + std::to_string(line); }
};

/// How a load point knows the items of a request.
enum class BatchOrigin {
  given,        ///< by the file
  assumed,      ///< one item, by a file that counts requests: items_per_s is requests/s
  littles_law,  ///< items_per_s · latency_mean / concurrency
  inferred,     ///< the same number for all rows of a run, by Little's law
  unknown,
};

/// One measured load of a server: a line of perf_analyzer or Model Analyzer, or (concurrency, throughput).
struct LoadPoint {
  FoundAt at{};
  std::string model{};          ///< empty: the file does not say
  std::string configuration{};  ///< what Model Analyzer calls "Model Config Path" and "Instance Group"; may be empty
  std::optional<double> concurrency{};         ///< requests in flight
  std::optional<double> request_rate_per_s{};  ///< requests offered [1/s]; then there is no concurrency
  std::optional<double> request_batch{};       ///< items a request carries
  BatchOrigin batch_from = BatchOrigin::unknown;
  double items_per_s = 0.0;  ///< > 0; where printed_per_s stands beside it, items in flight over mean latency
  std::optional<double> printed_per_s{};   ///< items/s as the file prints them, where they are not taken
  std::optional<double> executed_batch{};  ///< mean items of the batches that the server formed
  std::optional<double> instances{};       ///< of the model on the device
  std::optional<double> requests{};        ///< that the means are over
  /// By name: latency_mean_s, latency_p50_s, latency_p90_s, latency_p95_s, latency_p99_s, latency_sd_s, send_s,
  /// latency_sem_s, network_s, queue_s, compute_input_s, compute_infer_s, compute_output_s, or compute_s, their sum,
  /// receive_s, gpu_utilisation (0 to 1), gpu_power_w.
  std::map<std::string, double> measured{};
};

/// What one model of a server has done between two readings of its counters, or since it started.
struct ServerCounters {
  FoundAt at{};
  std::string model{};
  double requests = 0.0;  ///< answered
  double failures = 0.0;
  double items = 0.0;       ///< inferences, > 0; may be 0 of an ensemble
  double executions = 0.0;  ///< batches, > 0; may be 0 of an ensemble
  /// It forwards to other models, whose times its own sums hold: no service law follows from it.
  bool ensemble = false;
  /// Sums over the requests: request_s, queue_s, compute_input_s, compute_infer_s, compute_output_s.
  std::map<std::string, double> sums_s{};
  /// Quantiles of a request's time in the server, over its last minutes, by share of the requests: 0.5, 0.95, 0.99.
  std::map<double, double> quantiles_s{};
  /// Requests that had their first response within so many seconds, by that time; the last one is infinite.
  std::map<double, double> first_response{};
  std::optional<double> elapsed_s{};  ///< between the readings; absent: since the start, or not known
  std::optional<double> read_at_s{};  ///< when the counters were read, since 1970; where the file says so
};

/// Times of one module, or of the whole event.
struct CpuTimes {
  FoundAt at{};
  std::string name{};              ///< "path:label:type" as the file has it, or "event"
  std::vector<double> values_s{};  ///< single values; empty where the file holds only their summary
  double mean_s = 0.0;             ///< > 0
  std::optional<double> sd_s{};
  std::size_t count = 0;  ///< events
  bool whole_event = false;
};

/// Round trips to a host.
struct RoundTrips {
  FoundAt at{};
  std::string peer{};
  std::vector<double> values_s{};  ///< the first answer to each packet; empty where only a summary stands there
  std::optional<double> mean_s{};  ///< of the summary; absent where that is over duplicates as well
  std::optional<double> sd_s{};
  std::size_t sent = 0;
  std::size_t lost = 0;
  std::size_t duplicates = 0;  ///< left out of the values
};

/// Measured transfers to a host.
struct Throughputs {
  FoundAt at{};
  std::string peer{};
  std::vector<double> values_bytes_per_s{};  ///< by interval, start-up left out when the file marks it
  double mean_bytes_per_s = 0.0;             ///< > 0
  std::size_t streams = 1;                   ///< side by side; the values are of all of them
  bool reverse = false;                      ///< the peer sent
};

/// Clients, and how long an event took or how many were done.
struct ClosedLoopPoint {
  FoundAt at{};
  double clients = 0.0;  ///< > 0
  /// By name: event_time_s, module_time_s, nonml_s, events_per_s; and the same with "_sd" and "_sem" appended.
  std::map<std::string, double> measured{};
};

/// The value of a name, if it was measured.
inline std::optional<double> measured_value(const std::map<std::string, double>& measured, const std::string& name) {
  const auto at = measured.find(name);
  return at == measured.end() ? std::nullopt : std::optional(at->second);
}

/// A number with its error, as somebody wrote it down.
struct SingleNumber {
  FoundAt at{};
  std::string name{};  ///< preprocessing, bandwidth, travel, gpu, or what the writer calls it
  double value = 0.0;  ///< SI
  std::string unit{};  ///< SI: "s", "B/s", "B", "1/s", or empty
  std::optional<double> standard_error{};
  std::string source{};
};

/// One file as it was read.
struct MeasuredFile {
  std::string path{};
  std::string format{};  ///< what it was recognised as: "perf_analyzer CSV"
  std::string sha256{};  ///< of its bytes, 64 hexadecimal digits
  std::vector<LoadPoint> loads{};
  std::vector<ServerCounters> counters{};
  std::vector<CpuTimes> cpu_times{};
  std::vector<RoundTrips> round_trips{};
  std::vector<Throughputs> throughputs{};
  std::vector<ClosedLoopPoint> closed_loop{};
  std::vector<SingleNumber> numbers{};
  std::vector<Complaint> left_out{};  ///< lines and values that could not be used, each with its reason
  std::vector<std::string> notes{};   ///< what was assumed: "batch sizes follow from Little's law"
};

}  // namespace saturn
