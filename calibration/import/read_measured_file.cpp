#include "calibration/import/read_measured_file.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "calibration/import/json_report.hpp"
#include "models/values/sha256.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/text_files.hpp"

namespace saturn {

std::span<const ImportFormat> import_formats() {
  static const std::array formats{
      perf_analyzer_profile(), genai_report(),       genai_table(),       aiperf_records(),
      triton_metrics(),        model_analyzer_csv(), perf_analyzer_csv(), perf_analyzer_terminal(),
      timetracker_database(),  written_numbers(),    iperf_json(),        fast_timer_json(),
      timetracker_summary(),   ping_output(),        plain_table()};
  return formats;
}

namespace {

std::string binary_way(std::string_view bytes) {
  if (bytes.starts_with("\x1f\x8b") || bytes.starts_with("BZh") ||
      bytes.starts_with("\xfd"
                        "7zXZ") ||
      bytes.starts_with("PK\x03\x04") || bytes.starts_with("\x28\xb5\x2f\xfd"))
    return "This file is compressed; unpack it first.";
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff"))
    return "This text is in UTF-16; save it as UTF-8.";
  if (bytes.starts_with("root")) return "This is a ROOT file; write what it holds into a table, clients,event_time_s.";
  if (bytes.starts_with("\x89HDF")) return "This is an HDF5 file; write what it holds into a table.";
  if (holds(bytes.substr(0, 100'000), std::string_view("\0", 1))) return "This file is binary, not text.";
  return "";
}

std::string json_way(std::string_view text) {
  if (!begins_as_object(text)) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const bool list = first != std::string_view::npos && text[first] == '[';
    return list ? "This is a JSON list of no known kind." : "";
  }
  if (holds(text, "\"saturn-scenario/"))
    return "This is a scenario; it is given to `saturn run`, `saturn plan` or `saturn check`.";
  if (holds(text, "\"saturn-measured/")) return "This is a measured case; it is given to `saturn validate` alone.";
  if (holds(text, "\"saturn-fitted/"))
    return "This file holds fitted parameters already; a scenario refers to it with \"fitted\".";
  if (holds(text, "\"jobs\"") && holds(text, "\"servers\""))
    return "This looks like a scenario without its \"schema\": \"saturn-scenario/1\".";
  return "This is JSON of no known kind. Single numbers can be written as {\"schema\": \"saturn-numbers/1\", "
         "\"numbers\": {\"gpu\": {\"value\": \"2.7 s\", \"error\": \"0.3 s\"}}}.";
}

bool is_platform(std::string_view text) {
  return holds(text, "<platform") || holds(text, "<!DOCTYPE platform");
}

// Keys of Triton's model configuration that open a list or a group.
bool is_triton_config(const std::vector<ImportedLine>& lines) {
  constexpr std::array<std::string_view, 8> groups{
      "input",        "output",           "instance_group", "parameters",
      "optimization", "dynamic_batching", "version_policy", "ensemble_scheduling"};
  return std::any_of(lines.begin(), lines.end(), [&](const ImportedLine& line) {
    const std::string_view text = trimmed(line.text, " \t");
    if (text.starts_with("data_type: TYPE_") || text.starts_with("data_type : TYPE_")) return true;
    if (text.starts_with("max_batch_size:") && lines.size() < 3) return true;
    return std::any_of(groups.begin(), groups.end(), [&](std::string_view group) {
      if (!text.starts_with(group)) return false;
      std::string_view rest = trimmed(text.substr(group.size()), " \t");
      if (rest.starts_with(':')) rest = trimmed(rest.substr(1), " \t");
      return rest == "[" || rest == "{" || rest == "{}" || rest == "{ }" || rest == "[{" || rest.starts_with("[ {") ||
             rest.starts_with("{ ");
    });
  });
}

bool is_yaml_line(std::string_view text) {
  if (text.starts_with("- ") || text == "-" || text == "---") return true;
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::string_view key = text.substr(0, colon);
  const bool word = std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.' || c == '"' || c == '\'' || c == '/';
  });
  return word && (colon + 1 == text.size() || text[colon + 1] == ' ');
}

bool is_yaml(const std::vector<ImportedLine>& lines) {
  std::size_t yaml = 0;
  std::size_t all = 0;
  for (const ImportedLine& line : lines) {
    const std::string_view text = trimmed(line.text, " \t");
    if (text.empty() || text.starts_with('#')) continue;
    ++all;
    yaml += is_yaml_line(text) ? 1U : 0U;
  }
  // Lists of arguments and folded texts stand between the keys.
  constexpr std::size_t least = 2;
  return yaml >= least && 4 * yaml >= 3 * all;
}

}  // namespace

/// What to do with a file that holds no measurements: one that saturn reads elsewhere (scenarios, Triton's
/// config.pbtxt, platforms, its own other schemas), or one that has to be converted first. A sentence or two; empty for
/// what is not known.
std::string way_for_other_file(std::string_view bytes) {
  if (std::string way = binary_way(bytes); !way.empty()) return way;
  if (std::string way = json_way(bytes); !way.empty()) return way;
  if (is_platform(bytes))
    return "This is a SimGrid platform; a scenario names it as \"network\": {\"platform\": \"site.xml\"}.";
  const std::vector<ImportedLine> lines = lines_to_import(beginning_of(bytes));
  if (is_triton_config(lines))
    return "This is a model's configuration for Triton; a scenario's model names it as \"triton_config\": "
           "\"models/<name>/config.pbtxt\".";
  if (is_yaml(lines))
    return "This is YAML, such as the settings of a deployment: it holds no measurements. What it sets (replicas, "
           "GPUs, "
           "models) is written into a scenario.";
  return "";
}

namespace {

constexpr std::size_t largest_file_bytes = std::size_t{64} << 20U;

std::string bytes_of(const std::string& path) {
  std::string bytes;
  const std::optional<FileFault> fault = read_regular_file(path, largest_file_bytes, bytes);
  if (!fault) return bytes;
  const bool large = std::string_view(fault->code) == "scenario.too_large";
  refuse_input(path, large ? "import.too_large" : "import.no_file",
               "This is given as a file of measurements" + fault->text);
}

std::string known_formats() {
  const auto described = [](const ImportFormat& format) {
    return std::string(format.name) + " (" + format.looks_like + ")";
  };
  return joined(texts_of(import_formats(), described), "; ");
}

// Bytes outside UTF-8, such as those of an old log, would make every report that shows them invalid.
std::string text_of(std::string bytes) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (bytes.starts_with(byte_order_mark)) bytes.erase(0, byte_order_mark.size());
  return valid_utf8(std::move(bytes));
}

bool is_text(std::string_view bytes) {
  return bytes.find('\0') == std::string_view::npos;
}

bool read_as_known(std::string_view content, MeasuredFile& file) {
  // Words that mean something in a text mean nothing in the middle of bytes.
  const bool text = is_text(content);
  for (const ImportFormat& format : import_formats()) {
    if ((!text && format.recognises != recognises_sqlite) || !format.recognises(content)) continue;
    file.format = format.name;
    Import import(content, file);
    format.read(import);
    return true;
  }
  return false;
}

}  // namespace

MeasuredFile read_measured_file(const std::string& path) {
  std::string bytes = bytes_of(path);
  if (bytes.find_first_not_of(" \t\r\n") == std::string::npos)
    refuse_input(path, "import.empty", "The file is empty; a file with measurements is needed.");
  MeasuredFile file{.path = path, .sha256 = sha256_hex(bytes)};
  const std::string way = way_for_other_file(bytes);
  const std::string content = is_text(bytes) ? text_of(std::move(bytes)) : std::move(bytes);
  if (read_as_known(content, file)) return file;
  refuse_input(path, "import.unknown_format",
               way.empty()
                   ? "No known kind of measurement is recognised in this file. Known are: " + known_formats() + "."
                   : way);
}

std::vector<MeasuredFile> read_measured_files(std::span<const std::string> paths) {
  std::vector<MeasuredFile> files;
  std::vector<Complaint> complaints;
  for (const std::string& path : paths) {
    try {
      files.push_back(read_measured_file(path));
    } catch (const InputError& error) {
      complaints.insert(complaints.end(), error.complaints().begin(), error.complaints().end());
    }
  }
  if (!complaints.empty()) throw InputError(std::move(complaints));
  return files;
}

}  // namespace saturn
