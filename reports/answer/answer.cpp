#include "reports/answer/answer.hpp"

#include <cmath>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "models/words/texts.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

Cell cell(const std::optional<double>& number) {
  return number ? Cell(*number) : Cell();
}

Cell cell_word(const std::string& word) {
  return word.empty() ? Cell() : Cell(word);
}

std::vector<std::string> below(std::vector<std::string> place, std::string name) {
  place.push_back(std::move(name));
  return place;
}

Column hidden(std::string key) {
  return {.key = std::move(key), .readers = For::programs};
}

Table facts_for_programs(std::vector<std::string> place) {
  Table table{.place = std::move(place), .shape = JsonShape::object, .readers = For::programs};
  table.rows.emplace_back();
  return table;
}

void Table::add_row(std::vector<Cell> cells) {
  if (cells.size() != columns.size()) throw std::invalid_argument("a table row needs one cell a column");
  rows.push_back(std::move(cells));
}

void Table::add(std::string key, Cell value) {
  columns.push_back(hidden(key));
  columns.back().json = std::move(key);
  rows.front().push_back(std::move(value));
}

void Table::add(const Measure& measure, const Estimate& estimate) {
  Column column = hidden(measure.key());
  column.json = measure.json;
  column.quantile = is_quantile(measure.average);
  columns.push_back(std::move(column));
  rows.front().push_back(is_exact(measure.average) && measure.average != Average::exact_mean ? Cell(estimate.mean)
                                                                                             : Cell(estimate));
}

Table& Answer::add(Table table) {
  parts.emplace_back(std::move(table));
  return std::get<Table>(parts.back());
}

void Answer::add_facts(std::vector<std::string> place, const std::vector<std::pair<std::string, Cell>>& facts) {
  Table table = facts_for_programs(std::move(place));
  for (const auto& [key, value] : facts) table.add(key, value);
  add(std::move(table));
}

void Answer::say(std::string text, std::vector<std::string> place) {
  parts.emplace_back(Paragraph{.text = std::move(text), .details = false, .place = std::move(place)});
}

void Answer::detail(std::string text, bool heading) {
  parts.emplace_back(Paragraph{.text = std::move(text), .heading = heading});
}

void Answer::remark(const std::vector<std::pair<std::string, std::string>>& remarks, bool details) {
  auto* above = parts.empty() ? nullptr : std::get_if<Table>(&parts.back());
  Table alone{.readers = For::people, .details = details};
  const bool belongs = above != nullptr && above->readers != For::programs && above->details == details;
  Table& table = belongs ? *above : alone;
  for (const auto& [name, remark] : remarks)
    if (!remark.empty()) table.remarks.push_back(name + ": " + remark);
  if (!alone.remarks.empty()) add(std::move(alone));
}

namespace {

std::string text_of_number(const Column& column, double value) {
  switch (column.shown) {
    case Shown::whole:
      return whole_text(value * column.factor);
    case Shown::percent:
      return percent_text(value, column.digits == 4 ? 2 : column.digits);
    case Shown::slower:
      return slower_text(value);
    case Shown::word:
    case Shown::number:
    case Shown::mean:
      return number_text(value * column.factor, column.digits);
  }
  return {};
}

std::string text_of_estimate(const Column& column, const Estimate& value) {
  switch (column.shown) {
    case Shown::percent:
      return percent_text(value);
    case Shown::slower:
      return slower_text(value);
    case Shown::whole:
    case Shown::mean:
      return mean_text(value, column.factor, column.digits);
    case Shown::word:
    case Shown::number:
      return estimate_text(value, column.factor);
  }
  return {};
}

}  // namespace

std::string cell_text(const Column& column, const Cell& value) {
  struct Reader {
    const Column& column;
    std::string operator()(std::monostate) const { return column.shown == Shown::word ? "" : no_value; }
    std::string operator()(bool is) const { return is ? "yes" : "no"; }
    std::string operator()(std::uint64_t count) const { return whole_text(count); }
    std::string operator()(double number) const { return text_of_number(column, number); }
    std::string operator()(const Estimate& estimate) const { return text_of_estimate(column, estimate); }
    std::string operator()(const std::string& word) const { return word; }
    std::string operator()(const std::vector<std::string>& words) const { return joined(words); }
  };
  return std::visit(Reader{column}, value);
}

}  // namespace saturn
