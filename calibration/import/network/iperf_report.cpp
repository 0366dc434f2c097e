#include <algorithm>
#include <cmath>
#include <utility>

#include "calibration/import/json_report.hpp"
#include "calibration/import/read_measured_file.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

constexpr double bits_per_byte = 8.0;

struct Interval {
  const Node* node = nullptr;
  double seconds = 0.0;
  double bytes_per_s = 0.0;
};

class IperfReader {
 public:
  explicit IperfReader(JsonReport& report) : report_(report) {}

  void read();

 private:
  void refuse_error();
  void read_setting();
  void read_intervals();
  void read_interval(const Node& node);
  void drop_short_intervals();
  void read_mean();
  std::optional<double> received_bytes_per_s() const;
  std::optional<double> interval_bytes_per_s() const;
  void note_stalls();
  void note_contradiction();
  void note(const std::string& text) { report_.import().note("iperf3: " + text); }

  JsonReport& report_;
  Throughputs result_{};
  std::vector<Interval> intervals_{};
  std::size_t omitted_ = 0;
  bool udp_ = false;
};

void IperfReader::refuse_error() {
  const Node* error = report_.root().find("error");
  if (error == nullptr) return;
  report_.refuse(*error, "import.iperf_error",
                 "iperf3 ended with an error, " + shown(*error) + "; a test that ran to its end is needed.");
}

void IperfReader::read_setting() {
  const Node& root = report_.root();
  const Node* setting = json_at(root, {"start", "test_start"});
  result_.at = report_.at(root);
  result_.peer = json_words(json_at(root, {"start", "connecting_to", "host"}));
  if (result_.peer.empty()) result_.peer = json_words(json_at(root, {"start", "accepted_connection", "host"}));
  if (setting == nullptr) return;
  udp_ = json_words(setting->find("protocol")) == "UDP";
  result_.reverse = json_holds(setting->find("reverse"));
  constexpr double most_streams = 1e6;
  const double streams = json_figure(setting->find("num_streams")).value_or(1.0);
  result_.streams = static_cast<std::size_t>(std::clamp(streams, 1.0, most_streams));
  if (json_holds(setting->find("bidir")))
    note("the test ran both ways at once; only the direction of \"sum\" is read.");
}

void IperfReader::read_interval(const Node& node) {
  const Node* sum = node.find("sum");
  if (sum == nullptr) {
    report_.leave_out(node, "import.no_interval_sum", "This interval has no \"sum\" over its streams; it is not used.");
    return;
  }
  if (json_holds(sum->find("omitted"))) {
    ++omitted_;
    return;
  }
  const std::optional<double> seconds = json_figure(sum->find("seconds"));
  const std::optional<double> bytes = json_figure(sum->find("bytes"));
  if (!seconds || *seconds == 0.0 || !bytes || !is_measurable(*bytes / *seconds)) {
    report_.leave_out(*sum, "import.torn_interval",
                      "This interval has no usable \"seconds\" (above 0) and \"bytes\" (0 or more); it is not used.");
    return;
  }
  intervals_.push_back({.node = sum, .seconds = *seconds, .bytes_per_s = *bytes / *seconds});
}

// iperf3 closes a test with an interval of microseconds, whose rate means nothing.
void IperfReader::drop_short_intervals() {
  double longest = 0.0;
  for (const Interval& interval : intervals_) longest = std::max(longest, interval.seconds);
  constexpr double short_part = 0.1;
  for (const Interval& interval : intervals_) {
    if (interval.seconds < short_part * longest)
      report_.leave_out(*interval.node, "import.short_interval",
                        "This interval lasts " + significant(interval.seconds, 6) +
                            " s, below a tenth of the others (" + significant(longest, 6) +
                            " s); its rate is not used.");
  }
  std::erase_if(intervals_, [&](const Interval& interval) { return interval.seconds < short_part * longest; });
}

void IperfReader::read_intervals() {
  const Node* intervals = report_.root().find("intervals");
  if (intervals == nullptr || intervals->kind != NodeKind::list) return;
  for (const Node& node : intervals->children) read_interval(node);
  drop_short_intervals();
  for (const Interval& interval : intervals_) result_.values_bytes_per_s.push_back(interval.bytes_per_s);
  if (omitted_ > 0)
    note(counted(omitted_, "interval") + " of the start-up left out, as iperf3 marks " +
         (omitted_ == 1 ? "it" : "them") + ".");
}

// What arrived, not what was sent. An older report of UDP has one sum, of what was sent, and the part that was lost.
std::optional<double> IperfReader::received_bytes_per_s() const {
  const Node* end = report_.root().find("end");
  if (end == nullptr) return std::nullopt;
  for (const std::string_view key : {"sum_received", "sum_sent"}) {
    if (udp_ && key == "sum_sent") continue;
    const double bits = json_figure(json_at(*end, {key, "bits_per_second"})).value_or(0.0);
    if (bits > 0.0) return bits / bits_per_byte;
  }
  const std::optional<double> sum = json_figure(json_at(*end, {"sum", "bits_per_second"}));
  const double lost_percent = json_figure(json_at(*end, {"sum", "lost_percent"})).value_or(0.0);
  if (!sum || lost_percent >= 100.0) return std::nullopt;
  return *sum * (1.0 - lost_percent / 100.0) / bits_per_byte;
}

std::optional<double> IperfReader::interval_bytes_per_s() const {
  double bytes = 0.0;
  double seconds = 0.0;
  for (const Interval& interval : intervals_) {
    bytes += interval.bytes_per_s * interval.seconds;
    seconds += interval.seconds;
  }
  return seconds > 0.0 ? std::optional(bytes / seconds) : std::nullopt;
}

void IperfReader::read_mean() {
  if (const std::optional<double> received = received_bytes_per_s()) {
    result_.mean_bytes_per_s = *received;
  } else if (const std::optional<double> mean = interval_bytes_per_s()) {
    result_.mean_bytes_per_s = *mean;
    note("the report has no sum at its end; the mean is that of the intervals.");
  }
}

void IperfReader::note_stalls() {
  const auto& values = result_.values_bytes_per_s;
  const auto stalls = static_cast<std::size_t>(std::count(values.begin(), values.end(), 0.0));
  if (stalls > 0)
    note("nothing went through in " + std::to_string(stalls) + " of " + counted(values.size(), "interval") +
         "; they count, as zeros.");
  if (udp_)
    note(
        "UDP sends at the rate that was asked for (-b, 1 Mbit/s unless given): without losses this is no limit of "
        "the network's. Measure with TCP.");
}

void IperfReader::note_contradiction() {
  const std::optional<double> mean = interval_bytes_per_s();
  if (!mean) return;
  // Buffers at the sender hold a few per cent of a short test.
  constexpr double allowed = 0.1;
  if (std::abs(*mean - result_.mean_bytes_per_s) > allowed * std::max(*mean, result_.mean_bytes_per_s))
    note("the intervals' mean, " + significant(*mean, 6) + " B/s, and the sum at the end, " +
         significant(result_.mean_bytes_per_s, 6) + " B/s, differ by more than a tenth.");
}

void IperfReader::read() {
  refuse_error();
  read_setting();
  read_intervals();
  read_mean();
  if (result_.mean_bytes_per_s <= 0.0 || !is_measurable(result_.mean_bytes_per_s))
    report_.import().refuse("import.no_throughput",
                            "This report of iperf3 holds no throughput above 0: neither its end's sum_received or "
                            "sum_sent nor its intervals.");
  note_stalls();
  note_contradiction();
  report_.import().file().throughputs.push_back(std::move(result_));
}

bool recognises_iperf(std::string_view text) {
  return begins_as_object(text) && (holds_one(text, {"\"iperf 3", "\"test_start\""}) ||
                                    (holds(text, "\"intervals\"") && holds(text, "\"bits_per_second\"")));
}

void read_iperf(Import& import) {
  JsonReport report(import,
                    " Import the whole report of one `iperf3 -J` (not --json-stream), each test in a file of its own.");
  IperfReader(report).read();
}

}  // namespace

ImportFormat iperf_json() {
  return {.name = "iperf3 JSON",
          .looks_like = "what `iperf3 -J` writes, with \"start\", \"intervals\" and \"end\"",
          .recognises = recognises_iperf,
          .read = read_iperf};
}

}  // namespace saturn
