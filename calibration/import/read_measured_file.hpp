#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/import/measured_file.hpp"

namespace saturn {

/// A kind of file that measurements come in.
struct ImportFormat {
  const char* name = "";        ///< "perf_analyzer CSV"
  const char* looks_like = "";  ///< how it is recognised, in words: "a header with Concurrency and Inferences/Second"
  /// True when the text is in this format, however damaged; decided by its content, never by a name.
  bool (*recognises)(std::string_view text) = nullptr;
  /// Reads the text; `path` is what complaints call it. Adds to the file's lists; lines that cannot be used go to
  /// left_out. Lines may end with CRLF, and a byte-order mark has been taken away.
  /// @throws InputError  import.*: nothing in it can be used
  void (*read)(std::string_view text, const std::string& path, MeasuredFile& file) = nullptr;
};

/// What load generators and the server itself write: perf_analyzer, Model Analyzer, Triton's metrics.
std::span<const ImportFormat> server_formats();

/// What is measured at the client and on the network: ping, iperf3, TimeTracker's summary, FastTimerService, plain
/// tables, numbers written by hand.
std::span<const ImportFormat> client_formats();

/// Reads a file in whichever format its content shows.
/// @throws InputError  import.no_file, import.too_large (64 MiB), import.empty, import.unknown_format (names what is
///                     known, and for files that saturn reads elsewhere, where), and those of the formats
MeasuredFile read_measured_file(const std::string& path);

/// Reads all of them.
/// @throws InputError  the complaints about every file at once
std::vector<MeasuredFile> read_measured_files(std::span<const std::string> paths);

/// perf_analyzer's and perf_client's CSV, plain and verbose, times in µs.
/// Source  triton-inference-server/client, src/c++/perf_analyzer/report_writer.cc (columns), measurements_metrics.md
ImportFormat perf_analyzer_csv();

/// What perf_analyzer and perf_client print on a terminal.
ImportFormat perf_analyzer_terminal();

/// perf_analyzer's --profile-export-file: when each request began and was answered, in ns.
/// Source  triton-inference-server/perf_analyzer, src/profile_data_exporter.cc
ImportFormat perf_analyzer_profile();

/// Model Analyzer's metrics CSVs: inferences (latencies in ms), and GPU rows joined to those of the same file.
ImportFormat model_analyzer_csv();

/// Triton's /metrics in Prometheus' text format, times in µs.
/// Source  triton-inference-server/server, docs/user_guide/metrics.md
ImportFormat triton_metrics();

}  // namespace saturn
