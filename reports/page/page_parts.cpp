#include "reports/page/page_parts.hpp"

#include <algorithm>
#include <cstddef>

#include "models/words/texts.hpp"
#include "reports/page/html_text.hpp"
#include "reports/page/page_data.hpp"

namespace saturn {

namespace {

PageTable checks_table(const std::vector<Check>& checks) {
  PageTable table{
      .caption = "Laws that were checked", .head = {"law", "holds", "both sides"}, .rows = {}, .is_number = {}};
  for (const Check& check : checks) table.rows.push_back({check.name, check.passed ? "yes" : "no", check.detail});
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
std::vector<std::string> cell_classes(const PageTable& table) {
  std::size_t columns = table.head.size();
  for (const std::vector<std::string>& row : table.rows) columns = std::max(columns, row.size());
  std::vector<std::string> classes(columns);
  for (std::size_t i = 0; i < columns; ++i) {
    const bool is_number = i < table.is_number.size() && table.is_number[i];
    const bool is_long = std::any_of(table.rows.begin(), table.rows.end(), [&](const std::vector<std::string>& row) {
      return i < row.size() && row[i].size() > letters_of_a_sentence;
    });
    const bool is_short = std::all_of(table.rows.begin(), table.rows.end(), [&](const std::vector<std::string>& row) {
      return i >= row.size() || row[i].size() <= letters_of_a_word;
    });
    if (is_number) {
      classes[i] = " class=\"number\"";
    } else if (is_short) {
      classes[i] = " class=\"word\"";
    } else if (is_long) {
      classes[i] = " class=\"sentence\"";
    }
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

std::string table_html(const PageTable& table) {
  // A box that scrolls must be reachable by keyboard, and then it needs a name.
  std::string html = "<div class=\"table-box\" tabindex=\"0\" role=\"region\" aria-label=\"" +
                     html_text(table.caption.empty() ? "table" : table.caption) + "\">\n<table" +
                     (table.head.size() >= columns_of_a_dense_table ? " class=\"dense\"" : "") + ">\n";
  const std::vector<std::string> classes = cell_classes(table);
  if (!table.head.empty()) {
    html += "<thead><tr>";
    for (std::size_t i = 0; i < table.head.size(); ++i)
      html += "<th scope=\"col\"" + classes[i] + ">" + html_text(table.head[i]) + "</th>";
    html += "</tr></thead>\n";
  }
  html += "<tbody>\n";
  for (const std::vector<std::string>& row : table.rows) html += row_html(classes, row);
  html += "</tbody>\n</table>\n</div>\n";
  return table.caption.empty() ? html : "<p class=\"caption\">" + html_text(table.caption) + "</p>\n" + html;
}

std::string section_table_html(const PageTable& table) {
  if (table.rows.size() <= rows_in_sight) return table_html(table);
  PageTable bare = table;
  bare.caption.clear();
  return folded((table.caption.empty() ? "Table" : table.caption) + " (" + std::to_string(table.rows.size()) + " rows)",
                table_html(bare));
}

std::string assumptions_html(const std::vector<Assumption>& assumptions) {
  PageTable table{.caption = "What the answer takes for granted",
                  .head = {"what", "value", "source, or what the scenario says of it"},
                  .rows = {},
                  .is_number = {}};
  for (const Assumption& one : assumptions)
    table.rows.push_back({one.what, one.value, one.source.empty() ? "assumed" : one.source});
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

}  // namespace saturn
