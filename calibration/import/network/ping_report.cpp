#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "calibration/import/import_kit.hpp"
#include "calibration/import/read_measured_file.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"

namespace saturn {

// Single lines of ping's output, of Linux (iputils, BusyBox) and macOS.

/// "64 bytes from host (address): icmp_seq=1 ttl=59 time=24.4 ms (DUP!)".
struct PingAnswer {
  std::string host{};  ///< address where one stands there
  std::size_t sequence = 0;
  std::optional<double> time_s{};  ///< absent: none on the line, or not readable
  double resolution_s = 0.0;       ///< one unit of the last printed digit
  bool duplicate = false;          ///< marked "(DUP!)"
  std::string damage{};            ///< "(BAD CHECKSUM!)" and the like, as it stands there
  std::size_t time_column = 1;     ///< of the time, or of the line's end [byte]
};

/// "2 packets transmitted, 2 received, +19 duplicates, 0% packet loss".
struct PingCounts {
  std::size_t sent = 0;
  std::size_t received = 0;
  std::size_t duplicates = 0;
};

/// "rtt min/avg/max/mdev = 0.038/0.047/0.080/0.011 ms".
struct PingSummary {
  double mean_s = 0.0;
  std::optional<double> sd_s{};
  double resolution_s = 0.0;  ///< one unit of the last printed digit
};

namespace {

constexpr auto npos = std::string_view::npos;

std::optional<double> unit_in_seconds(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, double>, 6> units{
      {{"ms", 1e-3}, {"msec", 1e-3}, {"us", 1e-6}, {"usec", 1e-6}, {"s", 1.0}, {"sec", 1.0}}};
  for (const auto& [name, seconds] : units)
    if (name == unit) return seconds;
  return std::nullopt;
}

// One unit of the last digit of a decimal number.
double last_digit(std::string_view number) {
  const std::size_t point = number.find('.');
  return point == npos ? 1.0 : std::pow(10.0, -static_cast<double>(number.size() - point - 1));
}

std::optional<double> measurable(std::string_view number, double unit_s) {
  const std::optional<double> value = imported_number(number);
  if (!value || *value < 0.0 || !is_measurable(*value * unit_s)) return std::nullopt;
  return *value * unit_s;
}

// The sequence number behind "seq=", "req=" or "icmp_seq "; where its digits begin is returned through `line`.
std::optional<std::size_t> sequence_in(std::string_view line) {
  for (const std::string_view key : {"seq=", "icmp_req=", "icmp_seq "}) {
    const std::size_t found = line.find(key);
    if (found == npos) continue;
    std::string_view rest = line.substr(found + key.size());
    return take_count(rest);
  }
  return std::nullopt;
}

// Linux prints "name (address)" for a name, and the address alone for an address.
std::string host_in(std::string_view between) {
  while (!between.empty() && (between.back() == ':' || between.back() == ',')) between.remove_suffix(1);
  const std::size_t open = between.rfind('(');
  if (open != npos && between.ends_with(')')) between = between.substr(open + 1, between.size() - open - 2);
  return std::string(trimmed(between, " \t"));
}

void read_time(std::string_view line, PingAnswer& answer) {
  const std::size_t key = line.find("time=");
  answer.time_column = key == npos ? line.size() + 1 : key + 1;
  if (key == npos) return;
  const std::vector<std::string_view> words = words_of_line(line.substr(key + 5));
  if (words.size() < 2) return;
  const std::optional<double> unit_s = unit_in_seconds(words[1]);
  if (!unit_s) return;
  answer.time_s = measurable(words[0], *unit_s);
  answer.resolution_s = last_digit(words[0]) * *unit_s;
}

}  // namespace

/// Nothing when the line is none of the kind, or, of a summary, when its mean is not between least and most.
std::optional<PingAnswer> ping_answer(std::string_view line) {
  constexpr std::string_view from = " bytes from ";
  const std::size_t found = line.find(from);
  if (found == npos || found == 0 || line[found - 1] < '0' || line[found - 1] > '9') return std::nullopt;
  const std::string_view rest = line.substr(found + from.size());
  const std::size_t key = std::min({rest.find(" icmp_seq="), rest.find(" seq="), rest.find(" icmp_req=")});
  const std::optional<std::size_t> sequence = key == npos ? std::nullopt : sequence_in(rest.substr(key));
  if (!sequence) return std::nullopt;
  PingAnswer answer{.host = host_in(rest.substr(0, key)), .sequence = *sequence};
  answer.duplicate = rest.find("(DUP!)") != npos;
  for (const std::string_view mark : {"(BAD CHECKSUM!)", "(DIFFERENT ADDRESS!)", "(truncated)"})
    if (rest.find(mark) != npos) answer.damage = mark;
  read_time(line, answer);
  return answer;
}

std::optional<PingCounts> ping_counts(std::string_view line) {
  const std::size_t key = line.find(" packets transmitted");
  if (key == npos) return std::nullopt;
  PingCounts counts;
  std::optional<std::size_t> received;
  std::optional<std::size_t> sent;
  for (const std::string_view part : split_at(line, ',')) {
    const std::vector<std::string_view> words = words_of_line(part);
    if (words.size() < 2) continue;
    const std::string_view number = words[0].starts_with('+') ? words[0].substr(1) : words[0];
    const std::optional<std::size_t> count = imported_count(number);
    if (!count) continue;
    if (words.back() == "transmitted") sent = count;
    if (words.back() == "received") received = count;
    if (words.back() == "duplicates") counts.duplicates = *count;
  }
  if (!sent || !received) return std::nullopt;
  counts.sent = *sent;
  counts.received = *received;
  return counts;
}

std::optional<PingSummary> ping_summary(std::string_view line) {
  const std::size_t names_at = line.find("min/avg/max");
  const std::size_t equals = line.find('=');
  if (names_at == npos || equals == npos || equals < names_at) return std::nullopt;
  const std::vector<std::string_view> words = words_of_line(line.substr(equals + 1));
  if (words.size() < 2) return std::nullopt;
  std::string_view unit = words[1];
  if (unit.ends_with(',')) unit.remove_suffix(1);
  const std::optional<double> unit_s = unit_in_seconds(unit);
  const std::vector<std::string_view> numbers = split_at(words[0], '/');
  const std::string_view names = trimmed(line.substr(names_at, equals - names_at), " \t");
  const auto wanted = static_cast<std::size_t>(std::count(names.begin(), names.end(), '/')) + 1;
  if (!unit_s || numbers.size() != wanted || numbers.back().empty()) return std::nullopt;
  const std::optional<double> mean = measurable(numbers[1], *unit_s);
  const std::optional<double> least = measurable(numbers[0], *unit_s);
  const std::optional<double> most = measurable(numbers[2], *unit_s);
  if (!mean || *mean == 0.0 || !least || !most || *mean < *least || *mean > *most) return std::nullopt;
  PingSummary summary{.mean_s = *mean, .resolution_s = last_digit(numbers[1]) * *unit_s};
  if (numbers.size() > 3) summary.sd_s = measurable(numbers[3], *unit_s);
  return summary;
}

/// The packet that a line says is without an answer: "no answer yet for icmp_seq=5", "Request timeout for icmp_seq 3",
/// "From 192.0.2.1 icmp_seq=2 Destination Host Unreachable".
std::optional<std::size_t> ping_without_answer(std::string_view line) {
  const bool unanswered = holds_one(line, {"no answer yet for ", "Request timeout for ", " Unreachable", " unreachable",
                                           "Time to live exceeded", " Prohibited", " prohibited", "Packet filtered"});
  return unanswered ? sequence_in(line) : std::nullopt;
}

/// The host of "PING host (address) 56(84) bytes of data."
std::optional<std::string> ping_begins(std::string_view line) {
  const std::string_view clean = trimmed(line, " \t");
  const bool data =
      clean.find("data bytes") != npos || clean.find("bytes of data") != npos || clean.find(" --> ") != npos;
  const std::size_t host = clean.find(' ');
  if (!clean.starts_with("PING") || !data || host == npos) return std::nullopt;
  const std::vector<std::string_view> words = words_of_line(clean.substr(host));
  if (words.empty()) return std::nullopt;
  return host_in(words.front());
}

/// The host of "--- host ping statistics ---".
std::optional<std::string> ping_statistics(std::string_view line) {
  const std::string_view clean = trimmed(line, " \t");
  const std::size_t end = clean.find(" ping statistics ---");
  const std::size_t end6 = clean.find(" ping6 statistics ---");
  const std::size_t last = std::min(end, end6);
  if (!clean.starts_with("--- ") || last == npos || last < 4) return std::nullopt;
  return std::string(trimmed(clean.substr(4, last - 4), " \t"));
}

/// What ping says about a name that it cannot find: "ping: nohost: Name or service not known".
std::optional<std::string> ping_fails(std::string_view line) {
  const std::string_view clean = trimmed(line, " \t");
  if (!clean.starts_with("ping: ") && !clean.starts_with("ping6: ")) return std::nullopt;
  const bool known = holds_one(clean, {"Name or service not known", "unknown host", "cannot resolve", "bad address",
                                       "Temporary failure in name resolution", "Network is unreachable",
                                       "Operation not permitted", "permission denied"});
  return known ? std::optional(std::string(clean)) : std::nullopt;
}

namespace {

// One run of ping: from its first line to the next run's.
struct PingRun {
  ImportedLine first{};
  std::string peer{};
  std::set<std::size_t> packets{};             // every one that a line speaks of
  std::set<std::size_t> answered{};            // those with a first answer
  std::map<std::string, std::size_t> hosts{};  // and to how many packets each was first
  std::set<std::string> repliers{};
  std::vector<double> values{};     // first answers
  std::vector<double> all_times{};  // duplicates as well: ping's summary is over these
  double printed_error_s = 0.0;     // sum over all_times of one unit of the last printed digit
  std::size_t duplicates = 0;
  std::size_t unread = 0;  // answers without a time that could be used
  std::optional<PingCounts> counts{};
  std::optional<PingSummary> summary{};
  bool closed = false;  // its statistics have begun
  std::size_t epoch = 0;
  std::size_t highest = 0;
};

class PingReader {
 public:
  explicit PingReader(Import& import) : import_(import) {}

  void read() {
    for (const ImportedLine& line : lines_to_import(import_.text())) take(line);
    finish();
    if (import_.file().round_trips.empty())
      import_.refuse("import.no_round_trip", "This output of ping holds no round-trip time that could be used.");
  }

 private:
  void take(const ImportedLine& line);
  void take_answer(const ImportedLine& line, const PingAnswer& answer);
  PingRun& run_at(const ImportedLine& line);
  void finish();
  void keep(const PingRun& run, std::size_t sent);
  void note_hosts(const PingRun& run);
  void note_summary(const PingRun& run);
  void note(const PingRun& run, const std::string& text) {
    import_.note("ping " + (run.peer.empty() ? "on line " + std::to_string(run.first.number) : run.peer) + ": " + text);
  }

  Import& import_;
  std::optional<PingRun> run_;
};

PingRun& PingReader::run_at(const ImportedLine& line) {
  if (!run_) run_.emplace().first = line;
  return *run_;
}

void PingReader::take(const ImportedLine& line) {
  if (const std::optional<std::string> host = ping_begins(line.text)) {
    finish();
    run_at(line).peer = *host;
  } else if (const std::optional<std::string> closing = ping_statistics(line.text)) {
    // A second summary, or one of another host, belongs to a run whose beginning is not in the file.
    if (run_ && run_->closed) finish();
    PingRun& run = run_at(line);
    run.closed = true;
    if (run.peer.empty()) run.peer = *closing;
  } else if (const std::optional<PingAnswer> answer = ping_answer(line.text)) {
    if (run_ && run_->closed) finish();
    take_answer(line, *answer);
  } else if (const std::optional<std::size_t> packet = ping_without_answer(line.text)) {
    run_at(line).packets.insert(*packet + run_->epoch);
  } else if (const std::optional<PingCounts> counts = ping_counts(line.text)) {
    run_at(line).counts = counts;
    run_->closed = true;
  } else if (const std::optional<PingSummary> summary = ping_summary(line.text)) {
    run_at(line).summary = summary;
    run_->closed = true;
  } else if (line.text.find("min/avg/max") != std::string_view::npos) {
    import_.leave_out(line, "import.torn_line",
                      "This summary of ping's is torn, has no unit, or its mean is not between least and most; "
                      "\"... = 1.1/1.2/1.3/0.1 ms\" is needed.",
                      1);
  } else if (const std::optional<std::string> failure = ping_fails(line.text)) {
    import_.leave_out(line, "import.ping_failed", "ping could not send: \"" + *failure + "\".", 1);
  } else if (line.text.find(" bytes from ") != std::string_view::npos) {
    import_.leave_out(line, "import.torn_line",
                      "This answer has no readable sequence number (icmp_seq=1); the line is torn or edited.", 1);
  }
}

void PingReader::take_answer(const ImportedLine& line, const PingAnswer& answer) {
  PingRun& run = run_at(line);
  if (!answer.time_s || *answer.time_s == 0.0 || !answer.damage.empty()) {
    ++run.unread;
    import_.leave_out(line, answer.damage.empty() ? "import.no_time" : "import.damaged_answer",
                      answer.damage.empty()
                          ? "This answer has no usable time; \"time=11.8 ms\", above 0, is needed (packets below "
                            "16 bytes carry none)."
                          : "This answer came damaged: " + answer.damage + "; its time is not used.",
                      answer.time_column);
    return;
  }
  // Sequence numbers have 16 bits and begin again after 65,535.
  constexpr std::size_t cycle = 65536;
  if (answer.sequence < cycle && answer.sequence + run.epoch + cycle / 2 < run.highest) run.epoch += cycle;
  const bool late = run.epoch > 0 && answer.sequence > cycle - cycle / 4 && run.highest < run.epoch + cycle / 4;
  const std::size_t packet = answer.sequence + run.epoch - (late ? cycle : 0);
  run.highest = std::max(run.highest, packet);
  run.packets.insert(packet);
  run.repliers.insert(answer.host);
  run.all_times.push_back(*answer.time_s);
  run.printed_error_s += answer.resolution_s;
  if (answer.duplicate || !run.answered.insert(packet).second) {
    ++run.duplicates;
    return;
  }
  run.values.push_back(*answer.time_s);
  ++run.hosts[answer.host];
}

void PingReader::note_hosts(const PingRun& run) {
  if (run.repliers.size() < 2) return;
  const auto nearest = std::max_element(run.hosts.begin(), run.hosts.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
  note(run, std::to_string(run.repliers.size()) +
                " hosts answered, as to a broadcast. Only the first answer to each packet counts, so these are round "
                "trips to the nearest host (" +
                nearest->first + " in " + std::to_string(nearest->second) + " of " + std::to_string(run.values.size()) +
                "), not to a server of one's choice.");
}

void PingReader::note_summary(const PingRun& run) {
  if (run.counts && run.counts->received > run.counts->sent)
    note(run, "the summary counts more packets received (" + std::to_string(run.counts->received) + ") than sent (" +
                  std::to_string(run.counts->sent) + ").");
  if (run.values.empty()) return;
  const std::size_t seen = run.all_times.size() + run.unread;
  if (run.counts && seen != run.counts->received + run.counts->duplicates) {
    note(run, "the summary counts " + counted(run.counts->received + run.counts->duplicates, "answer") +
                  ", but lines of " + std::to_string(seen) + " stand here; the lines are used.");
    return;
  }
  if (!run.summary || run.unread > 0) return;
  double sum = 0.0;
  for (const double time : run.all_times) sum += time;
  const auto count = static_cast<double>(run.all_times.size());
  const double mean = sum / count;
  // iputils cuts digits off where others round: one unit of the last digit on either side covers both.
  const double allowed = 1.01 * (run.printed_error_s / count + run.summary->resolution_s);
  if (std::abs(mean - run.summary->mean_s) > allowed)
    note(run, "the summary's mean, " + significant(run.summary->mean_s * 1e3, 6) +
                  " ms, contradicts that of the lines, " + significant(mean * 1e3, 6) + " ms; the lines are used.");
}

void PingReader::finish() {
  if (!run_) return;
  const PingRun run = std::move(*run_);
  run_.reset();
  const std::size_t sent = run.counts ? run.counts->sent : run.packets.size();
  if (run.values.empty() && run.duplicates > 0) {
    import_.leave_out(run.first, "import.duplicates",
                      "Every answer here is marked as a duplicate (" + counted(run.duplicates, "answer") +
                          "), so that no round trip is known: the first answers are missing. Import the whole "
                          "output.",
                      1);
    return;
  }
  if (run.values.empty() && !run.summary) {
    const std::string peer = run.peer.empty() ? "the host" : run.peer;
    if (sent > 0 && (!run.counts || run.counts->received == 0) && run.unread == 0)
      import_.leave_out(run.first, "import.all_lost",
                        "No answer of " + peer + " to " + counted(sent, "packet") +
                            ": a round-trip time needs answers. Many sites drop ping's packets; measure the time "
                            "of a TCP connection instead, or ping another host at that site.",
                        1);
    else
      import_.leave_out(run.first, "import.no_round_trip", "This run of ping shows no round-trip time.", 1);
    return;
  }
  // Answers of many hosts to one packet say nothing about the way to one of them.
  constexpr std::size_t tolerated = 10;
  if (run.values.empty() && run.counts && run.counts->duplicates * tolerated > run.counts->received) {
    import_.leave_out(run.first, "import.duplicates",
                      "The summary's mean is over " + counted(run.counts->duplicates, "duplicate") +
                          " as well, and no single answers stand here; it is not used. Import the whole output.",
                      1);
    return;
  }
  note_hosts(run);
  note_summary(run);
  keep(run, sent);
}

void PingReader::keep(const PingRun& run, std::size_t sent) {
  RoundTrips trips{.at = import_.at(run.first), .peer = run.peer, .values_s = run.values};
  if (trips.peer.empty() && run.repliers.size() == 1) trips.peer = *run.repliers.begin();
  if (run.summary && (run.values.empty() || run.duplicates == 0)) {
    trips.mean_s = run.summary->mean_s;
    trips.sd_s = run.summary->sd_s;
  }
  trips.sent = std::max(sent, run.answered.size());
  trips.lost = run.counts ? sent - std::min(sent, run.counts->received) : run.packets.size() - run.answered.size();
  trips.duplicates = run.values.empty() && run.counts ? run.counts->duplicates : run.duplicates;
  if (!run.counts) note(run, "there is no summary; what was sent and lost is counted from the lines.");
  if (run.values.empty()) {
    note(run, "there are no single answers; mean and spread are those of the summary.");
    if (trips.duplicates > 0)
      note(run, "the summary's mean and spread are over " + counted(trips.duplicates, "duplicate") + " as well.");
  }
  import_.file().round_trips.push_back(std::move(trips));
}

bool recognises_ping(std::string_view text) {
  return any_line(beginning_of(text), [](const ImportedLine& line) {
    return ping_answer(line.text) || ping_begins(line.text) || ping_statistics(line.text) || ping_fails(line.text) ||
           ping_counts(line.text);
  });
}

void read_ping(Import& import) {
  PingReader(import).read();
}

}  // namespace

ImportFormat ping_output() {
  return {.name = "ping output",
          .looks_like = "lines such as \"64 bytes from host: icmp_seq=1 ttl=59 time=24.4 ms\"",
          .recognises = recognises_ping,
          .read = read_ping};
}

}  // namespace saturn
