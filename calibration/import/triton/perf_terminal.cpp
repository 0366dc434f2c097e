#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "calibration/import/load_points.hpp"
#include "calibration/import/measured_file.hpp"
#include "calibration/import/read_measured_file.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

std::optional<double> leading_number(std::string_view text) {
  text = trimmed(text);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !is_measurable(value)) return std::nullopt;
  return value;
}

// "queue 15854 usec" somewhere in the line; "compute 7 usec" is not found in "compute input 20 usec". A time that was
// cut before its unit may have lost digits.
std::optional<double> part_usec(std::string_view line, std::string_view name) {
  for (std::size_t at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1)) {
    const bool whole_word = at == 0 || line[at - 1] == ' ' || line[at - 1] == '(';
    const std::string_view behind = line.substr(at + name.size());
    if (!whole_word || !behind.starts_with(' ')) continue;
    const std::size_t end = behind.find_first_not_of("0123456789.", 1);
    if (end == 1 || end == std::string_view::npos || !behind.substr(end).starts_with(" usec")) continue;
    return leading_number(behind.substr(1, end - 1));
  }
  return std::nullopt;
}

// "Avg latency: 4311 usec ..."
std::optional<double> usec_behind(std::string_view line, std::string_view text) {
  if (!line.starts_with(text)) return std::nullopt;
  const std::string_view behind = trimmed(line.substr(text.size()));
  const std::size_t end = behind.find_first_not_of("0123456789.");
  if (end == std::string_view::npos || !behind.substr(end).starts_with(" usec")) return std::nullopt;
  return leading_number(behind.substr(0, end));
}

// The number right behind a text, such as 16 in "Request concurrency: 16"; absent when the line does not begin with
// the text, or no number >= 0 follows.
std::optional<double> number_behind(std::string_view line, std::string_view text) {
  if (!line.starts_with(text)) return std::nullopt;
  return leading_number(line.substr(text.size()));
}

// The same, where it has to be above 0.
std::optional<double> positive_behind(std::string_view line, std::string_view text) {
  const auto value = number_behind(line, text);
  return value && *value > 0.0 ? value : std::nullopt;
}

struct PrintedTime {
  const char* text;
  const char* measured;
};

/// Fills a load from the lines under its heading, "Request concurrency: 16": the client's and the server's figures.
class PerfReportReader {
 public:
  /// Takes one line, without margins; what it does not know it passes over.
  void take(std::string_view line, LoadPoint& load);

 private:
  void client(std::string_view line, LoadPoint& load);
  void server(std::string_view line, LoadPoint& load);
  static void put(LoadPoint& load, const char* name, std::optional<double> microseconds) {
    if (microseconds) load.measured.emplace(name, *microseconds * microsecond);
  }

  enum class Part { none, client, server };
  Part part_ = Part::none;
  std::optional<double> inferences_;
  std::optional<double> wait_;  ///< for the response [µs]
};

void PerfReportReader::take(std::string_view line, LoadPoint& load) {
  if (line.starts_with("Client:")) {
    part_ = Part::client;
  } else if (line.starts_with("Server:")) {
    part_ = Part::server;
  } else if (line.starts_with("Composing models:")) {
    part_ = Part::none;  // what follows is of other models
  } else if (part_ == Part::client) {
    client(line, load);
  } else if (part_ == Part::server) {
    server(line, load);
  }
}

void PerfReportReader::client(std::string_view line, LoadPoint& load) {
  if (const auto requests = number_behind(line, "Request count:")) load.requests = requests;
  if (const auto items = positive_behind(line, "Throughput:"); items && line.ends_with("infer/sec"))
    load.items_per_s = *items;
  for (const auto& [text, name] :
       {PrintedTime{"Avg latency:", "latency_mean_s"}, PrintedTime{"p50 latency:", "latency_p50_s"},
        PrintedTime{"p90 latency:", "latency_p90_s"}, PrintedTime{"p95 latency:", "latency_p95_s"},
        PrintedTime{"p99 latency:", "latency_p99_s"}})
    put(load, name, usec_behind(line, text));
  if (line.starts_with("Avg latency:")) put(load, "latency_sd_s", part_usec(line, "standard deviation"));
  for (const char* protocol : {"Avg HTTP time:", "Avg gRPC time:"}) {
    if (!line.starts_with(protocol)) continue;
    wait_ = part_usec(line, "response wait");
    for (const auto& [text, name] : {PrintedTime{"send", "send_s"}, PrintedTime{"marshal", "send_s"},
                                     PrintedTime{"receive", "receive_s"}, PrintedTime{"unmarshal", "receive_s"}})
      put(load, name, part_usec(line, text));
    // With --percentile no "Avg latency" is printed, and this is the mean that there is.
    put(load, "latency_mean_s", usec_behind(line, protocol));
  }
}

void PerfReportReader::server(std::string_view line, LoadPoint& load) {
  if (const auto items = number_behind(line, "Inference count:")) inferences_ = items;
  if (const auto batches = positive_behind(line, "Execution count:"); batches && inferences_ && *inferences_ > 0.0)
    load.executed_batch = *inferences_ / *batches;
  if (!line.starts_with("Avg request latency:")) return;
  double accounted = 0.0;
  for (const auto& [text, name] :
       {PrintedTime{"queue", "queue_s"}, PrintedTime{"compute input", "compute_input_s"},
        PrintedTime{"compute infer", "compute_infer_s"}, PrintedTime{"compute", "compute_infer_s"},
        PrintedTime{"compute output", "compute_output_s"}}) {
    const auto time = part_usec(line, text);
    put(load, name, time);
    accounted += time.value_or(0.0);
  }
  // As perf_analyzer's own CSV has it: the wait for the response less what the server accounts for, at least zero.
  if (wait_ && load.measured.contains("queue_s") && load.measured.contains("compute_infer_s"))
    put(load, "network_s", std::max(0.0, *wait_ - accounted));
}

// What a command line of perf_analyzer or perf_client says about its measurement.
struct PerfCommand {
  std::string model{};
  std::optional<double> batch{};
  std::optional<int> percentile{};  // that the printed latency is; absent: the mean
};

bool is_program(std::string_view word) {
  word = word.substr(word.find_last_of("/#$>") + 1);
  return word == "perf_analyzer" || word == "perf_client";
}

// The value of an option: "-b 2", "-b=2".
std::optional<std::string_view> value_of(const std::vector<std::string_view>& words, std::size_t at,
                                         std::string_view option) {
  if (words[at] == option) return at + 1 < words.size() ? words[at + 1] : std::string_view();
  if (words[at].starts_with(option) && words[at].substr(option.size()).starts_with('='))
    return words[at].substr(option.size() + 1);
  return std::nullopt;
}

// "$ perf_analyzer -m resnet -b 2 --percentile=95"; nothing when the line is no such command, or only its pattern:
// "-m <model>".
std::optional<PerfCommand> perf_command(std::string_view line) {
  if (line.find("perf_analyzer") == std::string_view::npos && line.find("perf_client") == std::string_view::npos)
    return std::nullopt;
  const auto all = words_of_line(line);
  PerfCommand command;
  bool named = false;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (!named) {
      named = is_program(all[k]);
      continue;
    }
    if (const auto model = value_of(all, k, "-m")) command.model = *model;
    if (const auto batch = value_of(all, k, "-b")) {
      const auto items = plain_number(*batch);
      if (items && *items > 0.0) command.batch = items;
    }
    if (const auto percentile = value_of(all, k, "--percentile")) {
      const auto value = plain_number(*percentile);
      if (value && *value >= 1.0 && *value <= 99.0) command.percentile = static_cast<int>(*value);
    }
  }
  if (command.model.empty() || command.model.front() == '<' || command.model.front() == '$') return std::nullopt;
  return command;
}

// A run has as many as loads, which are tens.
constexpr std::size_t most_blocks = 1000;

/// "Concurrency: 20, throughput: 955.7 infer/sec, latency 4311 usec"
struct SummaryLine {
  LoadPoint load{};
  double latency_s = 0.0;
};

/// What one call of the program printed.
struct PerfRun {
  PerfCommand command{};
  bool latency_named = false;  ///< the text says which latency the summary has
  std::vector<SummaryLine> lines{};
  std::vector<LoadPoint> blocks{};  ///< detailed reports; items_per_s is 0 where it is not known
  bool is_sweep = false;            ///< its loads differ

  bool empty() const { return lines.empty() && blocks.empty(); }
};

bool same_load(const LoadPoint& a, const LoadPoint& b) {
  return a.concurrency == b.concurrency && a.request_rate_per_s == b.request_rate_per_s;
}

// Documents put list marks, quotes and prompts before what was printed.
std::string_view bare(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t*->|`");
  return begin == std::string_view::npos ? std::string_view() : trimmed(line.substr(begin));
}

bool begins_summary(std::string_view line) {
  if (!line.starts_with("Concurrency: ") && !line.starts_with("Request Rate: ")) return false;
  return line.find(',') != std::string_view::npos && line.find("infer") != std::string_view::npos;
}

bool begins_block(std::string_view line) {
  return line.starts_with("Request concurrency: ") ||
         (line.starts_with("Request Rate: ") && line.find("inference requests per second") != std::string_view::npos);
}

bool is_heading(std::string_view line) {
  return line.starts_with("Inferences/Second vs. Client");
}

// The number between a text that may stand there and one that has to; nothing when it is not above 0.
std::optional<double> number_between(std::string_view text, std::string_view before, std::string_view after) {
  text = trimmed(text);
  if (text.starts_with(before)) text.remove_prefix(before.size());
  if (!text.ends_with(after)) return std::nullopt;
  const auto value = plain_number(text.substr(0, text.size() - after.size()));
  return value && *value > 0.0 ? value : std::nullopt;
}

std::optional<SummaryLine> summary_line(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::size_t comma = text.find(',');
  const std::size_t second = text.find(',', comma + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const auto load = number_between(text.substr(colon + 1, comma - colon - 1), "", "");
  const auto items = number_between(text.substr(comma + 1, second - comma - 1), "throughput:", " infer/sec");
  const std::string_view time = trimmed(text.substr(second + 1));
  const auto latency = time.starts_with("latency ") ? number_between(time, "latency ", " usec") : std::nullopt;
  if (!load || !items || !latency) return std::nullopt;
  SummaryLine result{.load = {.items_per_s = *items}, .latency_s = *latency * microsecond};
  (text.starts_with("Request Rate: ") ? result.load.request_rate_per_s : result.load.concurrency) = *load;
  return result;
}

// "Average Batch Latency", "p95 Batch Latency", older "95-th Percentile Batch Latency".
std::optional<int> percentile_of(std::string_view heading) {
  constexpr std::string_view begin{"Inferences/Second vs. Client"};
  const auto old = number_behind(heading, begin);
  std::string_view behind = trimmed(heading.substr(begin.size()));
  const auto value = behind.starts_with('p') ? number_behind(behind, "p") : old;
  if (value && *value >= 1.0 && *value <= 99.0) return static_cast<int>(*value);
  return std::nullopt;
}

bool recognises_perf_terminal(std::string_view text) {
  return any_line(text, [](const ImportedLine& at) {
    const std::string_view line = bare(at.text);
    return begins_summary(line) || begins_block(line) || is_heading(line);
  });
}

class PerfTerminalReader {
 public:
  explicit PerfTerminalReader(Import& import) : import_(import), loads_(import.file().loads) {}

  void read();

 private:
  PerfRun& begin_run();
  void take(std::string_view line, const ImportedLine& at);
  void take_summary(std::string_view line, const ImportedLine& at);
  void add_points(PerfRun& run, const std::string& configuration);
  void add_latency(LoadPoint& point, const PerfRun& run, double latency_s);
  void add_notes();

  Import& import_;
  std::vector<LoadPoint>& loads_;
  std::vector<PerfRun> runs_{1};
  std::optional<PerfReportReader> block_;  // fills the last block of the last run
  std::size_t summaries_ = 0;
  bool mean_assumed_ = false;
  std::set<int> odd_percentiles_;
};

PerfRun& PerfTerminalReader::begin_run() {
  block_.reset();
  if (!runs_.back().empty()) runs_.emplace_back();
  return runs_.back();
}

void PerfTerminalReader::take_summary(std::string_view line, const ImportedLine& at) {
  block_.reset();
  auto summary = summary_line(line);
  if (!summary) {
    import_.leave_out(
        at, "import.torn_line",
        "The line is left out: it has to read \"Concurrency: 4, throughput: 84.2 infer/sec, latency 47045 "
        "usec\" with numbers above 0.");
    return;
  }
  PerfRun& run = runs_.back();
  run.is_sweep = run.is_sweep || (!run.lines.empty() && !same_load(run.lines[0].load, summary->load));
  if (summaries_ == most_load_points) complain_of_many_points(at, import_);
  if (++summaries_ > most_load_points) return;
  summary->load.at = import_.at(at);
  run.lines.push_back(std::move(*summary));
}

void PerfTerminalReader::take(std::string_view line, const ImportedLine& at) {
  if (begins_summary(line)) {
    take_summary(line, at);
  } else if (begins_block(line)) {
    const bool is_rate = line.starts_with("Request Rate");
    const auto load = positive_behind(line, is_rate ? "Request Rate:" : "Request concurrency:");
    block_.reset();
    if (!load || runs_.back().blocks.size() == most_blocks) return;
    LoadPoint& block = runs_.back().blocks.emplace_back(LoadPoint{.at = import_.at(at)});
    (is_rate ? block.request_rate_per_s : block.concurrency) = *load;
    block_.emplace();
  } else if (is_heading(line)) {
    // One sweep has one heading; a single repeated load may have been printed with its heading again and again.
    if (runs_.back().is_sweep) begin_run();
    block_.reset();
    runs_.back().latency_named = true;
    runs_.back().command.percentile = percentile_of(line);
  } else if (line.starts_with("Measurement Settings")) {
    begin_run();
  } else if (const auto batch = number_behind(line, "Batch size:"); batch && runs_.back().empty()) {
    if (*batch > 0.0) runs_.back().command.batch = batch;
  } else if (block_ && (at.ended || line.ends_with(')') || line.ends_with("sec"))) {
    // A number at the torn end of a text may have lost digits.
    block_->take(line, runs_.back().blocks.back());
  }
}

void PerfTerminalReader::add_latency(LoadPoint& point, const PerfRun& run, double latency_s) {
  const auto percentile = run.command.percentile;
  if (!percentile) {
    mean_assumed_ = mean_assumed_ || !run.latency_named;
    point.measured.emplace("latency_mean_s", latency_s);
  } else if (*percentile == 50 || *percentile == 90 || *percentile == 95 || *percentile == 99) {
    point.measured.emplace("latency_p" + std::to_string(*percentile) + "_s", latency_s);
  } else {
    odd_percentiles_.insert(*percentile);
  }
}

void PerfTerminalReader::add_points(PerfRun& run, const std::string& configuration) {
  const auto add = [&](LoadPoint point) {
    point.model = run.command.model;
    point.configuration = configuration;
    point.request_batch = run.command.batch;
    if (run.command.batch) point.batch_from = BatchOrigin::given;
    drop_impossible_latencies(point, import_);
    loads_.push_back(std::move(point));
  };
  std::set<const LoadPoint*> taken;
  for (const SummaryLine& line : run.lines) {
    LoadPoint point = line.load;
    // A load that was measured twice is told apart by its throughput, printed with six digits.
    const auto block = std::find_if(run.blocks.begin(), run.blocks.end(), [&](const LoadPoint& one) {
      return same_load(one, point) && !taken.contains(&one) &&
             (one.items_per_s <= 0.0 || std::abs(one.items_per_s / point.items_per_s - 1.0) <= 1e-3);
    });
    if (block != run.blocks.end()) {
      taken.insert(&*block);
      point.requests = block->requests;
      point.executed_batch = block->executed_batch;
      point.measured = block->measured;
    }
    add_latency(point, run, line.latency_s);
    add(std::move(point));
  }
  for (const LoadPoint& block : run.blocks)
    if (!taken.contains(&block) && block.items_per_s > 0.0) add(block);
}

void PerfTerminalReader::add_notes() {
  if (runs_.size() > 1)
    import_.note("The text holds " + std::to_string(runs_.size()) +
                 " runs; they are kept apart as \"run 1\", \"run 2\" and so on, since their servers may differ.");
  if (mean_assumed_)
    import_.note(
        "The text does not say which latency was printed; perf_analyzer prints the mean unless a percentile is asked "
        "for.");
  for (const int percentile : odd_percentiles_)
    import_.note("The printed latencies are the " + std::to_string(percentile) +
                 "th percentile, which is not used; those used are 50, 90, 95 and 99.");
}

void PerfTerminalReader::read() {
  std::string command_line;
  for (const ImportedLine& line : lines_to_import(import_.text())) {
    // A command goes on behind a backslash.
    command_line += line.text;
    if (command_line.ends_with('\\')) {
      command_line.back() = ' ';
      continue;
    }
    if (const auto command = perf_command(command_line)) {
      PerfRun& run = begin_run();
      run.command = *command;
      run.latency_named = true;
    } else {
      take(bare(line.text), line);
    }
    command_line.clear();
  }
  std::erase_if(runs_, [](const PerfRun& run) { return run.empty(); });
  for (std::size_t k = 0; k < runs_.size(); ++k)
    add_points(runs_[k], runs_.size() > 1 ? "run " + std::to_string(k + 1) : "");
  if (loads_.empty())
    import_.refuse("import.no_load_points",
                   "There is no line with a load and its throughput, such as \"Concurrency: 4, throughput: 84.2 "
                   "infer/sec, latency 47045 usec\".");
  add_notes();
  apply_littles_law(import_.file());
}

void read_perf_terminal(Import& import) {
  PerfTerminalReader(import).read();
}

}  // namespace

ImportFormat perf_analyzer_terminal() {
  return {.name = "perf_analyzer terminal output",
          .looks_like = "lines such as \"Concurrency: 4, throughput: 84.2 infer/sec, latency 47045 usec\"",
          .recognises = recognises_perf_terminal,
          .read = read_perf_terminal};
}

}  // namespace saturn
