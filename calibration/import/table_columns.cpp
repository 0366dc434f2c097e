#include "calibration/import/table_columns.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

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

/// Parts of a latency that the server told.
constexpr std::string_view queue_part = "queue_s";
constexpr std::string_view compute_part = "compute_s";

struct NamedColumn {
  ColumnMeaning meaning;
  std::vector<std::string_view> names;
};

const std::vector<NamedColumn>& named_columns() {
  constexpr ColumnUnit time = ColumnUnit::time;
  constexpr ColumnUnit rate = ColumnUnit::rate;
  static const std::vector<NamedColumn> all{
      {{"clients", ""},
       {"clients", "client", "jobs", "n clients", "n jobs", "num clients", "number of clients", "number of jobs",
        "processes", "simultaneous jobs"}},
      {{"", "concurrency"}, {"concurrency", "in flight", "requests in flight", "concurrent requests"}},
      {{"", "batch"}, {"batch", "batch size", "request batch", "items per request", "batch items"}},
      {{"", "model"}, {"model", "model name"}},
      {{"event_time_s", "latency", time, true},
       {"event time", "time per event", "mean event time", "total time", "processing time", "average event time",
        "time"}},
      {{"module_time_s", "", time, true}, {"module time", "ml time", "ml module time"}},
      {{"nonml_s", "", time}, {"nonml", "non ml", "nonml time", "non ml time"}},
      {{"events_per_s", "", rate, true}, {"events", "event rate", "event throughput"}},
      {{"events_per_s", "items_per_s", rate, true}, {"throughput", "rate"}},
      {{"", "items_per_s", rate}, {"items", "inferences", "inference rate", "infer", "images", "samples"}},
      {{"", "requests_per_s", rate}, {"requests", "request rate", "request throughput"}},
      {{"", "latency", time},
       {"latency", "mean latency", "latency mean", "avg latency", "latency avg", "average latency", "response time",
        "batch time", "time per batch", "inference time", "execution time"}},
      {{"", queue_part, time}, {"queue", "queue time", "mean queue time", "server queue", "server queue time"}},
      {{"", compute_part, time},
       {"compute", "compute time", "mean compute time", "server compute", "server compute time"}}};
  return all;
}

const ColumnMeaning* meaning_of(std::string_view name) {
  for (const NamedColumn& column : named_columns())
    if (std::find(column.names.begin(), column.names.end(), name) != column.names.end()) return &column.meaning;
  return nullptr;
}

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

// "throughput [images/s]", "rate (events/s)": what is counted stands in the unit.
void split_counted_unit(const std::string& bracket, TableColumn& column) {
  TableColumn counted("");
  Words rest = words_of(bracket);
  take_last_words(rest, counted);
  const KnownUnit* unit = find_unit(counted.unit);
  const ColumnMeaning* meaning = meaning_of(joined(rest, " "));
  if (unit == nullptr || !unit->rate || meaning == nullptr || meaning->unit != ColumnUnit::rate) return;
  column.meaning = meaning;
  column.unit = counted.unit;
}

}  // namespace

TableColumn::TableColumn(std::string_view written)
    : name(trimmed(written, " \t")), bare(trimmed(std::string_view(name).substr(0, name.find_first_of("[(")), " \t")) {
  if (name.empty()) return;
  std::string rest = lower_case(name);
  const std::string bracket = take_bracket(rest, *this);
  Words words = words_of(rest);
  take_statistic(words, *this);
  if (bracket.empty()) take_last_words(words, *this);
  meaning = meaning_of(words.empty() && !percentile.empty() ? "latency" : joined(words, " "));
  spread_alone = words.empty() && percentile.empty() && spread != ColumnSpread::mean;
  const bool plain = meaning == nullptr ? !spread_alone : meaning == meaning_of("throughput");
  if (!bracket.empty() && find_unit(bracket) == nullptr && plain) split_counted_unit(bracket, *this);
  const KnownUnit* known = find_unit(unit);
  // "events" alone may be a number of events; a rate has a rate's unit, a time a time's.
  if (known != nullptr && (spread_alone || (has_unit() && known->rate == (meaning->unit == ColumnUnit::rate))))
    unit_si = known->si;
}

bool TableColumn::is_key() const {
  return meaning != nullptr &&
         (meaning->closed_loop == "clients" || meaning->load == "concurrency" || meaning->load == "batch");
}

std::string TableColumn::key(bool closed_loop) const {
  const std::string tail = spread == ColumnSpread::sd ? "_sd" : spread == ColumnSpread::sem ? "_sem" : "";
  std::string key(meaning == nullptr ? "" : closed_loop ? meaning->closed_loop : meaning->load);
  if (key == "latency")
    return "latency" + (tail.empty() ? "_" + (percentile.empty() ? "mean" : percentile) : tail) + "_s";
  // A queue without a unit may be its length.
  if (key == queue_part || key == compute_part) return percentile.empty() && tail.empty() && unit_si ? key : "";
  if (key.empty() || !has_unit() || tail.empty()) return key;
  // The spread of a load's rate is of no use.
  return closed_loop ? key + tail : "";
}

}  // namespace saturn
