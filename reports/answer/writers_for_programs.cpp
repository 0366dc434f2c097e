#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "models/values/text.hpp"
#include "models/words/texts.hpp"
#include "reports/answer/answer.hpp"
#include "reports/tables/json_parts.hpp"

namespace saturn {

namespace {

using Json = nlohmann::ordered_json;

/// {mean, low, high, confidence, replications}; where fitted parameters widen the interval, what it is made of:
/// {low_simulation, high_simulation, from}.
Json json_estimate(const Estimate& estimate) {
  Json json = {{"mean", json_number<Json>(estimate.mean)},
               {"low", json_number<Json>(estimate.low)},
               {"high", json_number<Json>(estimate.high)},
               {"confidence", estimate.confidence},
               {"replications", estimate.replications}};
  if (estimate.parts) {
    json["low_simulation"] = json_number<Json>(estimate.parts->low_simulation);
    json["high_simulation"] = json_number<Json>(estimate.parts->high_simulation);
    json["from"] = Json::array();
    for (const CalibrationShare& share : estimate.parts->calibration)
      json["from"].push_back({{"about", share.about}, {"half_width", json_number<Json>(share.half_width)}});
  }
  if (estimate.caveat != Caveat::none) json["caveat"] = words_of(estimate.caveat);
  return json;
}

/// {p99, p99_low, p99_high}; {p99: null, p99_withheld} where there are too few events beyond it
void add_quantile(Json& json, const std::string& name, const Estimate& quantile) {
  if (quantile.caveat == Caveat::too_few_events) {
    json[name] = nullptr;
    json[name + "_withheld"] = words_of(quantile.caveat);
    return;
  }
  json[name] = json_number<Json>(quantile.mean);
  json[name + "_low"] = json_number<Json>(quantile.low);
  json[name + "_high"] = json_number<Json>(quantile.high);
}

Json json_cell(const Cell& value) {
  struct Writer {
    Json operator()(std::monostate) const { return nullptr; }
    Json operator()(bool is) const { return is; }
    Json operator()(std::uint64_t count) const { return count; }
    Json operator()(double number) const { return json_number<Json>(number); }
    Json operator()(const Estimate& estimate) const { return json_estimate(estimate); }
    Json operator()(const std::string& word) const { return word; }
    Json operator()(const std::vector<std::string>& words) const { return words; }
  };
  return std::visit(Writer{}, value);
}

/// Puts a value where there may be parts of it already, as quantiles stand beside their mean. Lists go on.
void put(Json& place, Json value) {
  if (place.is_object() && value.is_object())
    place.update(value);
  else if (place.is_array() && value.is_array())
    place.insert(place.end(), value.begin(), value.end());
  else
    place = std::move(value);
}

Json& at_place(Json& json, const std::vector<std::string>& place) {
  Json* found = &json;
  for (const std::string& name : place) found = &(*found)[name];
  return *found;
}

void add_cell(Json& row, const Column& column, const Cell& value) {
  std::vector<std::string> path;
  for (const std::string_view part : split_at(column.json, '/'))
    if (!part.empty()) path.emplace_back(part);
  if (path.empty()) path.push_back(column.key);
  if (path.back() == "*") path.back() = column.key;
  const auto* estimate = std::get_if<Estimate>(&value);
  if (column.quantile && estimate != nullptr) {
    const std::string name = path.back();
    path.pop_back();
    add_quantile(at_place(row, path), name, *estimate);
  } else {
    put(at_place(row, path), json_cell(value));
  }
}

Json json_row(const Table& table, const std::vector<Cell>& cells, std::size_t first) {
  Json row = Json::object();
  for (std::size_t c = first; c < cells.size(); ++c)
    if (table.columns[c].readers != For::people) add_cell(row, table.columns[c], cells[c]);
  return row;
}

Json json_table(const Table& table) {
  if (table.shape == JsonShape::object) return json_row(table, table.rows.at(0), 0);
  if (table.shape == JsonShape::by_name) {
    Json json = Json::object();
    for (const std::vector<Cell>& cells : table.rows)
      json[std::get<std::string>(cells.at(0))] = json_row(table, cells, 1);
    return json;
  }
  Json json = Json::array();
  for (const std::vector<Cell>& cells : table.rows) json.push_back(json_row(table, cells, 0));
  return json;
}

}  // namespace

std::string json_text(const Answer& answer) {
  if (answer.json_file) return answer.json_file();
  Json document = Json::object();
  if (!answer.provenance.version.empty()) document["provenance"] = json_provenance<Json>(answer.provenance);
  for (const AnswerPart& part : answer.parts) {
    if (const auto* table = std::get_if<Table>(&part); table != nullptr && table->readers != For::people)
      put(at_place(document, table->place), json_table(*table));
    if (const auto* paragraph = std::get_if<Paragraph>(&part); paragraph != nullptr && !paragraph->place.empty())
      at_place(document, paragraph->place) = paragraph->is_json ? Json::parse(paragraph->text) : Json(paragraph->text);
  }
  return json_document(document);
}

namespace {

std::string csv_interval(const Estimate& estimate, double low, double high) {
  return csv_number(estimate.mean) + ',' + csv_number(low) + ',' + csv_number(high) + ',' +
         csv_number(estimate.confidence) + ',' + std::to_string(estimate.replications);
}

/// Tidy comma-separated rows (RFC 4180, lines end in a newline): one number a row, the unit in the quantity's name.
class CsvRows {
 public:
  /// Where fitted parameters widen an interval, rows follow with the simulation's own and each fit's share.
  void add(const std::string& section, const std::string& name, const std::string& quantity, const Estimate& estimate) {
    if (estimate.caveat == Caveat::too_few_events)
      return add_words(section, name, quantity, std::string(words_of(estimate.caveat)));
    add_interval(section, name, quantity, estimate, estimate.low, estimate.high);
    if (estimate.caveat != Caveat::none)
      add_words(section, name, quantity + "_caveat", std::string(words_of(estimate.caveat)));
    if (!estimate.parts) return;
    const IntervalParts& parts = *estimate.parts;
    add_interval(section, name, quantity + "_simulation", estimate, parts.low_simulation, parts.high_simulation);
    for (const CalibrationShare& share : parts.calibration)
      add_exact(section, name + "/" + share.about, quantity + "_half_width", csv_number(share.half_width));
  }
  /// An exact number has no interval: those cells are empty.
  void add_exact(const std::string& section, const std::string& name, const std::string& quantity,
                 const std::string& number) {
    begin(section, name, quantity);
    text_ += number + ",,,,,\n";
  }
  /// Words have a column of their own, so that the others hold numbers alone.
  void add_words(const std::string& section, const std::string& name, const std::string& quantity,
                 const std::string& words) {
    begin(section, name, quantity);
    text_ += ",,,,," + csv_cell(words) + "\n";
  }
  const std::string& text() const { return text_; }

 private:
  void begin(const std::string& section, const std::string& name, const std::string& quantity) {
    text_ += csv_cell(section) + ',' + csv_cell(name) + ',' + csv_cell(quantity) + ',';
  }
  void add_interval(const std::string& section, const std::string& name, const std::string& quantity,
                    const Estimate& estimate, double low, double high) {
    begin(section, name, quantity);
    text_ += csv_interval(estimate, low, high) + ",\n";
  }

  std::string text_ = "section,name,quantity,mean,low,high,confidence,replications,text\n";
};

/// What is not measured; a word is not quoted.
std::string exact_cell_text(const Cell& value) {
  struct Writer {
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(bool is) const { return is ? "1" : "0"; }
    std::string operator()(std::uint64_t count) const { return csv_number(static_cast<double>(count)); }
    std::string operator()(double number) const { return csv_number(number); }
    std::string operator()(const Estimate&) const { return ""; }
    std::string operator()(const std::string& word) const { return word; }
    std::string operator()(const std::vector<std::string>& words) const { return joined(words, "; "); }
  };
  return std::visit(Writer{}, value);
}

bool is_words(const Cell& value) {
  return std::holds_alternative<std::string>(value) || std::holds_alternative<std::vector<std::string>>(value);
}

/// The words that tell a row from the others.
std::string name_of_row(const Table& table, const std::vector<Cell>& cells) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < cells.size(); ++c)
    if (table.columns[c].names) names.push_back(cell_text(table.columns[c], cells[c]));
  return names.empty() ? cell_text(table.columns.at(0), cells.at(0)) : joined(names, "/");
}

void add_rows(CsvRows& rows, const Table& table) {
  // All documents put what was found below "result", which says nothing to whoever reads a table.
  std::vector<std::string> place = table.place;
  if (!place.empty() && place.front() == "result") place.erase(place.begin());
  const std::string section = place.empty() ? "result" : place.front();
  if (!place.empty()) place.erase(place.begin());
  const std::string owner = joined(place, "/");
  for (const std::vector<Cell>& cells : table.rows) {
    std::string name = owner;
    if (table.shape != JsonShape::object) append_part(name, name_of_row(table, cells), name.empty() ? "" : "/");
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const Column& column = table.columns[c];
      const bool is_name = table.shape != JsonShape::object && (column.names || c == 0);
      if (column.readers == For::people || is_name) continue;
      if (const auto* estimate = std::get_if<Estimate>(&cells[c]))
        rows.add(section, name, column.key, *estimate);
      else if (is_words(cells[c]))
        rows.add_words(section, name, column.key, exact_cell_text(cells[c]));
      else
        rows.add_exact(section, name, column.key, exact_cell_text(cells[c]));
    }
  }
}

std::string wide_cell(const Cell& value) {
  if (const auto* estimate = std::get_if<Estimate>(&value))
    return csv_interval(*estimate, estimate->low, estimate->high);
  if (const auto* count = std::get_if<std::uint64_t>(&value)) return std::to_string(*count);
  if (const auto* is = std::get_if<bool>(&value)) return *is ? "true" : "false";
  return csv_cell(exact_cell_text(value));
}

bool is_measured(const Table& table, std::size_t column) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [&](const auto& row) { return std::holds_alternative<Estimate>(row[column]); });
}

std::string wide_csv(const Table& table) {
  std::string text;
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    if (table.columns[c].readers != For::people)
      append_part(text,
                  csv_cell(table.columns[c].key) + (is_measured(table, c) ? ",low,high,confidence,replications" : ""),
                  ",");
  text += "\n";
  for (const std::vector<Cell>& row : table.rows) {
    std::vector<std::string> cells;
    for (std::size_t c = 0; c < row.size(); ++c)
      if (table.columns[c].readers != For::people)
        cells.push_back(wide_cell(row[c]) +
                        (is_measured(table, c) && !std::holds_alternative<Estimate>(row[c]) ? ",,,," : ""));
    text += joined(cells, ",") + "\n";
  }
  return text;
}

}  // namespace

std::string csv_text(const Answer& answer) {
  if (answer.csv_file) return answer.csv_file();
  for (const AnswerPart& part : answer.parts)
    if (const auto* table = std::get_if<Table>(&part); table != nullptr && table->csv_alone) return wide_csv(*table);
  CsvRows rows;
  for (const AnswerPart& part : answer.parts) {
    if (const auto* table = std::get_if<Table>(&part); table != nullptr && table->readers != For::people)
      add_rows(rows, *table);
    if (const auto* paragraph = std::get_if<Paragraph>(&part);
        paragraph != nullptr && !paragraph->place.empty() && !paragraph->is_json)
      rows.add_words(paragraph->place.front(), "", paragraph->place.back(), paragraph->text);
  }
  return rows.text();
}

}  // namespace saturn
