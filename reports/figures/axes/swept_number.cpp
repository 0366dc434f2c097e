#include "reports/figures/axes/swept_number.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/figures/axes/axis.hpp"
#include "reports/figures/metric_words.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

constexpr int unit_digits = 3;
constexpr int text_digits = 4;
constexpr int swept_digits = 12;
constexpr double percent_factor = 100.0;

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

SweptNumber swept_number(const std::string& words, const std::string& name, const ShownUnit& shown,
                         const std::string& unit) {
  // A head says the unit as the files of a sweep do, or, where figures scale it, the one that they show.
  std::string head_unit = shown.factor == 1.0 ? unit : field_name(shown.name);
  if (shown.name == "%") head_unit = "percent";
  return {.title = name_with_unit(words, shown.name),
          .words = words,
          .unit = shown.name,
          .factor = shown.factor,
          .column = {.name = field_name(name), .unit = lower_case(head_unit)},
          .low = {.name = field_name(name) + "_low", .unit = lower_case(head_unit)},
          .high = {.name = field_name(name) + "_high", .unit = lower_case(head_unit)}};
}

/// " ms" behind a number; of "1/s" the 1 would read as part of it.
std::string unit_behind(const std::string& unit) {
  if (unit.empty()) return "";
  return unit.starts_with("1/") ? " " + unit.substr(1) : " " + unit;
}

/// What is counted has no digits behind the point.
bool is_counted(double value) {
  constexpr double most_counted = 1e6;
  return value >= 0.0 && value < most_counted && value == std::floor(value);
}

std::string plain_number(double value) {
  constexpr int title_digits = 3;
  return is_counted(value) ? whole_text(value) : number_text(value, title_digits);
}

/// Money is written in capitals.
ShownUnit capital_money(ShownUnit unit) {
  if (unit.name.starts_with("usd")) unit.name.replace(0, 3, "USD");
  return unit;
}

}  // namespace

double SweptNumber::shown(double value) const {
  return factor == 1.0 ? value : rounded_to(value * factor, swept_digits);
}

std::string SweptNumber::text_of(double value) const {
  return number_text(value * factor, text_digits) + unit_behind(unit);
}

std::string SweptNumber::text_of(const SweepMetric& metric) const {
  const double known = shown(metric.mean);
  if (!metric.low && !metric.high && is_counted(known)) return whole_text(known) + unit_behind(unit);
  return estimate_text(metric.estimate(), factor) + unit_behind(unit);
}

SweptNumber swept_metric(const ShownMetric& metric, std::span<const SweepRow* const> rows) {
  std::vector<double> means;
  for (const SweepRow* row : rows)
    if (const SweepMetric* found = metric_at(*row, metric)) means.push_back(found->mean);
  if (is_share(metric))
    return swept_number(metric_title(metric.stem), metric.stem, {.name = "%", .factor = percent_factor}, metric.unit);
  return swept_number(metric_title(metric.stem), metric.stem,
                      capital_money(handiest_unit(means, metric.unit, unit_digits)), metric.unit);
}

SweptNumber swept_axis(const SweepTable& table, const ShownAxis& axis, std::size_t column) {
  const std::string& unit = table.axes.at(column).unit;
  ShownUnit shown{.name = axis.unit};
  for (const ShownUnit& candidate : readable_units(unit))
    if (candidate.name == axis.unit) shown = candidate;
  return swept_number(axis_title(axis.name), axis.name, shown, unit);
}

bool is_share(const ShownMetric& metric) {
  return metric.unit.empty() && metric.stem.ends_with("_fraction");
}

std::string range_words(double least, double most, const std::string& unit) {
  const std::string low = plain_number(least);
  const std::string high = plain_number(most);
  return (low == high ? low : low + " to " + high) + unit_behind(unit);
}

std::string place_words(const ShownAxis& axis, std::size_t value) {
  return axis_title(axis.name) + " " + with_unit(axis.labels.at(value), axis.unit);
}

std::string field_name(const std::string& name) {
  std::string field = name;
  std::replace_if(
      field.begin(), field.end(), [](char c) { return !is_word_character(c); }, '_');
  return field;
}

void make_heads_distinct(std::vector<RowColumn>& columns, std::size_t first_fixed) {
  std::set<std::string> taken;
  for (std::size_t i = first_fixed; i < columns.size(); ++i) taken.insert(columns[i].head());
  for (std::size_t i = 0; i < first_fixed; ++i)
    while (!taken.insert(columns[i].head()).second) columns[i].name += "_2";
}

}  // namespace saturn
