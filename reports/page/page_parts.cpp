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

std::string jobs_text(const SystemFacts& facts) {
  const std::string jobs = counted(facts.jobs, "job");
  return facts.jobs == facts.clients ? jobs : jobs + " with " + counted(facts.clients, "stream");
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

std::string definition(const std::string& word, const std::string& text) {
  if (text.empty()) return "";
  return "<dt>" + html_text(word) + "</dt><dd>" + html_text(text) + "</dd>\n";
}

std::string fitted_html(const FittedSource& source) {
  const std::string fits = joined(source.fits);
  return definition("fitted file", source.path + (fits.empty() ? "" : ": " + fits)) +
         definition("its SHA-256", source.sha256);
}

// A sentence beside narrow columns would be squeezed to a word a line.
constexpr std::size_t letters_of_a_sentence = 40;
// A date would be parted at its hyphens.
constexpr std::size_t letters_of_a_word = 14;
// More need a smaller hand.
constexpr std::size_t columns_of_a_dense_table = 8;
// Longer tables are folded: they would part the figures before and after them.
constexpr std::size_t rows_in_sight = 18;

/// What a cell of each column begins with: "<td", with its class.
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

std::string row_html(const std::vector<std::string>& classes, const std::vector<std::string>& row) {
  std::string html = "<tr>";
  for (std::size_t i = 0; i < row.size(); ++i) html += "<td" + classes[i] + ">" + html_text(row[i]) + "</td>";
  return html + "</tr>\n";
}

std::string folded(const std::string& summary, const std::string& html) {
  return "<details class=\"fold\"><summary>" + html_text(summary) + "</summary>\n" + html + "</details>\n";
}

}  // namespace

std::string table_html(const Table& table) {
  // A box that scrolls must be reachable by keyboard, and then it needs a name.
  const ShownTable seen(table);
  std::string html = "<div class=\"table-box\" tabindex=\"0\" role=\"region\" aria-label=\"" +
                     html_text(table.caption.empty() ? "table" : table.caption) + "\">\n<table" +
                     (seen.columns.size() >= columns_of_a_dense_table ? " class=\"dense\"" : "") + ">\n";
  const std::vector<std::string> classes = cell_classes(seen);
  if (seen.has_titles()) {
    html += "<thead><tr>";
    for (std::size_t i = 0; i < seen.columns.size(); ++i)
      html += "<th scope=\"col\"" + classes[i] + ">" + html_text(seen.columns[i]->title) + "</th>";
    html += "</tr></thead>\n";
  }
  html += "<tbody>\n";
  for (const std::vector<std::string>& row : seen.rows) html += row_html(classes, row);
  html += "</tbody>\n</table>\n</div>\n";
  for (const std::string& remark : table.remarks) html += "<p>" + html_text(remark) + "</p>\n";
  return table.caption.empty() ? html : "<p class=\"caption\">" + html_text(table.caption) + "</p>\n" + html;
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
  for (const Assumption& one : assumptions)
    table.add_row({one.what, one.value, one.source.empty() ? "assumed" : one.source});
  return table_html(table);
}

std::string checks_html(const std::vector<Check>& checks) {
  const auto failed = std::count_if(checks.begin(), checks.end(), [](const Check& check) { return !check.passed; });
  std::string html = "<p>";
  if (failed == 0) {
    html += checks.size() == 1
                ? "The law that every run must satisfy holds."
                : std::to_string(checks.size()) + " laws that every run must satisfy were checked; all of them hold.";
  } else {
    html += "<strong class=\"failed\">" + std::to_string(failed) + " of " + std::to_string(checks.size()) +
            " laws that every run must satisfy " + (failed == 1 ? "does" : "do") +
            " not hold: do not use these results.</strong>";
  }
  html += "</p>\n";
  for (const Check& check : checks) {
    if (!check.passed) html += "<p class=\"failed\">" + html_text(check.name + ": " + check.detail) + "</p>\n";
  }
  return html + folded("Every law, with both of its sides", table_html(checks_table(checks)));
}

std::string provenance_html(const Provenance& provenance) {
  std::string html = "<dl class=\"provenance\">\n";
  html += definition("saturn", provenance.version);
  html += definition("built from commit", provenance.git);
  html += definition("SimGrid", provenance.simgrid);
  html += definition("seed", std::to_string(provenance.seed));
  html += definition("SHA-256 of the scenario", provenance.scenario_sha256);
  html += definition("command", provenance.command);
  for (const FittedSource& source : provenance.fitted) html += fitted_html(source);
  if (provenance.fits_taken_as_exact)
    html += definition("fitted values", "taken as exact: their uncertainty is not in the intervals");
  return html + "</dl>\n";
}

std::string commands_html(const std::vector<std::string>& commands) {
  std::string html;
  for (const std::string& command : commands) {
    html += "<div class=\"command\"><pre><code>" + html_text(command) +
            "</code></pre><button type=\"button\" class=\"copy\" hidden>Copy</button></div>\n";
  }
  return html;
}

std::string planner_html(const PlannerModel& model) {
  if (!model.why_not.empty()) return "<p class=\"cannot\">" + html_text(model.why_not) + "</p>\n";
  const std::string bounds = model.arrivals_per_s ? " The formulas take the best batch and no waiting by chance, which "
                                                    "makes them bounds: in the long run no system loses less."
                                                  : "";
  return "<p>Move a slider, or type a value: the formulas answer at once. What was simulated does not move; it "
         "belongs to the present values." +
         bounds +
         "</p>\n<div id=\"planner-panel\"><p class=\"cannot\">The panel needs JavaScript."
         "</p></div>\n<script type=\"application/json\" id=\"planner-data\">" +
         script_json(planner_data(model)) + "</script>\n";
}

namespace {

constexpr std::array<std::string_view, 3> bundles = {"vega.min.js", "vega-lite.min.js", "vega-embed.min.js"};
// Each after those that it uses.
constexpr std::array<std::string_view, 13> scripts = {
    "number_words.js",  "planner_system.js",      "planner_closed.js",
    "planner_open.js",  "planner_inputs.js",      "planner_words.js",
    "planner_chart.js", "planner_closed_view.js", "planner_open_view.js",
    "drawing.js",       "linked_map.js",          "planner_panel.js",
    "page.js"};

std::string_view text_of(std::span<const EmbeddedFile> web, std::string_view name) {
  const auto file = std::find_if(web.begin(), web.end(), [&](const EmbeddedFile& one) { return one.name == name; });
  return file == web.end() ? std::string_view() : file->text;
}

std::string script_html(std::span<const EmbeddedFile> web, std::string_view name) {
  const std::string_view text = text_of(web, name);
  return text.empty() ? "" : "<script>\n" + script_code(text) + "\n</script>\n";
}

}  // namespace

std::string style_html(std::span<const EmbeddedFile> web) {
  return "<style>\n" + std::string(text_of(web, "page.css")) + "</style>\n";
}

std::string scripts_html(std::span<const EmbeddedFile> web) {
  std::string html;
  if (has_bundles(web)) {
    for (const std::string_view name : bundles) html += script_html(web, name);
  }
  for (const std::string_view name : scripts) html += script_html(web, name);
  return html;
}

std::string licences_html(std::span<const EmbeddedFile> web) {
  const std::string_view text = text_of(web, "bundle-licences.txt");
  if (text.empty() || !has_bundles(web)) return "";
  return "<details class=\"licences\"><summary>Licences of the code that draws the figures</summary>\n<pre>" +
         html_text(text) + "</pre></details>\n";
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
  return "<details class=\"fold\"><summary>" + summary + "</summary>\n" + table_html(rows_table(figure)) +
         "</details>\n";
}

std::string place_html(const Figure& figure, bool can_draw) {
  if (!figure.cannot.empty() || figure.spec.empty()) {
    return "<p class=\"cannot\">" +
           html_text(figure.cannot.empty() ? "This figure has nothing to draw." : figure.cannot) + "</p>\n" +
           folded_rows(figure);
  }
  if (!can_draw) {
    return "<p class=\"cannot\">This figure is not drawn: saturn was built without the drawing bundles. Install node "
           "and "
           "npm, build saturn again, and repeat the command of this report.</p>\n" +
           folded_rows(figure);
  }
  return "<div class=\"drawing\" tabindex=\"0\" role=\"group\" aria-label=\"" + html_text(figure.title) +
         "\"><p class=\"cannot waiting\">This figure is drawn by JavaScript when it comes into view.</p></div>\n";
}

}  // namespace

std::string figure_html(const Figure& figure, bool can_draw) {
  const bool drawn = can_draw && figure.cannot.empty() && !figure.spec.empty();
  std::string html = "<figure id=\"figure-" + html_id(figure.name) + "\" data-name=\"" + html_text(figure.name) + "\"" +
                     (drawn ? " class=\"drawn\"" : "") + " aria-label=\"" +
                     html_text(figure.title + (figure.caption.empty() ? "" : ". " + figure.caption)) + "\">\n";
  // A drawn figure carries its title and subtitle inside.
  if (!drawn) {
    html += "<p class=\"figure-title\">" + html_text(figure.title) + "</p>\n";
    if (!figure.subtitle.empty()) html += "<p class=\"figure-subtitle\">" + html_text(figure.subtitle) + "</p>\n";
  }
  html += place_html(figure, can_draw);
  html += "<figcaption>" + html_text(figure.caption) + "</figcaption>\n";
  if (drawn) {
    html +=
        "<script type=\"application/json\" class=\"figure-data\">" + script_json(figure_data(figure)) + "</script>\n";
  }
  return html + "</figure>\n";
}

std::string linked_map_html(const LinkedMap& linked) {
  return "<div class=\"linked\" data-figure=\"" + html_text(linked.figure) +
         "\">\n<script type=\"application/json\" class=\"map-data\">" + script_json(map_data(linked)) +
         "</script>\n</div>\n";
}

}  // namespace saturn
