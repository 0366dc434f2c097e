#include <algorithm>
#include <cmath>

#include "reports/number_text.hpp"
#include "reports/page/html_text.hpp"
#include "reports/page/page_data.hpp"
#include "reports/page/page_parts.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_rows_shown = 200;
constexpr int cell_digits = 6;

std::string cell_text(const RowCell& cell) {
  if (const double* value = std::get_if<double>(&cell)) {
    return std::isfinite(*value) ? compact_number(*value, cell_digits) : no_value;
  }
  if (const std::string* word = std::get_if<std::string>(&cell)) return *word;
  return no_value;
}

PageTable rows_table(const Figure& figure) {
  PageTable table{.caption = "Rows of this figure: " + figure.title, .head = {}, .rows = {}, .is_number = {}};
  for (const RowColumn& column : figure.rows.columns) {
    table.head.push_back(column.head());
    table.is_number.push_back(true);
  }
  const std::size_t shown = std::min(figure.rows.rows.size(), most_rows_shown);
  for (std::size_t i = 0; i < shown; ++i) {
    std::vector<std::string> row;
    for (std::size_t j = 0; j < figure.rows.rows[i].size(); ++j) {
      if (j < table.is_number.size() && std::holds_alternative<std::string>(figure.rows.rows[i][j]))
        table.is_number[j] = false;
      row.push_back(cell_text(figure.rows.rows[i][j]));
    }
    table.rows.push_back(std::move(row));
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
