#include "calibration/import/ping_text.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "calibration/import/imported_text.hpp"
#include "calibration/import/ping_lines.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"

namespace saturn {

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
  PingReader(const std::string& path, MeasuredFile& file) : complaints_(path, file), file_(file) {}

  void read(std::string_view text) {
    for (const ImportedLine& line : lines_to_import(text)) take(line);
    finish();
    if (file_.round_trips.empty())
      complaints_.refuse("import.no_round_trip", "This output of ping holds no round-trip time that could be used.");
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
    file_.notes.push_back("ping " + (run.peer.empty() ? "on line " + std::to_string(run.first.number) : run.peer) +
                          ": " + text);
  }

  ImportComplaints complaints_;
  MeasuredFile& file_;
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
    complaints_.leave_out(line, 1, "import.torn_line",
                          "This summary of ping's is torn, has no unit, or its mean is not between least and most; "
                          "\"... = 1.1/1.2/1.3/0.1 ms\" is needed.");
  } else if (const std::optional<std::string> failure = ping_fails(line.text)) {
    complaints_.leave_out(line, 1, "import.ping_failed", "ping could not send: \"" + *failure + "\".");
  } else if (line.text.find(" bytes from ") != std::string_view::npos) {
    complaints_.leave_out(line, 1, "import.torn_line",
                          "This answer has no readable sequence number (icmp_seq=1); the line is torn or edited.");
  }
}

void PingReader::take_answer(const ImportedLine& line, const PingAnswer& answer) {
  PingRun& run = run_at(line);
  if (!answer.time_s || *answer.time_s == 0.0 || !answer.damage.empty()) {
    ++run.unread;
    complaints_.leave_out(line, answer.time_column, answer.damage.empty() ? "import.no_time" : "import.damaged_answer",
                          answer.damage.empty()
                              ? "This answer has no usable time; \"time=11.8 ms\", above 0, is needed (packets below "
                                "16 bytes carry none)."
                              : "This answer came damaged: " + answer.damage + "; its time is not used.");
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
    note(run, "the summary counts " + counted_noun(run.counts->received + run.counts->duplicates, "answer") +
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
    complaints_.leave_out(run.first, 1, "import.duplicates",
                          "Every answer here is marked as a duplicate (" + counted_noun(run.duplicates, "answer") +
                              "), so that no round trip is known: the first answers are missing. Import the whole "
                              "output.");
    return;
  }
  if (run.values.empty() && !run.summary) {
    const std::string peer = run.peer.empty() ? "the host" : run.peer;
    if (sent > 0 && (!run.counts || run.counts->received == 0) && run.unread == 0)
      complaints_.leave_out(run.first, 1, "import.all_lost",
                            "No answer of " + peer + " to " + counted_noun(sent, "packet") +
                                ": a round-trip time needs answers. Many sites drop ping's packets; measure the time "
                                "of a TCP connection instead, or ping another host at that site.");
    else
      complaints_.leave_out(run.first, 1, "import.no_round_trip", "This run of ping shows no round-trip time.");
    return;
  }
  // Answers of many hosts to one packet say nothing about the way to one of them.
  constexpr std::size_t tolerated = 10;
  if (run.values.empty() && run.counts && run.counts->duplicates * tolerated > run.counts->received) {
    complaints_.leave_out(run.first, 1, "import.duplicates",
                          "The summary's mean is over " + counted_noun(run.counts->duplicates, "duplicate") +
                              " as well, and no single answers stand here; it is not used. Import the whole output.");
    return;
  }
  note_hosts(run);
  note_summary(run);
  keep(run, sent);
}

void PingReader::keep(const PingRun& run, std::size_t sent) {
  RoundTrips trips{.at = complaints_.at(run.first), .peer = run.peer, .values_s = run.values};
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
      note(run, "the summary's mean and spread are over " + counted_noun(trips.duplicates, "duplicate") + " as well.");
  }
  file_.round_trips.push_back(std::move(trips));
}

}  // namespace

bool recognises_ping(std::string_view text) {
  for (const ImportedLine& line : lines_to_import(beginning_of(text)))
    if (ping_answer(line.text) || ping_begins(line.text) || ping_statistics(line.text) || ping_fails(line.text) ||
        ping_counts(line.text))
      return true;
  return false;
}

void read_ping(std::string_view text, const std::string& path, MeasuredFile& file) {
  PingReader(path, file).read(text);
}

}  // namespace saturn
