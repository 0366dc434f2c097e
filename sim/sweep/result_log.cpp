#include "sim/sweep/result_log.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <set>
#include <stdexcept>
#include <sys/stat.h>
#include <system_error>
#include <tuple>
#include <unistd.h>
#include <unordered_map>

#include "models/values/sha256.hpp"
#include "models/words/numbers.hpp"
#include "sim/sweep/run_sweep.hpp"
#include "sim/sweep/whole_files.hpp"

namespace saturn {

void add_json_text(std::string& line, const std::string& text) {
  line += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void add_json_number(std::string& line, double value, std::string_view what) {
  if (!std::isfinite(value)) throw std::logic_error(std::string(what) + " is no finite number");
  // "-0" reads back as the whole number 0, without its sign.
  if (value == 0.0 && std::signbit(value)) {
    line += "-0.0";
    return;
  }
  line += exact_text(value);
}

void add_json_number(std::string& line, const std::optional<double>& value, std::string_view what) {
  if (value)
    add_json_number(line, *value, what);
  else
    line += "null";
}

namespace {

using ResultJson = nlohmann::json;

constexpr std::size_t check_length = 16;
constexpr std::string_view check_begin = R"(,"check":")";
constexpr std::string_view check_end = R"("})";
constexpr std::size_t tail_length = check_begin.size() + check_length + check_end.size();

std::string check_of(std::string_view before) {
  return sha256_hex(before).substr(0, check_length);
}

void refuse_what_is_no_result(const PointResult& result) {
  const bool failed = result.status == PointStatus::failed;
  if (result.status == PointStatus::missing) throw std::logic_error("a missing point has no result to write");
  if (failed && !(result.answer.metrics.empty() && result.answer.words.empty() && result.answer.replications == 0))
    throw std::logic_error("a failed point has no answer to write");
  if (failed == result.failure.empty()) throw std::logic_error("a failure is written with its kind, an answer without");
  if (!failed && result.answer.precision_reached != (result.status == PointStatus::answered))
    throw std::logic_error("a point is imprecise where its precision was not reached");
}

void add_answer(std::string& text, const PointAnswer& answer) {
  text += R"(,"replications":)" + std::to_string(answer.replications) + R"(,"metrics":[)";
  for (const SweepMetric& metric : answer.metrics) {
    text += text.back() == '[' ? "[" : ",[";
    add_json_text(text, metric.stem);
    text += ',';
    add_json_text(text, metric.unit);
    text += ',';
    add_json_number(text, metric.mean, metric.stem);
    for (const std::optional<double>& bound : {metric.low, metric.high}) {
      if (!metric.low && !metric.high) continue;
      text += ',';
      add_json_number(text, bound, metric.stem);
    }
    text += ']';
  }
  text += R"(],"words":[)";
  for (const SweepWord& word : answer.words) {
    text += text.back() == '[' ? "[" : ",[";
    add_json_text(text, word.name);
    text += ',';
    add_json_text(text, word.word);
    text += ']';
  }
  text += ']';
}

bool read_text(const ResultJson& part, std::string& text) {
  if (!part.is_string()) return false;
  text = part.get_ref<const std::string&>();
  return true;
}

bool read_number(const ResultJson& part, double& number) {
  if (!part.is_number()) return false;
  number = part.get<double>();
  return std::isfinite(number);
}

bool read_bound(const ResultJson& part, std::optional<double>& bound) {
  return part.is_null() || read_number(part, bound.emplace());
}

bool read_metric(const ResultJson& part, SweepMetric& metric) {
  if (!part.is_array() || (part.size() != 3 && part.size() != 5)) return false;
  const bool sound =
      read_text(part[0], metric.stem) && read_text(part[1], metric.unit) && read_number(part[2], metric.mean);
  return sound && (part.size() == 3 || (read_bound(part[3], metric.low) && read_bound(part[4], metric.high)));
}

bool read_word(const ResultJson& part, SweepWord& word) {
  return part.is_array() && part.size() == 2 && read_text(part[0], word.name) && read_text(part[1], word.word);
}

template <class Item>
bool read_list(const ResultJson& part, std::vector<Item>& items, bool (*read_item)(const ResultJson&, Item&)) {
  if (!part.is_array()) return false;
  items.resize(part.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!read_item(part[i], items[i])) return false;
  }
  return true;
}

bool has_keys(const ResultJson& object, std::initializer_list<const char*> keys) {
  if (!object.is_object() || object.size() != keys.size()) return false;
  return std::all_of(keys.begin(), keys.end(), [&](const char* key) { return object.contains(key); });
}

bool read_answer(const ResultJson& part, PointAnswer& answer) {
  if (!has_keys(part, {"status", "replications", "metrics", "words"})) return false;
  const ResultJson& replications = part["replications"];
  if (!replications.is_number_unsigned() || replications.get<std::uint64_t>() > UINT32_MAX) return false;
  answer.replications = replications.get<std::uint32_t>();
  return read_list(part["metrics"], answer.metrics, read_metric) && read_list(part["words"], answer.words, read_word);
}

bool read_result(const ResultJson& part, PointResult& result) {
  std::string status;
  if (!part.is_object() || !part.contains("status") || !read_text(part["status"], status)) return false;
  if (status == name_of(PointStatus::failed)) {
    result.status = PointStatus::failed;
    return has_keys(part, {"status", "failure", "reason"}) && read_text(part["failure"], result.failure) &&
           !result.failure.empty() && read_text(part["reason"], result.reason);
  }
  result.answer.precision_reached = status == name_of(PointStatus::answered);
  if (!result.answer.precision_reached && status != name_of(PointStatus::imprecise)) return false;
  result.status = result.answer.precision_reached ? PointStatus::answered : PointStatus::imprecise;
  return read_answer(part, result.answer);
}

}  // namespace

std::string result_text(const PointResult& result) {
  refuse_what_is_no_result(result);
  std::string text = std::string(R"({"status":")") + name_of(result.status) + '"';
  if (result.status == PointStatus::failed) {
    text += R"(,"failure":)";
    add_json_text(text, result.failure);
    text += R"(,"reason":)";
    add_json_text(text, result.reason);
  } else {
    add_answer(text, result.answer);
  }
  return text + '}';
}

std::string result_line(const std::string& id, const PointResult& result) {
  std::string line = R"({"id":)";
  add_json_text(line, id);
  line += R"(,"result":)" + result_text(result);
  const std::string check = check_of(line);
  line.append(check_begin).append(check).append(check_end);
  if (line.size() > longest_result_line)
    throw std::logic_error("the result of point " + id + " is too long to be read");
  return line + '\n';
}

std::optional<IdentifiedResult> parse_result_line(std::string_view line) {
  if (line.size() <= tail_length || line.size() > longest_result_line) return {};
  const std::string_view before = line.substr(0, line.size() - tail_length);
  const std::string_view tail = line.substr(before.size());
  if (!tail.starts_with(check_begin) || !tail.ends_with(check_end)) return {};
  if (tail.substr(check_begin.size(), check_length) != check_of(before)) return {};

  const ResultJson json = ResultJson::parse(line.begin(), line.end(), nullptr, false);
  IdentifiedResult read;
  if (json.is_discarded() || !has_keys(json, {"id", "result", "check"})) return {};
  if (!read_text(json["id"], read.id) || !read_result(json["result"], read.result)) return {};
  return read;
}

std::filesystem::path made_results_folder(const std::filesystem::path& folder) {
  std::filesystem::path results = folder / "results";
  std::error_code failed;
  std::filesystem::create_directories(results, failed);
  std::error_code no_folder;
  if (!failed && !std::filesystem::is_directory(results, no_folder))
    failed = std::make_error_code(std::errc::not_a_directory);
  if (failed) throw InputError({not_written(results, failed.value())});
  return results;
}

ResultLog::ResultLog(const std::filesystem::path& folder, const std::string& name) {
  const std::filesystem::path results = made_results_folder(folder);
  const NewFile file = make_new_file(results, name, ".jsonl");
  if (file.number < 0) throw InputError({not_written(file.path, file.error)});
  file_ = file.number;
  path_ = file.path;
}

ResultLog::~ResultLog() {
  ::close(file_);
}

void ResultLog::append(const std::string& id, const PointResult& result) {
  std::string line = result_line(id, result);
  if (!ends_with_newline_) line.insert(0, 1, '\n');
  const WrittenBytes written = write_bytes(file_, line);
  if (written.error != 0) {
    take_back(written.count);
    throw InputError({not_written(path_, written.error)});
  }
  size_ += line.size();
  ends_with_newline_ = true;
}

void ResultLog::take_back(std::size_t count) {
  if (count == 0) return;
  if (::ftruncate(file_, static_cast<off_t>(size_)) == 0) return;
  // The piece stays as a torn line of its own.
  size_ += count;
  ends_with_newline_ = false;
}

void ResultLog::flush_to_disk() {
  if (::fsync(file_) != 0) throw InputError({not_written(path_, errno)});
  flush_names(path_.parent_path());
}

namespace {

namespace fs = std::filesystem;

// Links to folders are not followed below results/, so that loops end.
void add_result_files(const fs::path& results, std::vector<fs::path>& files, std::vector<Complaint>& complaints) {
  std::error_code failed;
  if (!fs::is_directory(results, failed)) return;
  fs::recursive_directory_iterator entry(results, failed);
  while (!failed && entry != fs::recursive_directory_iterator()) {
    std::error_code no_file;
    if (entry->path().extension() == ".jsonl" && entry->is_regular_file(no_file)) files.push_back(entry->path());
    entry.increment(failed);
  }
  if (failed) complaints.push_back(not_read(results, failed.value()));
}

void keep_each_file_once(std::vector<fs::path>& files) {
  std::set<std::tuple<dev_t, ino_t, off_t>> seen;
  std::erase_if(files, [&](const fs::path& file) {
    struct stat facts {};
    return ::stat(file.c_str(), &facts) == 0 && !seen.insert({facts.st_dev, facts.st_ino, facts.st_size}).second;
  });
}

}  // namespace

std::vector<fs::path> result_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::vector<Complaint> complaints;
  add_result_files(folder / "results", files, complaints);
  std::error_code failed;
  fs::directory_iterator entry(folder, failed);
  while (!failed && entry != fs::directory_iterator()) {
    std::error_code no_folder;
    if (entry->is_directory(no_folder)) add_result_files(entry->path() / "results", files, complaints);
    entry.increment(failed);
  }
  if (failed && failed != std::errc::no_such_file_or_directory) complaints.push_back(not_read(folder, failed.value()));
  if (!complaints.empty()) throw InputError(std::move(complaints));
  std::sort(files.begin(), files.end());
  keep_each_file_once(files);
  return files;
}

namespace {

// What the machine did to a point says nothing of the point: every other result replaces it.
bool says_nothing(const PointResult& result) {
  return result.status == PointStatus::failed && is_of_machine(result.failure);
}

class ResultsByPoint {
 public:
  explicit ResultsByPoint(ReadResults& read) : read_(read) {}

  void take(IdentifiedResult found, const std::filesystem::path& file) {
    const auto [place, is_new] = read_.by_id.try_emplace(std::move(found.id), std::move(found.result));
    PointResult& kept = place->second;
    if (is_new)
      file_of_[&kept] = &file;
    else if (!decided_by_kind(kept, found.result, file))
      compare(place->first, kept, found.result, file);
  }

 private:
  bool decided_by_kind(PointResult& kept, PointResult& other, const std::filesystem::path& file) {
    if (says_nothing(other) && !says_nothing(kept)) return true;
    if (!says_nothing(kept)) return false;
    // Of two failures of the machine the choice must not depend on which was read first.
    if (!says_nothing(other) || result_text(other) < result_text(kept)) {
      kept = std::move(other);
      file_of_[&kept] = &file;
    }
    return true;
  }

  void compare(const std::string& id, const PointResult& kept, const PointResult& other,
               const std::filesystem::path& file) {
    if (result_text(kept) == result_text(other)) return;
    read_.conflicts.push_back({.id = id, .first = *file_of_[&kept], .second = file});
  }

  ReadResults& read_;
  // Nodes of a map stay where they are.
  std::unordered_map<const PointResult*, const std::filesystem::path*> file_of_{};
};

}  // namespace

ReadResults read_results(const std::filesystem::path& folder, const std::string& beginning) {
  ReadResults read;
  ResultsByPoint results(read);
  std::vector<Complaint> complaints;
  std::vector<std::filesystem::path> files = result_files(folder);
  std::erase_if(files, [&](const auto& file) { return !file.filename().string().starts_with(beginning); });
  for (const std::filesystem::path& file : files) {
    const int error = read_lines(file, longest_result_line, [&](std::string_view line, bool whole) {
      if (whole && line.empty()) return;
      ++read.lines;
      std::optional<IdentifiedResult> found = whole ? parse_result_line(line) : std::nullopt;
      if (found)
        results.take(std::move(*found), file);
      else
        ++read.torn;
    });
    if (error != 0) complaints.push_back(not_read(file, error));
  }
  if (!complaints.empty()) throw InputError(std::move(complaints));
  read.files = files.size();
  return read;
}

bool is_of_machine(const std::string& failure) {
  return failure == "out of time" || failure == "out of memory" || failure == killed_kind;
}

}  // namespace saturn
