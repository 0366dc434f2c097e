#include "scenarios/fields/arrival_trace.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "models/words/texts.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/scenario_traits.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_faults = 100;
constexpr std::string_view blanks = " \t\r";

/// A part of the text that knows where it stands.
struct Piece {
  std::string_view text;
  std::size_t offset = 0;
};

Piece without_blanks(Piece piece) {
  const std::size_t first = piece.text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {{}, piece.offset};
  const std::size_t last = piece.text.find_last_not_of(blanks);
  return {piece.text.substr(first, last - first + 1), piece.offset + first};
}

/// The n-th cell of a line; nothing when the line has not so many.
std::optional<Piece> cell(Piece line, std::size_t n) {
  for (; n > 0; --n) {
    const std::size_t comma = line.text.find(',');
    if (comma == std::string_view::npos) return std::nullopt;
    line = {line.text.substr(comma + 1), line.offset + comma + 1};
  }
  return without_blanks({line.text.substr(0, line.text.find(',')), line.offset});
}

/// A date in the file's own unit: whole units exactly, and the rest.
struct Date {
  std::int64_t whole = 0;
  double fraction = 0.0;
  std::size_t decimals = 0;
  bool negative = false;

  bool before(const Date& other) const {
    return whole != other.whole ? whole < other.whole : fraction < other.fraction;
  }
};

std::optional<Date> date_of(std::string_view text) {
  Date date;
  date.negative = text.starts_with('-');
  const std::string_view digits = date.negative ? text.substr(1) : text;
  const char* end = digits.data() + digits.size();
  const auto whole = std::from_chars(digits.data(), end, date.whole);
  const bool begins = whole.ec == std::errc{} && !digits.starts_with('-');
  if (begins && whole.ptr == end) return date;
  if (begins && *whole.ptr == '.') {
    const auto fraction = std::from_chars(whole.ptr, end, date.fraction, std::chars_format::fixed);
    date.decimals = static_cast<std::size_t>(end - whole.ptr) - 1;
    if (fraction.ec == std::errc{} && fraction.ptr == end && date.decimals > 0) return date;
  }
  double value = 0.0;
  const auto scientific = std::from_chars(digits.data(), end, value);
  if (scientific.ec != std::errc{} || scientific.ptr != end || !(std::abs(value) < 1e18) || text.ends_with('.'))
    return std::nullopt;
  date.whole = static_cast<std::int64_t>(std::floor(value));
  date.fraction = value - std::floor(value);
  return date;
}

std::string cut_in_quotes(std::string_view text) {
  return in_quotes(text.substr(0, 40));
}

std::string_view without_quotes(std::string_view name) {
  const bool quoted = name.size() >= 2 && name.front() == '"' && name.back() == '"';
  return quoted ? name.substr(1, name.size() - 2) : name;
}

/// Seconds in the unit that a column's name ends with; nothing for another name.
std::optional<double> unit_of(std::string_view name) {
  const std::string lower = lower_case(without_quotes(name));
  constexpr std::array<std::pair<std::string_view, double>, 5> units{
      {{"", 1.0}, {"_s", 1.0}, {"_ms", 1e-3}, {"_us", 1e-6}, {"_ns", 1e-9}}};
  for (const std::string_view stem : {"time", "timestamp"})
    for (const auto& [suffix, seconds] : units)
      if (lower == std::string(stem) + std::string(suffix)) return seconds;
  return std::nullopt;
}

class TraceReader {
 public:
  explicit TraceReader(std::string_view text) : text_(text) {}

  ParsedTrace read() {
    if (text_.starts_with("\xEF\xBB\xBF")) next_ = 3;
    bool first = true;
    while (next_ < text_.size() && result_.faults.size() < most_faults && !hopeless_) {
      const Piece line = next_line();
      const bool ends = next_ <= text_.size();
      if (without_blanks(line).text.empty()) continue;
      if (first && is_header(line))
        read_header(line);
      else if (first && line.text.find(',') != std::string_view::npos)
        no_column(line, "several columns and no header");
      else
        add(line, ends);
      first = false;
    }
    finish();
    return std::move(result_);
  }

 private:
  void fault(std::size_t offset, const char* code, std::string text) {
    result_.faults.push_back({.offset = offset, .code = code, .text = std::move(text)});
  }

  Piece next_line() {
    const std::size_t begin = next_;
    const std::size_t end = std::min(text_.find('\n', begin), text_.size());
    next_ = end + 1;
    return {text_.substr(begin, end - begin), begin};
  }

  static bool is_header(Piece line) {
    const std::string_view text = without_blanks(line).text;
    const char c = text.front();
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '"' || c == '_' || c == '#';
  }

  void no_column(Piece line, const std::string& what) {
    fault(without_blanks(line).offset, "trace.no_time_column",
          "This line has " + what +
              "; the dates stand in the only column, or in one that the first line calls \"time\" or \"timestamp\", "
              "with the unit if it is not seconds (time_ms, timestamp_ns).");
    hopeless_ = true;
  }

  void read_header(Piece line) {
    std::size_t column = 0;
    for (std::optional<Piece> name = cell(line, 0); name; name = cell(line, ++column)) {
      const std::optional<double> unit = unit_of(name->text);
      if (!unit) continue;
      column_ = column;
      seconds_ = *unit;
      return;
    }
    no_column(line, "no column \"time\" or \"timestamp\"");
  }

  void torn(std::size_t offset, const std::string& why) {
    fault(offset, "trace.torn",
          "The last line has no end and " + why +
              ": the file was cut off while it was written; remove the line, or copy the file again.");
  }

  void add(Piece line, bool ends) {
    const std::optional<Piece> found = cell(line, column_);
    const Piece place = found.value_or(without_blanks(line));
    const std::optional<Date> date = found ? date_of(found->text) : std::nullopt;
    // Texts are made for complaints only: there may be millions of lines.
    const auto written = [&] { return cut_in_quotes(place.text); };
    if (!date && !ends)
      return torn(place.offset, found ? "ends in " + written() + ", which is no number" : "lacks columns");
    if (!found)
      return fault(place.offset, "trace.not_a_number",
                   "This line has no column of dates; add the date, or remove the line.");
    if (!date)
      return fault(place.offset, "trace.not_a_number",
                   written() + " is no number; a line holds the date of one arrival, for example 12.5.");
    if (date->negative)
      return fault(place.offset, "trace.negative",
                   written() + " is negative; dates count from any moment before the first arrival.");
    if (any_ && date->before(last_)) {
      if (!ends)
        return torn(place.offset,
                    "its date, " + written() + ", lies before the one above it, " + cut_in_quotes(last_text_));
      fault(place.offset, "trace.out_of_order",
            "The date " + written() + " lies before the one above it, " + cut_in_quotes(last_text_) +
                "; sort the file by time.");
    } else if (!ends && any_ && date->decimals < fewest_decimals_) {
      return torn(place.offset, "fewer decimals than all others, " + written());
    }
    keep(*date, place.text);
  }

  void keep(const Date& date, std::string_view written) {
    if (!any_) first_ = date;
    any_ = true;
    last_ = date;
    last_text_ = written;
    fewest_decimals_ = std::min(fewest_decimals_, date.decimals);
    result_.recorded.dates_s.push_back(
        (static_cast<double>(date.whole - first_.whole) + (date.fraction - first_.fraction)) * seconds_);
  }

  void finish() {
    if (!result_.faults.empty()) return;
    const std::vector<double>& dates = result_.recorded.dates_s;
    if (dates.size() < 2)
      fault(0, "trace.too_short",
            std::string(dates.empty() ? "The file holds no date" : "The file holds one date only") +
                "; a trace needs two at least, from which the time between arrivals follows.");
    else if (!(dates.back() > 0.0))
      fault(0, "trace.too_short", "All dates of the file are the same; a trace needs two different ones at least.");
  }

  std::string_view text_;
  std::size_t next_ = 0;
  std::size_t column_ = 0;
  double seconds_ = 1.0;
  bool hopeless_ = false;
  bool any_ = false;
  Date first_;
  Date last_;
  std::string_view last_text_;
  std::size_t fewest_decimals_ = static_cast<std::size_t>(-1);
  ParsedTrace result_;
};

}  // namespace

ParsedTrace parse_arrival_trace(std::string_view text) {
  ParsedTrace parsed = TraceReader(text).read();
  parsed.recorded.fingerprint = fingerprint_of(text);
  return parsed;
}

}  // namespace saturn
