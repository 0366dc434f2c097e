#include "reports/figures/figure.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <map>

#include "models/values/text.hpp"
#include "models/words/texts.hpp"
#include "reports/tables/json_parts.hpp"

namespace saturn {

namespace {

using Json = nlohmann::ordered_json;

std::string csv_text_of(const RowCell& cell) {
  if (const double* number = std::get_if<double>(&cell)) return csv_number(*number);
  if (const std::string* word = std::get_if<std::string>(&cell)) return csv_cell(*word);
  return "";
}

Json json_of(const RowCell& cell) {
  if (const double* number = std::get_if<double>(&cell)) return std::isfinite(*number) ? Json(*number) : Json(nullptr);
  if (const std::string* word = std::get_if<std::string>(&cell)) return *word;
  return nullptr;
}

// Words repeat in every row: each is written once, and the rows hold its number.
Json column_of(const TidyRows& rows, std::size_t column) {
  Json plain = Json::array();
  Json numbers = Json::array();
  Json words = Json::array();
  std::map<std::string, std::size_t> known;
  bool all_words = !rows.rows.empty();
  for (const std::vector<RowCell>& row : rows.rows) {
    plain.push_back(json_of(row[column]));
    const std::string* word = std::get_if<std::string>(&row[column]);
    if (word == nullptr) {
      all_words = false;
      continue;
    }
    const auto [entry, is_new] = known.emplace(*word, known.size());
    if (is_new) words.push_back(*word);
    numbers.push_back(entry->second);
  }
  if (!all_words || known.size() == rows.rows.size()) return plain;
  return {{"words", std::move(words)}, {"of", std::move(numbers)}};
}

// Vega-Lite guesses types from the first rows; an empty first cell would make a word of a number.
Json parse_of(const TidyRows& rows) {
  Json parse = Json::object();
  for (std::size_t i = 0; i < rows.columns.size(); ++i) {
    bool has_words = false;
    for (const std::vector<RowCell>& row : rows.rows)
      has_words = has_words || std::holds_alternative<std::string>(row[i]);
    parse[rows.columns[i].head()] = has_words ? "string" : "number";
  }
  return parse;
}

// The caption goes with the drawing, where programs that read pictures aloud look for it.
Json described_spec(const Figure& figure) {
  Json spec = Json::parse(figure.spec);
  if (!figure.caption.empty()) spec["description"] = figure.caption;
  return spec;
}

}  // namespace

std::string rows_csv(const TidyRows& rows) {
  std::string text;
  const auto head_of = [](const RowColumn& column) { return csv_cell(column.head()); };
  text += joined(texts_of(rows.columns, head_of), ",") + "\n";
  for (const std::vector<RowCell>& row : rows.rows) text += joined(texts_of(row, csv_text_of), ",") + "\n";
  return text;
}

std::string rows_json(const TidyRows& rows) {
  Json heads = Json::array();
  Json values = Json::array();
  for (std::size_t i = 0; i < rows.columns.size(); ++i) {
    heads.push_back(rows.columns[i].head());
    values.push_back(column_of(rows, i));
  }
  return json_line(Json{{"columns", std::move(heads)}, {"values", std::move(values)}});
}

std::string figure_subtitle(const std::string& scenario, std::uint64_t seed) {
  return scenario + ", seed " + std::to_string(seed);
}

std::string spec_beside_csv(const Figure& figure) {
  Json spec = described_spec(figure);
  spec["data"] = {{"url", figure.name + ".csv"}, {"format", {{"type", "csv"}, {"parse", parse_of(figure.rows)}}}};
  return json_document(spec);
}

std::string spec_with_rows(const Figure& figure) {
  Json spec = described_spec(figure);
  Json values = Json::array();
  for (const std::vector<RowCell>& row : figure.rows.rows) {
    Json object = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i) object[figure.rows.columns[i].head()] = json_of(row[i]);
    values.push_back(std::move(object));
  }
  spec["data"] = {{"values", std::move(values)}};
  return json_document(spec);
}

}  // namespace saturn
