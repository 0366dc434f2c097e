#pragma once

#include <span>
#include <string>
#include <vector>

#include "calibration/fit/fit.hpp"
#include "calibration/import/measured_file.hpp"

namespace saturn {

/// What of a load test the time of a batch was taken from.
enum class BatchTimeFrom {
  server_times,  ///< the server's own compute times: input, inference and output
  latency,       ///< what a lone client waited, the network included
  throughput,    ///< batch over rate of a server that several requests in flight kept busy
};

/// The times of batches of one model, from one file.
struct ServiceSeries {
  std::string model{};          ///< as the file has it, else a name made from the file's
  std::string configuration{};  ///< of the server, where the file holds several
  std::string source{};         ///< the file
  BatchTimeFrom from = BatchTimeFrom::server_times;
  std::vector<FitPoint> points{};     ///< x: items of a batch, y: T(b) [s]
  std::vector<std::string> notes{};   ///< what was assumed
  std::vector<Complaint> left_out{};  ///< loads that tell no time of a batch, with the reason
};

/// The times of batches that the files' loads and counters tell.
/// A load tells T(b) by the server's compute times where it has them and the batch is known: the executed batch, or the
/// request's as long as no more than `instances` of them can have been computed at once (items_per_s·T/b); else by the
/// latency of a lone client; else by b over the rate,
/// from the first number of requests in flight on whose rate reaches 95 % of the largest.
/// Counters tell the mean time at the mean batch. Ensembles, which compute nothing themselves, tell nothing.
/// @param model  name of the model where a file does not say; empty: one is made from the file's name
std::vector<ServiceSeries> service_series(std::span<const MeasuredFile> files, const std::string& model);

/// "timing" of "folder/timing.db": what fits of a file are called.
std::string stem_of(const std::string& path);

}  // namespace saturn
