#include "reports/sweep/sweep_view.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <unordered_set>

#include "models/words/numbers.hpp"
#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/words/escaped_text.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_listed = 20;
constexpr std::size_t longest_listed = 60;

}  // namespace

NameMatch match_name(const std::string& asked, const std::vector<std::string>& names) {
  NameMatch match;
  if (asked.empty()) return match;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == asked) return {.index = i};
    if (names[i].find(asked) == std::string::npos) continue;
    match.index = i;
    match.several.push_back(names[i]);
  }
  if (match.several.size() > 1) {
    match.index.reset();
  } else {
    match.several.clear();
  }
  return match;
}

std::string quoted_name(const std::string& name) {
  return in_quotes(terminal_text(name, longest_listed));
}

std::string listed_names(const std::vector<std::string>& names) {
  return names.empty() ? "none" : joined_and(texts_of(names, quoted_name), most_listed);
}

namespace {

constexpr int usual_digits_of_labels = 4;
constexpr int most_digits_of_labels = 12;
constexpr std::size_t longest_name = 40;
constexpr std::size_t longest_label = 24;
constexpr double whole_below = 1e12;

bool all_different(const std::vector<std::string>& labels) {
  return std::set<std::string>(labels.begin(), labels.end()).size() == labels.size();
}

double rounded_to_digits(double value, int digits) {
  return read_number(compact_number(value, digits)).value_or(value);
}

// A whole number is a count: "65536" must not read 65540.
std::string label_of(double value, int digits) {
  const bool whole = value == std::round(value) && std::abs(value) < whole_below;
  return compact_number(value, whole ? most_digits_of_labels + 3 : digits);
}

std::vector<std::string> number_labels(const std::vector<double>& values, double factor, int digits) {
  std::vector<std::string> labels;
  for (const double value : values) {
    // 0.0005 s is 0.5 ms, not 0.49999999999999994.
    labels.push_back(label_of(rounded_to_digits(value * factor, most_digits_of_labels), digits));
  }
  return labels;
}

/// The widest label, then all together.
std::pair<std::size_t, std::size_t> room_of(const std::vector<std::string>& labels) {
  std::pair<std::size_t, std::size_t> room;
  for (const std::string& label : labels) {
    room.first = std::max(room.first, label.size());
    room.second += label.size();
  }
  return room;
}

/// Labels in the unit that makes them shortest; false where no number of digits tells them apart.
bool label_numbers(ShownAxis& axis, const std::string& unit) {
  std::vector<double> values;
  for (const AxisCell& cell : axis.values) {
    if (!cell.number || !std::isfinite(*cell.number)) return false;
    values.push_back(*cell.number);
  }
  for (int digits = usual_digits_of_labels; digits <= most_digits_of_labels; ++digits) {
    for (const ShownUnit& candidate : readable_units(unit)) {
      std::vector<std::string> labels = number_labels(values, candidate.factor, digits);
      if (!all_different(labels)) continue;
      if (!axis.labels.empty() && room_of(labels) >= room_of(axis.labels)) continue;
      axis.labels = std::move(labels);
      axis.unit = candidate.name;
    }
    if (!axis.labels.empty()) return true;
  }
  return false;
}

/// The values as they are written; numbered where cutting them makes them equal.
void label_words(ShownAxis& axis) {
  for (const AxisCell& cell : axis.values) axis.labels.push_back(terminal_text(cell.text, longest_label));
  std::set<std::string> taken;
  for (std::string& shown : axis.labels) {
    if (shown.empty()) shown = "(empty)";
    const std::string label = shown;
    for (std::size_t n = 2; !taken.insert(shown).second; ++n) shown = label + " (" + std::to_string(n) + ")";
  }
}

bool comes_before(const AxisCell& a, const AxisCell& b) {
  if (a.number && b.number) return *a.number < *b.number;
  return a.number.has_value() && !b.number;
}

}  // namespace

std::string ShownAxis::equation(std::size_t value) const {
  return name + " = " + with_unit(labels.at(value), unit);
}

ShownAxis shown_axis(const SweepTable& table, std::span<const SweepRow* const> rows, std::size_t column) {
  ShownAxis axis;
  axis.name = terminal_text(table.axes.at(column).name, longest_name);
  for (const SweepRow* row : rows) {
    const AxisCell& cell = row->cells.at(column);
    if (axis.place.emplace(cell.text, 0).second) axis.values.push_back(cell);
  }
  std::stable_sort(axis.values.begin(), axis.values.end(), comes_before);
  for (std::size_t i = 0; i < axis.values.size(); ++i) axis.place[axis.values[i].text] = i;
  if (!label_numbers(axis, table.axes[column].unit)) label_words(axis);
  axis.heading = name_with_unit(axis.name, axis.unit);
  return axis;
}

namespace {

using Rows = std::vector<const SweepRow*>;
using Faults = std::vector<SweepViewFault>;

std::vector<std::string> names_of(const std::vector<AxisColumn>& axes) {
  std::vector<std::string> names;
  for (const AxisColumn& axis : axes) names.push_back(axis.name);
  return names;
}

/// Nothing, and a fault, where no axis is meant.
std::optional<std::size_t> axis_called(const SweepTable& table, const std::string& asked, const std::string& option,
                                       Faults& faults) {
  for (std::size_t c = 0; c < table.axes.size(); ++c) {
    const AxisColumn& axis = table.axes[c];
    if (asked == axis.name || asked == axis.pointer || asked == axis.head()) return c;
  }
  const NameMatch match = match_name(asked, names_of(table.axes));
  if (match.index) return match.index;
  const std::string which = match.several.empty()
                                ? "The sweep has no axis " + quoted_name(asked)
                                : quoted_name(asked) + " is part of several axes: " + listed_names(match.several);
  faults.push_back({.option = option,
                    .code = "show.unknown_axis",
                    .text = which + "; its axes are " + listed_names(names_of(table.axes)) + "."});
  return std::nullopt;
}

/// Of a ratio [percent]; its rounding errors are none of the excess.
double excess_percent(double ratio) {
  constexpr double ratio_noise = 1e-9;
  return std::abs(ratio - 1.0) <= ratio_noise ? 0.0 : 100.0 * (ratio - 1.0);
}

std::optional<ShownMetric> metric_called(const SweepTable& table, const std::string& asked, Faults& faults) {
  const std::vector<ShownMetric> metrics = metrics_of(table);
  if (asked.empty()) return metrics.empty() ? std::nullopt : std::optional(metrics.front());
  std::vector<std::string> names;
  for (const ShownMetric& metric : metrics) names.push_back(metric.name);
  for (const ShownMetric& metric : metrics)
    if (asked == metric.name) return metric;
  for (const ShownMetric& metric : metrics)
    if (asked == metric.stem) return metric;
  const NameMatch match = match_name(asked, names);
  if (match.index) return metrics[*match.index];
  std::string text = "No point answers with " + quoted_name(asked) + "; there are " + listed_names(names) + ".";
  if (!match.several.empty())
    text =
        quoted_name(asked) + " is part of several names: " + listed_names(match.several) + "; write one of them out.";
  if (metrics.empty()) text = "No point has an answer yet, so there is no " + quoted_name(asked) + " to show.";
  faults.push_back({.option = "--metric", .code = "show.unknown_metric", .text = text});
  return std::nullopt;
}

Rows all_rows(const SweepTable& table) {
  Rows rows;
  rows.reserve(table.rows.size());
  for (const SweepRow& row : table.rows) rows.push_back(&row);
  return rows;
}

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

bool nearly_equal(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

std::optional<double> number_of(const std::string& asked, const AxisColumn& column, const SweepView& view) {
  if (column.unit.empty()) return read_number(asked);
  return view.quantity ? view.quantity(asked) : std::nullopt;
}

/// The text of the value that is meant: as it is written into the scenario, as it is shown, or the same number.
std::optional<std::string> value_called(const ShownAxis& axis, const AxisColumn& column, const std::string& asked,
                                        const SweepView& view) {
  const std::string wanted = without_spaces(asked);
  for (const AxisCell& cell : axis.values)
    if (without_spaces(cell.text) == wanted) return cell.text;
  for (std::size_t i = 0; i < axis.values.size(); ++i)
    if (wanted == without_spaces(axis.labels[i] + axis.unit)) return axis.values[i].text;
  const std::optional<double> number = number_of(asked, column, view);
  if (!number) return std::nullopt;
  for (const AxisCell& cell : axis.values)
    if (cell.number && nearly_equal(*cell.number, *number)) return cell.text;
  return std::nullopt;
}

std::vector<std::string> shown_values(const ShownAxis& axis) {
  std::vector<std::string> values;
  for (const std::string& label : axis.labels) values.push_back(with_unit(label, axis.unit));
  return values;
}

void hold(const SweepTable& table, const SweepView& view, ResolvedView& resolved, Faults& faults) {
  const Rows everything = all_rows(table);
  for (const auto& [asked, value] : view.at) {
    const std::string option = "--at " + asked + "=" + value;
    const auto column = axis_called(table, asked, option, faults);
    if (!column) continue;
    const auto twice = std::find_if(resolved.held.begin(), resolved.held.end(),
                                    [&](const auto& held) { return held.first == *column; });
    if (twice != resolved.held.end()) {
      faults.push_back({.option = option,
                        .code = "show.held_twice",
                        .text = quoted_name(table.axes[*column].name) + " is held already; one --at an axis."});
      continue;
    }
    const ShownAxis axis = shown_axis(table, everything, *column);
    if (const auto text = value_called(axis, table.axes[*column], value, view)) {
      resolved.held.emplace_back(*column, *text);
    } else {
      faults.push_back({.option = option,
                        .code = "show.unknown_value",
                        .text = quoted_name(axis.name) + " is never " + quoted_name(value) + "; its values are " +
                                listed_names(shown_values(axis)) + "."});
    }
  }
}

void keep_held_rows(const SweepTable& table, ResolvedView& resolved) {
  for (const SweepRow& row : table.rows) {
    const bool fits = std::all_of(resolved.held.begin(), resolved.held.end(),
                                  [&](const auto& held) { return row.cells.at(held.first).text == held.second; });
    if (fits) resolved.rows.push_back(&row);
  }
}

std::size_t values_of(const Rows& rows, const std::vector<std::size_t>& columns) {
  std::unordered_set<std::string> seen;
  for (const SweepRow* row : rows) {
    std::string together;
    // Texts hold no such character, so that two columns never read as one.
    for (const std::size_t column : columns) together += row->cells.at(column).text + '\0';
    seen.insert(together);
  }
  return seen.size();
}

/// The values of one of the two follow from the other's: they run along with each other.
bool zipped(const Rows& rows, std::size_t a, std::size_t b) {
  return values_of(rows, {a, b}) == std::max(values_of(rows, {a}), values_of(rows, {b}));
}

/// The column with the most values that does not run along with the other; of equally many the first.
std::optional<std::size_t> most_valued(const SweepTable& table, const ResolvedView& resolved,
                                       std::optional<std::size_t> other) {
  std::optional<std::size_t> best;
  std::size_t most = 1;
  for (std::size_t c = 0; c < table.axes.size(); ++c) {
    const std::size_t values = values_of(resolved.rows, {c});
    if (values <= most || (other && (c == *other || zipped(resolved.rows, c, *other)))) continue;
    best = c;
    most = values;
  }
  return best;
}

void choose_axes(const SweepTable& table, ResolvedView& resolved) {
  if (resolved.x) return;
  if (!resolved.y) {
    // Lines scroll, columns do not: the axis with more values goes upwards.
    resolved.y = most_valued(table, resolved, std::nullopt);
  }
  if (resolved.y) resolved.x = most_valued(table, resolved, resolved.y);
  if (!resolved.x) std::swap(resolved.x, resolved.y);
}

void sort_the_others(const SweepTable& table, ResolvedView& resolved) {
  std::vector<std::size_t> shown;
  if (resolved.x) shown.push_back(*resolved.x);
  if (resolved.y) shown.push_back(*resolved.y);
  const std::size_t cells = values_of(resolved.rows, shown);
  for (std::size_t c = 0; c < table.axes.size(); ++c) {
    if (std::find(shown.begin(), shown.end(), c) != shown.end() || values_of(resolved.rows, {c}) < 2) continue;
    std::vector<std::size_t> with = shown;
    with.push_back(c);
    (values_of(resolved.rows, with) == cells ? resolved.along : resolved.split).push_back(c);
  }
}

void check_chosen_axes(const SweepTable& table, const SweepView& view, const ResolvedView& resolved, Faults& faults) {
  const std::string names = listed_names(names_of(table.axes));
  if (!view.y.empty() && table.axes.size() < 2) {
    faults.push_back({.option = "--y",
                      .code = "show.not_two_axes",
                      .text = "A map needs two axes, and the sweep has one: " + names + "; leave --y out."});
  } else if (resolved.x && resolved.y && *resolved.x == *resolved.y) {
    faults.push_back({.option = "--y",
                      .code = "show.not_two_axes",
                      .text = "--x and --y are both " + quoted_name(table.axes[*resolved.x].name) +
                              "; a map needs two axes of " + names + "."});
  }
  for (const auto& [column, value] : resolved.held) {
    if (resolved.x != column && resolved.y != column) continue;
    const std::string option = resolved.x == column ? "--x" : "--y";
    faults.push_back({.option = option,
                      .code = "show.not_two_axes",
                      .text = quoted_name(table.axes[column].name) + " is held by --at at " + quoted_name(value) +
                              ", so that it has no values to show; leave one of the two out."});
  }
}

/// What the view says, without what it leaves open.
ResolvedView said_view(const SweepTable& table, const SweepView& view, Faults& faults) {
  ResolvedView resolved;
  resolved.metric = metric_called(table, view.metric, faults);
  if (!view.x.empty()) resolved.x = axis_called(table, view.x, "--x", faults);
  if (!view.y.empty()) resolved.y = axis_called(table, view.y, "--y", faults);
  hold(table, view, resolved, faults);
  check_chosen_axes(table, view, resolved, faults);
  return resolved;
}

}  // namespace

SweepTable for_people(SweepTable table) {
  for (SweepRow& row : table.rows) {
    for (SweepMetric& metric : row.result.answer.metrics) {
      if (metric.stem != "slowdown" || !metric.unit.empty()) continue;
      metric.unit = "percent";
      metric.mean = excess_percent(metric.mean);
      if (metric.low) metric.low = excess_percent(*metric.low);
      if (metric.high) metric.high = excess_percent(*metric.high);
    }
  }
  return table;
}

std::vector<ShownMetric> metrics_of(const SweepTable& table) {
  std::vector<ShownMetric> numbers;
  std::vector<ShownMetric> words;
  std::unordered_set<std::string> known;
  for (const SweepRow& row : table.rows) {
    for (const SweepMetric& metric : row.result.answer.metrics)
      if (known.insert(metric.name()).second)
        numbers.push_back({.name = metric.name(), .stem = metric.stem, .unit = metric.unit});
  }
  for (const SweepRow& row : table.rows) {
    for (const SweepWord& word : row.result.answer.words)
      if (known.insert(word.name).second) words.push_back({.name = word.name, .stem = word.name, .is_word = true});
  }
  numbers.insert(numbers.end(), words.begin(), words.end());
  return numbers;
}

std::vector<SweepViewFault> faults_of(const SweepTable& table, const SweepView& view) {
  Faults faults;
  said_view(table, view, faults);
  return faults;
}

ResolvedView resolved_view(const SweepTable& table, const SweepView& view) {
  Faults faults;
  ResolvedView resolved = said_view(table, view, faults);
  if (!faults.empty()) throw std::invalid_argument(faults.front().text);
  keep_held_rows(table, resolved);
  choose_axes(table, resolved);
  sort_the_others(table, resolved);
  return resolved;
}

const SweepMetric* metric_at(const SweepRow& row, const ShownMetric& metric) {
  if (metric.is_word || !ResolvedView::has_answer(row)) return nullptr;
  for (const SweepMetric& found : row.result.answer.metrics)
    if (found.stem == metric.stem && found.unit == metric.unit) return std::isfinite(found.mean) ? &found : nullptr;
  return nullptr;
}

const std::string* word_at(const SweepRow& row, const ShownMetric& metric) {
  if (!metric.is_word || !ResolvedView::has_answer(row)) return nullptr;
  for (const SweepWord& found : row.result.answer.words)
    if (found.name == metric.name) return &found.word;
  return nullptr;
}

}  // namespace saturn
