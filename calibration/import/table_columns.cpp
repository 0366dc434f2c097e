#include "calibration/import/table_columns.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "calibration/import/imported_text.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

struct KnownUnit {
  std::string_view name;
  double si;
  bool rate;
};

constexpr double minute = 60.0;
constexpr double hour = 3600.0;
constexpr std::array known_units{KnownUnit{"s", 1.0, false},
                                 KnownUnit{"sec", 1.0, false},
                                 KnownUnit{"seconds", 1.0, false},
                                 KnownUnit{"ms", 1e-3, false},
                                 KnownUnit{"msec", 1e-3, false},
                                 KnownUnit{"us", 1e-6, false},
                                 KnownUnit{"\u00B5s", 1e-6, false},
                                 KnownUnit{"\u03BCs", 1e-6, false},
                                 KnownUnit{"usec", 1e-6, false},
                                 KnownUnit{"ns", 1e-9, false},
                                 KnownUnit{"min", minute, false},
                                 KnownUnit{"h", hour, false},
                                 KnownUnit{"1/s", 1.0, true},
                                 KnownUnit{"hz", 1.0, true},
                                 KnownUnit{"/s", 1.0, true},
                                 KnownUnit{"per s", 1.0, true},
                                 KnownUnit{"per sec", 1.0, true},
                                 KnownUnit{"per second", 1.0, true},
                                 KnownUnit{"/sec", 1.0, true},
                                 KnownUnit{"/second", 1.0, true},
                                 KnownUnit{"s-1", 1.0, true},
                                 KnownUnit{"s^-1", 1.0, true},
                                 KnownUnit{"1/min", 1.0 / minute, true},
                                 KnownUnit{"/min", 1.0 / minute, true},
                                 KnownUnit{"per min", 1.0 / minute, true},
                                 KnownUnit{"1/h", 1.0 / hour, true},
                                 KnownUnit{"/h", 1.0 / hour, true},
                                 KnownUnit{"per h", 1.0 / hour, true},
                                 KnownUnit{"per hour", 1.0 / hour, true}};

using Words = std::vector<std::string>;

const std::array<std::pair<std::string_view, ColumnKind>, 60> known_names{{
    {"clients", ColumnKind::clients},
    {"client", ColumnKind::clients},
    {"jobs", ColumnKind::clients},
    {"n clients", ColumnKind::clients},
    {"n jobs", ColumnKind::clients},
    {"num clients", ColumnKind::clients},
    {"number of clients", ColumnKind::clients},
    {"number of jobs", ColumnKind::clients},
    {"processes", ColumnKind::clients},
    {"simultaneous jobs", ColumnKind::clients},
    {"concurrency", ColumnKind::concurrency},
    {"in flight", ColumnKind::concurrency},
    {"requests in flight", ColumnKind::concurrency},
    {"concurrent requests", ColumnKind::concurrency},
    {"batch", ColumnKind::batch},
    {"batch size", ColumnKind::batch},
    {"request batch", ColumnKind::batch},
    {"items per request", ColumnKind::batch},
    {"batch items", ColumnKind::batch},
    {"model", ColumnKind::model},
    {"model name", ColumnKind::model},
    {"event time", ColumnKind::event_time},
    {"time per event", ColumnKind::event_time},
    {"mean event time", ColumnKind::event_time},
    {"total time", ColumnKind::event_time},
    {"processing time", ColumnKind::event_time},
    {"average event time", ColumnKind::event_time},
    {"module time", ColumnKind::module_time},
    {"ml time", ColumnKind::module_time},
    {"ml module time", ColumnKind::module_time},
    {"nonml", ColumnKind::nonml},
    {"non ml", ColumnKind::nonml},
    {"nonml time", ColumnKind::nonml},
    {"non ml time", ColumnKind::nonml},
    {"events", ColumnKind::events_rate},
    {"event rate", ColumnKind::events_rate},
    {"event throughput", ColumnKind::events_rate},
    {"throughput", ColumnKind::plain_rate},
    {"rate", ColumnKind::plain_rate},
    {"items", ColumnKind::items_rate},
    {"inferences", ColumnKind::items_rate},
    {"inference rate", ColumnKind::items_rate},
    {"infer", ColumnKind::items_rate},
    {"images", ColumnKind::items_rate},
    {"samples", ColumnKind::items_rate},
    {"requests", ColumnKind::requests_rate},
    {"request rate", ColumnKind::requests_rate},
    {"request throughput", ColumnKind::requests_rate},
    {"latency", ColumnKind::latency},
    {"mean latency", ColumnKind::latency},
    {"latency mean", ColumnKind::latency},
    {"avg latency", ColumnKind::latency},
    {"latency avg", ColumnKind::latency},
    {"average latency", ColumnKind::latency},
    {"time", ColumnKind::plain_time},
    {"response time", ColumnKind::latency},
    {"batch time", ColumnKind::latency},
    {"time per batch", ColumnKind::latency},
    {"inference time", ColumnKind::latency},
    {"execution time", ColumnKind::latency},
}};

const KnownUnit* find_unit(std::string_view name) {
  const auto found =
      std::find_if(known_units.begin(), known_units.end(), [&](const KnownUnit& unit) { return unit.name == name; });
  return found == known_units.end() ? nullptr : &*found;
}

Words words_of(std::string_view text) {
  Words words;
  std::string word;
  for (const char c : text) {
    const bool gap = c == ' ' || c == '_' || c == '-' || c == '\t' || c == '.';
    if (!gap) word += c;
    if ((gap || c == '/') && !word.empty() && word != "/") words.push_back(std::exchange(word, {}));
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

// Takes a unit in brackets off the end of a name.
std::string take_bracket(std::string& name, TableColumn& column) {
  const std::size_t open = name.find_last_of("[(");
  if (open == std::string::npos || (name.back() != ']' && name.back() != ')')) return "";
  column.unit = trimmed(std::string_view(name).substr(open + 1, name.size() - open - 2), " \t");
  name = trimmed(std::string_view(name).substr(0, open), " \t");
  return column.unit;
}

// Takes "p99" and the like, and "sd" and the like, out of the words wherever they stand.
void take_statistic(Words& words, TableColumn& column) {
  constexpr std::array<std::string_view, 6> sd{"sd", "std", "stddev", "stdev", "sigma", "spread"};
  constexpr std::array<std::string_view, 6> sem{"sem", "error", "err", "uncertainty", "stderr", "se"};
  constexpr std::array<std::string_view, 4> percentiles{"p50", "p90", "p95", "p99"};
  const auto one_of = [](const auto& list, const std::string& word) {
    return std::find(list.begin(), list.end(), word) != list.end();
  };
  std::erase_if(words, [&](const std::string& word) {
    if (one_of(sd, word)) column.spread = ColumnSpread::sd;
    if (one_of(sem, word)) column.spread = ColumnSpread::sem;
    if (one_of(percentiles, word)) column.percentile = word;
    return one_of(sd, word) || one_of(sem, word) || one_of(percentiles, word);
  });
}

// "items/s", "events per s": the last words may be the unit.
void take_last_words(Words& words, TableColumn& column) {
  if (words.empty()) return;
  Words spelled = words;
  const std::size_t count = spelled.size();
  // words_of keeps a slash with the word before it: "items/" "s".
  if (count > 1 && spelled[count - 2].ends_with('/') && find_unit("/" + spelled[count - 1]) != nullptr) {
    column.unit = "/" + spelled[count - 1];
    words.pop_back();
    words.back().pop_back();
    // "throughput 1/s" and "throughput 1/ s".
    if (words.back() == "1") words.pop_back();
    return;
  }
  // "latency_min" is the least latency, not one in minutes.
  for (std::size_t length = std::min<std::size_t>(2, count); length > 0; --length) {
    const std::string last = joined({spelled.end() - static_cast<std::ptrdiff_t>(length), spelled.end()}, " ");
    if (find_unit(last) == nullptr || (length == 1 && count == 1) || last == "min") continue;
    column.unit = last;
    words.resize(count - length);
    return;
  }
}

ColumnKind kind_of(const Words& words) {
  const std::string base = joined(words, " ");
  const auto found =
      std::find_if(known_names.begin(), known_names.end(), [&](const auto& known) { return known.first == base; });
  return found == known_names.end() ? ColumnKind::unknown : found->second;
}

// "throughput [images/s]", "rate (events/s)": what is counted stands in the unit.
void split_counted_unit(const std::string& bracket, TableColumn& column) {
  const Words words = words_of(bracket);
  TableColumn counted;
  Words rest = words;
  take_last_words(rest, counted);
  const KnownUnit* unit = find_unit(counted.unit);
  if (unit == nullptr || !unit->rate) return;
  const ColumnKind kind = kind_of(rest);
  if (!is_table_rate(kind)) return;
  column.kind = kind;
  column.unit = counted.unit;
}

}  // namespace

TableColumn table_column(std::string_view written) {
  TableColumn column{.name = std::string(trimmed(written, " \t"))};
  column.bare = trimmed(std::string_view(column.name).substr(0, column.name.find_first_of("[(")), " \t");
  std::string name = lower_case(trimmed(written, " \t"));
  const std::string bracket = take_bracket(name, column);
  Words words = words_of(name);
  take_statistic(words, column);
  if (bracket.empty()) take_last_words(words, column);
  column.kind = kind_of(words);
  if (words.empty() && column.spread != ColumnSpread::mean) column.kind = ColumnKind::spread;
  if (words.empty() && !column.percentile.empty()) column.kind = ColumnKind::latency;
  if (!bracket.empty() && find_unit(bracket) == nullptr &&
      (column.kind == ColumnKind::plain_rate || column.kind == ColumnKind::unknown))
    split_counted_unit(bracket, column);
  const KnownUnit* unit = find_unit(column.unit);
  // "events" alone may be a number of events; a rate has a rate's unit, a time a time's.
  const bool fits = unit != nullptr && (column.kind == ColumnKind::spread || unit->rate == is_table_rate(column.kind));
  if (fits && (needs_unit(column.kind) || column.kind == ColumnKind::spread)) column.unit_si = unit->si;
  return column;
}

bool is_table_key(ColumnKind kind) {
  return kind == ColumnKind::clients || kind == ColumnKind::concurrency || kind == ColumnKind::batch;
}

bool is_table_rate(ColumnKind kind) {
  return kind == ColumnKind::events_rate || kind == ColumnKind::items_rate || kind == ColumnKind::requests_rate ||
         kind == ColumnKind::plain_rate;
}

bool needs_unit(ColumnKind kind) {
  return is_table_rate(kind) || kind == ColumnKind::event_time || kind == ColumnKind::module_time ||
         kind == ColumnKind::nonml || kind == ColumnKind::latency || kind == ColumnKind::plain_time;
}

std::string spelling_with_unit(const TableColumn& column) {
  if (column.kind == ColumnKind::requests_rate) return "requests_per_s";
  if (column.kind == ColumnKind::items_rate) return "items_per_s";
  if (column.kind == ColumnKind::plain_rate) return "throughput_per_s";
  if (column.kind == ColumnKind::plain_time) return "time_s";
  const std::string name = measured_name(column);
  return name.starts_with("latency_mean") ? "latency_s" : name;
}

std::string measured_name(const TableColumn& column) {
  const std::string tail = column.spread == ColumnSpread::sd ? "_sd" : column.spread == ColumnSpread::sem ? "_sem" : "";
  switch (column.kind) {
    case ColumnKind::event_time:
      return "event_time_s" + tail;
    case ColumnKind::module_time:
      return "module_time_s" + tail;
    case ColumnKind::nonml:
      return "nonml_s" + tail;
    case ColumnKind::events_rate:
      return "events_per_s" + tail;
    case ColumnKind::latency:
      if (column.spread != ColumnSpread::mean) return "latency" + tail + "_s";
      return "latency_" + (column.percentile.empty() ? "mean" : column.percentile) + "_s";
    default:
      return "";
  }
}

std::vector<TableCell> table_cells(std::string_view line, char separator) {
  std::vector<TableCell> cells;
  std::string cell;
  std::size_t begin = 0;
  bool quoted = false;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (i == line.size() || (line[i] == separator && !quoted)) {
      cells.push_back({.text = std::string(trimmed(std::exchange(cell, {}), " \t")), .column = begin + 1});
      begin = i + 1;
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else {
      cell += line[i];
    }
  }
  return cells;
}

}  // namespace saturn
