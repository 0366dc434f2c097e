#include "calibration/import/ping_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "calibration/import/imported_text.hpp"
#include "models/words/texts.hpp"

namespace saturn {

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
  std::string_view rest = line;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::vector<std::string_view> words = words_of_line(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
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
  std::vector<std::string_view> numbers;
  for (std::string_view rest = words[0]; !rest.empty();) {
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    numbers.push_back(rest.substr(0, slash));
    rest.remove_prefix(std::min(slash + 1, rest.size()));
  }
  const std::string_view names = trimmed(line.substr(names_at, equals - names_at), " \t");
  const auto wanted = static_cast<std::size_t>(std::count(names.begin(), names.end(), '/')) + 1;
  if (!unit_s || numbers.size() != wanted) return std::nullopt;
  const std::optional<double> mean = measurable(numbers[1], *unit_s);
  const std::optional<double> least = measurable(numbers[0], *unit_s);
  const std::optional<double> most = measurable(numbers[2], *unit_s);
  if (!mean || *mean == 0.0 || !least || !most || *mean < *least || *mean > *most) return std::nullopt;
  PingSummary summary{.mean_s = *mean, .resolution_s = last_digit(numbers[1]) * *unit_s};
  if (numbers.size() > 3) summary.sd_s = measurable(numbers[3], *unit_s);
  return summary;
}

std::optional<std::size_t> ping_without_answer(std::string_view line) {
  for (const std::string_view sign : {"no answer yet for ", "Request timeout for ", " Unreachable", " unreachable",
                                      "Time to live exceeded", " Prohibited", " prohibited", "Packet filtered"})
    if (line.find(sign) != npos) return sequence_in(line);
  return std::nullopt;
}

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

std::optional<std::string> ping_statistics(std::string_view line) {
  const std::string_view clean = trimmed(line, " \t");
  const std::size_t end = clean.find(" ping statistics ---");
  const std::size_t end6 = clean.find(" ping6 statistics ---");
  const std::size_t last = std::min(end, end6);
  if (!clean.starts_with("--- ") || last == npos || last < 4) return std::nullopt;
  return std::string(trimmed(clean.substr(4, last - 4), " \t"));
}

std::optional<std::string> ping_fails(std::string_view line) {
  const std::string_view clean = trimmed(line, " \t");
  if (!clean.starts_with("ping: ") && !clean.starts_with("ping6: ")) return std::nullopt;
  for (const std::string_view sign : {"Name or service not known", "unknown host", "cannot resolve", "bad address",
                                      "Temporary failure in name resolution", "Network is unreachable",
                                      "Operation not permitted", "permission denied"})
    if (clean.find(sign) != npos) return std::string(clean);
  return std::nullopt;
}

}  // namespace saturn
