#pragma once

#include "calibration/import/text_format.hpp"

namespace saturn {

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
