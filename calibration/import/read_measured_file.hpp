#pragma once

#include <span>
#include <string>
#include <vector>

#include "calibration/import/import_kit.hpp"
#include "calibration/import/measured_file.hpp"

namespace saturn {

/// All formats, in the order in which a text is offered to them: a plain table comes last, since the names of its
/// columns are those of others as well.
std::span<const ImportFormat> import_formats();

/// Reads a file in whichever format its content shows.
/// @throws InputError  import.no_file, import.too_large (64 MiB), import.empty, import.unknown_format (names what is
///                     known, and for files that saturn reads elsewhere, where), and those of the formats
MeasuredFile read_measured_file(const std::string& path);

/// Reads all of them.
/// @throws InputError  the complaints about every file at once
std::vector<MeasuredFile> read_measured_files(std::span<const std::string> paths);

/// What the models of a server have done between two readings of its counters. A model that the earlier reading has not
/// counts from zero, unless that reading had to leave something out. Ensembles are kept, marked as such.
/// @returns counters of the models that answered requests in between; elapsed_s where both files carry timestamps;
///          path, hash and place are those of the later reading
/// @throws InputError  import.no_difference: no model is left; with the reason for each: counters that fell (the server
///                     was started anew, or the files were given in the wrong order), no request in between, a model
///                     that the later reading has not
MeasuredFile difference(const MeasuredFile& earlier, const MeasuredFile& later);

/// perf_analyzer's and perf_client's CSV, plain and verbose, times in µs.
/// Source  triton-inference-server/client, src/c++/perf_analyzer/report_writer.cc (columns), measurements_metrics.md
ImportFormat perf_analyzer_csv();

/// What perf_analyzer and perf_client print on a terminal.
ImportFormat perf_analyzer_terminal();

/// perf_analyzer's --profile-export-file: when each request began and was answered, in ns.
/// Source  triton-inference-server/perf_analyzer, src/profile_data_exporter.cc
ImportFormat perf_analyzer_profile();

/// The summaries in JSON that AIPerf (profile_export_aiperf.json, schema_version 1.0 and later) and GenAI-Perf
/// (profile_export_genai_perf.json) write of one load: a block of unit, avg, std, p1 to p99 a metric.
/// Source  docs.nvidia.com/aiperf, reference/json-export-schema; triton-inference-server/perf_analyzer, genai-perf
ImportFormat genai_report();

/// The same summaries as CSV (profile_export_aiperf.csv, profile_export_genai_perf.csv). They do not hold how many
/// requests were in flight, which follows from Little's law.
ImportFormat genai_table();

/// AIPerf's records of single requests (profile_export.jsonl), a line of JSON each: what was in flight, the rate and
/// the latencies while the load was whole. Source  ai-dynamo/aiperf, docs/tutorials/working-with-profile-exports.md
ImportFormat aiperf_records();

/// Model Analyzer's metrics CSVs: inferences (latencies in ms), and GPU rows joined to those of the same file.
ImportFormat model_analyzer_csv();

/// Triton's /metrics in Prometheus' text format, times in µs.
/// Source  triton-inference-server/server, docs/user_guide/metrics.md
ImportFormat triton_metrics();

/// True when the bytes begin as an SQLite 3 database does, whoever wrote it.
/// Source: https://www.sqlite.org/fileformat.html, section 1.3
bool recognises_sqlite(std::string_view bytes);

/// The times that TimeTracker of art (LArSoft) writes: of the event, the source and each module. The database is read
/// from the given bytes: nothing is opened and nothing is written.
ImportFormat timetracker_database();

/// Every summary that TimeTracker printed into a log: mean, spread and number of events of the event, the source and
/// each module. Columns are found by their names; a row may take two lines.
ImportFormat timetracker_summary();

/// CMSSW's resources.json: mean times of the job's events and of its modules.
ImportFormat fast_timer_json();

/// Single numbers with their errors:
/// {"schema": "saturn-numbers/1", "source": "...", "numbers": {"gpu": {"value": "2.7 s", "error": "0.3 s"}}}.
/// preprocessing, travel and gpu are times, bandwidth is a bandwidth; others may be any quantity, or a bare number.
ImportFormat written_numbers();

/// What `iperf3 -J` writes: the throughput of the whole test, as received, and of each interval.
ImportFormat iperf_json();

/// ping's output, of Linux (iputils, BusyBox) and macOS; several runs in one text stay apart.
ImportFormat ping_output();

/// A table with a header, its columns separated by commas, semicolons or tabs: clients and event time or events per
/// second; concurrency and throughput; batch and time. Units stand in the columns' names: event_time_s, latency_ms,
/// throughput [1/s].
ImportFormat plain_table();

}  // namespace saturn
