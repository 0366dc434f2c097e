#include "reports/page/page_parts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/page/page_data.hpp"
#include "reports/page/page_template.hpp"
#include "reports/web/web_files.hpp"
#include "reports/words/escaped_text.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

constexpr int streams_digits = 3;
constexpr double whole_from = 100.0;

}  // namespace

Table page_table(std::string caption, const std::vector<PageColumn>& columns) {
  Table table{.caption = std::move(caption), .readers = For::people};
  for (const PageColumn& column : columns)
    table.columns.push_back({.title = column.head, .shown = column.is_number ? Shown::number : Shown::word});
  return table;
}

void add_tables(PageSection& section, Answer answer, const std::vector<std::string>& places) {
  std::string heading;
  for (AnswerPart& part : answer.parts) {
    if (const auto* paragraph = std::get_if<Paragraph>(&part); paragraph != nullptr && paragraph->heading)
      heading = paragraph->text;
    auto* table = std::get_if<Table>(&part);
    if (table == nullptr || table->readers == For::programs || table->rows.empty()) continue;
    const std::string place = table->place.empty() ? "" : table->place.back();
    if (!places.empty() && std::find(places.begin(), places.end(), place) == places.end()) continue;
    if (table->caption.empty()) table->caption = heading;
    section.tables.push_back(std::move(*table));
  }
}

std::string quantile_text(const Estimate& seconds) {
  return seconds.caveat == Caveat::too_few_events ? std::string(words_of(seconds.caveat)) : time_text(seconds.mean);
}

std::string time_text(const Estimate& seconds) {
  if (!std::isfinite(seconds.mean)) return no_value;
  if (seconds.caveat != Caveat::none) return quantile_text(seconds) + ", " + std::string(words_of(seconds.caveat));
  const ShownUnit unit = shown_unit(seconds.mean, "s");
  return estimate_text(seconds, unit.factor) + " " + unit.name;
}

std::string time_text(const std::optional<double>& seconds) {
  return seconds ? time_text(*seconds) : no_value;
}

std::string streams_text(double streams) {
  if (!std::isfinite(streams)) return no_value;
  return streams >= whole_from ? whole_text(streams) : number_text(streams, streams_digits);
}

double as_streams(const SystemFacts& facts, double jobs) {
  return facts.jobs > 0.0 ? jobs * facts.clients / facts.jobs : jobs;
}

namespace {

Table checks_table(const std::vector<Check>& checks) {
  Table table = page_table("Laws that were checked", {{"law"}, {"holds"}, {"both sides"}});
  for (const Check& check : checks) table.add_row({check.name, check.passed, check.detail});
  return table;
}

// A sentence beside narrow columns would be squeezed to a word a line.
constexpr std::size_t letters_of_a_sentence = 40;
// A date would be parted at its hyphens.
constexpr std::size_t letters_of_a_word = 14;
// More need a smaller hand.
constexpr std::size_t columns_of_a_dense_table = 8;
// Longer tables are folded: they would part the figures before and after them.
constexpr std::size_t rows_in_sight = 18;

/// What a cell of each column has besides its tag: its class.
std::vector<std::string> cell_classes(const ShownTable& table) {
  std::vector<std::string> classes;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const bool is_long = std::any_of(table.rows.begin(), table.rows.end(),
                                     [&](const auto& row) { return row[i].size() > letters_of_a_sentence; });
    const bool is_short = std::all_of(table.rows.begin(), table.rows.end(),
                                      [&](const auto& row) { return row[i].size() <= letters_of_a_word; });
    classes.emplace_back(table.columns[i]->shown != Shown::word ? " class=\"number\""
                         : is_short                             ? " class=\"word\""
                         : is_long                              ? " class=\"sentence\""
                                                                : "");
  }
  return classes;
}

std::string folded(const std::string& summary, const std::string& html) {
  return page_part("fold", {{"summary", summary}, {"html", html}});
}

}  // namespace

std::string table_html(const Table& table) {
  const ShownTable seen(table);
  const std::vector<std::string> classes = cell_classes(seen);
  PageValue::List titles;
  for (std::size_t i = 0; i < seen.columns.size(); ++i)
    titles.push_back(PageValues{{"title", seen.columns[i]->title}, {"class", classes[i]}});
  PageValue::List rows;
  for (const std::vector<std::string>& row : seen.rows) {
    PageValue::List cells;
    for (std::size_t i = 0; i < row.size(); ++i) cells.push_back(PageValues{{"text", row[i]}, {"class", classes[i]}});
    rows.push_back(PageValues{{"cells", std::move(cells)}});
  }
  // A box that scrolls must be reachable by keyboard, and then it needs a name.
  return page_part("table", {{"caption", table.caption},
                             {"name", table.caption.empty() ? "table" : table.caption},
                             {"dense", seen.columns.size() >= columns_of_a_dense_table},
                             {"has_titles", seen.has_titles()},
                             {"titles", std::move(titles)},
                             {"rows", std::move(rows)},
                             {"remarks", table.remarks}});
}

std::string section_table_html(const Table& table) {
  if (table.rows.size() <= rows_in_sight) return table_html(table);
  Table bare = table;
  bare.caption.clear();
  return folded((table.caption.empty() ? "Table" : table.caption) + " (" + std::to_string(table.rows.size()) + " rows)",
                table_html(bare));
}

std::string assumptions_html(const std::vector<Assumption>& assumptions) {
  Table table = page_table("What the answer takes for granted",
                           {{"what"}, {"value"}, {"source, or what the scenario says of it"}});
  for (const Assumption& one : assumptions) table.add_row({one.what, one.value, one.source});
  return table_html(table);
}

std::string checks_html(const std::vector<Check>& checks) {
  std::vector<std::string> broken;
  for (const Check& check : checks)
    if (!check.passed) broken.push_back(check.name + ": " + check.detail);
  const std::string failed = broken.empty()
                                 ? ""
                                 : std::to_string(broken.size()) + " of " + std::to_string(checks.size()) +
                                       " laws that every run must satisfy " + (broken.size() == 1 ? "does" : "do") +
                                       " not hold: do not use these results.";
  const std::string hold = checks.size() == 1 ? "The law that every run must satisfy holds."
                                              : std::to_string(checks.size()) +
                                                    " laws that every run must satisfy were checked; all of them hold.";
  return page_part("checks", {{"failed", failed},
                              {"hold", hold},
                              {"broken", broken},
                              {"all", folded("Every law, with both of its sides", table_html(checks_table(checks)))}});
}

std::string provenance_html(const Provenance& provenance) {
  PageValue::List facts;
  const auto add = [&](const std::string& word, const std::string& text) {
    if (!text.empty()) facts.push_back(PageValues{{"word", word}, {"text", text}});
  };
  add("saturn", provenance.version);
  add("built from commit", provenance.git);
  add("SimGrid", provenance.simgrid);
  add("seed", std::to_string(provenance.seed));
  add("SHA-256 of the scenario", provenance.scenario_sha256);
  add("command", provenance.command);
  for (const FittedSource& source : provenance.fitted) {
    const std::string fits = joined(source.fits);
    add("fitted file", source.path + (fits.empty() ? "" : ": " + fits));
    add("its SHA-256", source.sha256);
  }
  if (provenance.fits_taken_as_exact) add("fitted values", "taken as exact: their uncertainty is not in the intervals");
  return page_part("provenance", {{"facts", std::move(facts)}});
}

std::string commands_html(const std::vector<std::string>& commands) {
  return page_part("commands", {{"commands", commands}});
}

std::string planner_html(const PlannerModel& model) {
  return page_part("planner", {{"why_not", model.why_not},
                               {"arrivals", model.arrivals_per_s.has_value()},
                               {"data", model.why_not.empty() ? script_json(planner_data(model)) : std::string()}});
}

namespace {

constexpr std::array<std::string_view, 3> bundles = {"vega.min.js", "vega-lite.min.js", "vega-embed.min.js"};
// Each after those that it uses.
constexpr std::array<std::string_view, 16> scripts = {
    "number_words.js",        "planner_system.js",    "planner_closed.js",       "planner_open.js",
    "planner_network.js",     "planner_inputs.js",    "planner_words.js",        "planner_chart.js",
    "planner_closed_view.js", "planner_open_view.js", "planner_network_view.js", "drawing.js",
    "linked_map.js",          "trace_player.js",      "planner_panel.js",        "page.js"};

std::string_view text_of(std::span<const EmbeddedFile> web, std::string_view name) {
  const auto file = std::find_if(web.begin(), web.end(), [&](const EmbeddedFile& one) { return one.name == name; });
  return file == web.end() ? std::string_view() : file->text;
}

}  // namespace

std::string page_style(std::span<const EmbeddedFile> web) {
  return std::string(text_of(web, "page.css"));
}

std::vector<std::string> page_scripts(std::span<const EmbeddedFile> web) {
  std::vector<std::string> codes;
  const auto add = [&](std::string_view name) {
    if (const std::string_view text = text_of(web, name); !text.empty()) codes.push_back(script_code(text));
  };
  if (has_bundles(web)) std::ranges::for_each(bundles, add);
  std::ranges::for_each(scripts, add);
  return codes;
}

std::string bundle_licences(std::span<const EmbeddedFile> web) {
  return has_bundles(web) ? std::string(text_of(web, "bundle-licences.txt")) : "";
}

namespace {

constexpr std::size_t most_rows_shown = 200;
constexpr int cell_digits = 6;

std::string row_cell_text(const RowCell& cell) {
  if (const double* value = std::get_if<double>(&cell)) {
    return std::isfinite(*value) ? compact_number(*value, cell_digits) : no_value;
  }
  if (const std::string* word = std::get_if<std::string>(&cell)) return *word;
  return no_value;
}

Table rows_table(const Figure& figure) {
  Table table{.caption = "Rows of this figure: " + figure.title, .readers = For::people};
  for (const RowColumn& column : figure.rows.columns)
    table.columns.push_back({.title = column.head(), .shown = Shown::number});
  const std::size_t shown = std::min(figure.rows.rows.size(), most_rows_shown);
  for (std::size_t i = 0; i < shown; ++i) {
    std::vector<Cell> row;
    for (std::size_t j = 0; j < figure.rows.rows[i].size(); ++j) {
      if (std::holds_alternative<std::string>(figure.rows.rows[i][j])) table.columns.at(j).shown = Shown::word;
      row.emplace_back(row_cell_text(figure.rows.rows[i][j]));
    }
    table.add_row(std::move(row));
  }
  return table;
}

std::string folded_rows(const Figure& figure) {
  const std::size_t count = figure.rows.rows.size();
  if (count == 0) return "";
  std::string summary = count == 1 ? "Its one row" : "Its " + whole_text(count) + " rows";
  if (count > most_rows_shown) summary += ", the first " + std::to_string(most_rows_shown) + " of them";
  return folded(summary, table_html(rows_table(figure)));
}

/// Why a figure has no picture; empty where it has one.
std::string why_not_drawn(const Figure& figure, bool can_draw) {
  if (!figure.cannot.empty()) return figure.cannot;
  if (figure.spec.empty()) return "This figure has nothing to draw.";
  return can_draw ? ""
                  : "This figure is not drawn: saturn was built without the drawing bundles. Install node and npm, "
                    "build saturn again, and repeat the command of this report.";
}

}  // namespace

std::string figure_html(const Figure& figure, bool can_draw) {
  const std::string cannot = why_not_drawn(figure, can_draw);
  const bool drawn = cannot.empty();
  // A drawn figure carries its title and subtitle inside.
  return page_part("figure", {{"id", html_id(figure.name)},
                              {"name", figure.name},
                              {"label", figure.title + (figure.caption.empty() ? "" : ". " + figure.caption)},
                              {"title", figure.title},
                              {"subtitle", figure.subtitle},
                              {"caption", figure.caption},
                              {"drawn", drawn},
                              {"cannot", cannot},
                              {"rows", drawn ? std::string() : folded_rows(figure)},
                              {"data", drawn ? script_json(figure_data(figure)) : std::string()}});
}

std::string linked_map_html(const LinkedMap& linked) {
  return page_part("map", {{"figure", linked.figure}, {"data", script_json(map_data(linked))}});
}

}  // namespace saturn
