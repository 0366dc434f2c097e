#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/words/texts.hpp"
#include "reports/answer/answer.hpp"
#include "reports/words/escaped_text.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

double weight_in(const Table& table, std::size_t row) {
  const Cell& cell = table.rows[row][*table.weight];
  if (const auto* measured = std::get_if<Estimate>(&cell)) return measured->mean;
  const auto* number = std::get_if<double>(&cell);
  return number == nullptr ? -HUGE_VAL : *number;
}

/// The rows that are kept, ascending.
std::vector<std::size_t> kept_rows(const Table& table, std::size_t most) {
  std::vector<std::size_t> rows(std::min(table.rows.size(), table.first_rows));
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  if (rows.size() <= most) return rows;
  std::ranges::stable_sort(rows, std::greater<>(), [&](std::size_t row) { return weight_in(table, row); });
  rows.resize(most);
  std::ranges::sort(rows);
  return rows;
}

}  // namespace

ShownTable::ShownTable(const Table& table, std::size_t most_rows) {
  for (const Column& column : table.columns)
    if (column.readers != For::programs) columns.push_back(&column);
  for (const std::size_t r : kept_rows(table, most_rows)) {
    std::vector<std::string> row;
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      if (table.columns[c].readers != For::programs) row.push_back(cell_text(table.columns[c], table.rows[r][c]));
    rows.push_back(std::move(row));
  }
}

bool ShownTable::has_titles() const {
  return std::any_of(columns.begin(), columns.end(), [](const Column* one) { return !one->title.empty(); });
}

namespace {

/// What the first screen has room for, and the characters of a line of the details.
constexpr std::size_t screen_width = 80;
constexpr std::size_t screen_lines = 25;
constexpr std::size_t details_width = 110;
/// A table with fewer would say too little.
constexpr std::size_t least_rows = 3;

bool people_see(const Table& table) {
  return table.readers != For::programs && !(table.rows.empty() && table.remarks.empty());
}

/// @param left_out  rows for which there is no room; the title of the first column counts those that are there
TextTable text_table(const ShownTable& seen, std::size_t left_out) {
  std::vector<TextTable::Column> columns;
  for (const Column* column : seen.columns)
    columns.push_back({column->title, column->shown == Shown::word ? TextTable::Align::left : TextTable::Align::right});
  if (left_out > 0 && !columns.empty())
    columns.front().heading +=
        " (" + std::to_string(seen.rows.size()) + " of " + std::to_string(seen.rows.size() + left_out) + ")";
  TextTable text(std::move(columns));
  for (const std::vector<std::string>& row : seen.rows) text.add_row(row);
  return text;
}

bool has_more_rows(const Table& table) {
  return table.rows.size() > table.first_rows && !table.more_rows.empty();
}

/// Lines within a width, behind the spaces that the text begins with; those that follow are two further in.
std::string wrapped_lines(const std::string& text, std::size_t width) {
  const std::string indent(std::min(text.find_first_not_of(' '), text.size()), ' ');
  std::string lines;
  for (const std::string& line : wrapped(text, width - indent.size() - 2))
    lines += indent + (lines.empty() ? "" : "  ") + line + "\n";
  return lines;
}

std::string on_terminal(const Table& table, TextStyle style, std::size_t width, std::size_t most_rows = SIZE_MAX) {
  std::string text = table.caption.empty() ? "" : "\n" + heading(table.caption, style);
  const std::size_t rows = std::min(table.rows.size(), table.first_rows);
  if (rows > 0) text += text_table(ShownTable(table, most_rows), rows - std::min(rows, most_rows)).text(style, width);
  if (has_more_rows(table)) text += "  " + table.more_rows + "\n";
  for (const std::string& remark : table.remarks) text += wrapped_lines("  " + remark, width);
  return text;
}

std::string on_terminal(const Paragraph& paragraph, TextStyle style, std::size_t width) {
  if (paragraph.heading) return "\n" + heading(paragraph.text, style);
  // Among the details commands stand in one line, so that they can be copied.
  if (width == details_width) return paragraph.text + "\n";
  std::string text;
  for (const std::string_view line : split_at(paragraph.text, '\n')) text += wrapped_lines(std::string(line), width);
  return text;
}

std::string on_terminal(const Picture& picture, TextStyle style, std::size_t /*width*/) {
  const std::string drawn = picture.draw(style);
  return drawn.empty() ? "" : "\n" + drawn;
}

std::size_t lines_of(const std::vector<std::string>& pieces) {
  std::size_t lines = 0;
  for (const std::string& piece : pieces) lines += static_cast<std::size_t>(std::ranges::count(piece, '\n'));
  return lines;
}

std::string provenance_lines(const Provenance& provenance) {
  return fitted_sources_text(provenance) + "saturn " + provenance.version + " on SimGrid " + provenance.simgrid +
         ", seed " + std::to_string(provenance.seed) + "; again: " + provenance.command + "\n";
}

/// Calls visit(part) with what people see of an answer, in order.
template <class Visit>
void each_seen(const Answer& answer, bool details, const Visit& visit) {
  for (const AnswerPart& part : answer.parts)
    std::visit(
        [&](const auto& one) {
          if (one.details && !details) return;
          if constexpr (std::is_same_v<std::decay_t<decltype(one)>, Table>)
            if (!people_see(one)) return;
          if constexpr (std::is_same_v<std::decay_t<decltype(one)>, Paragraph>)
            if (one.is_json) return;
          visit(one);
        },
        part);
}

bool has_details(const Answer& answer) {
  return std::any_of(answer.parts.begin(), answer.parts.end(), [](const AnswerPart& part) {
    const auto* table = std::get_if<Table>(&part);
    const auto* paragraph = std::get_if<Paragraph>(&part);
    if ((table != nullptr && !people_see(*table)) || (paragraph != nullptr && paragraph->is_json)) return false;
    return std::visit([](const auto& one) { return one.details; }, part);
  });
}

}  // namespace

std::string terminal_text(const Answer& answer, TextStyle style, bool details) {
  const std::size_t width = details ? details_width : screen_width;
  std::vector<std::string> pieces{answer.title.empty() ? "" : heading(answer.title, style)};
  std::vector<std::size_t> pictures;
  std::map<std::size_t, const Table*> tables;
  each_seen(answer, details, [&](const auto& part) {
    if constexpr (std::is_same_v<std::decay_t<decltype(part)>, Picture>) pictures.push_back(pieces.size());
    if constexpr (std::is_same_v<std::decay_t<decltype(part)>, Table>) tables.emplace(pieces.size(), &part);
    pieces.push_back(on_terminal(part, style, width));
  });
  std::vector<std::string> more = answer.more;
  if (has_details(answer)) more.insert(more.begin(), "--details");
  if (details)
    pieces.push_back(answer.says_provenance ? "\n" + provenance_lines(answer.provenance) : "");
  else if (!more.empty())
    pieces.push_back("\n" + wrapped_lines("more: " + joined(more), screen_width));
  if (details) return joined(pieces, "");
  // Where the first screen has no room, what is drawn is left out first, unless it is all that there is, then rows of
  // the longest table.
  if (lines_of(pieces) > screen_lines && !tables.empty())
    for (const std::size_t picture : pictures) pieces[picture].clear();
  std::map<std::size_t, std::size_t> rows;
  for (const auto& [place, table] : tables)
    if (table->weight) rows[place] = std::min(table->rows.size(), table->first_rows);
  for (std::size_t lines = lines_of(pieces); lines > screen_lines && !rows.empty(); --lines) {
    const auto longest = std::ranges::max_element(rows, {}, [](const auto& one) { return one.second; });
    if (longest->second <= least_rows) break;
    --longest->second;
    pieces[longest->first] = on_terminal(*tables.at(longest->first), style, width, longest->second);
  }
  return joined(pieces, "");
}

std::string markdown_text(const Answer& answer) {
  std::string text = answer.title.empty() ? "" : "# " + markdown_text(answer.title) + "\n";
  struct Writer {
    std::string& text;
    void operator()(const Paragraph& paragraph) const {
      if (paragraph.heading) {
        text += "\n## " + markdown_text(paragraph.text) + "\n";
        return;
      }
      text += "\n";
      for (const std::string_view line : split_at(paragraph.text, '\n'))
        if (const std::string_view words = trimmed(line); !words.empty())
          text += markdown_text(std::string(words)) + "\n";
    }
    void operator()(const Table& table) const {
      if (!table.caption.empty()) text += "\n## " + markdown_text(table.caption) + "\n";
      if (!table.rows.empty()) text += "\n" + text_table(ShownTable(table), 0).markdown();
      if (has_more_rows(table)) text += "\n" + markdown_text(table.more_rows) + "\n";
      for (const std::string& remark : table.remarks) text += "\n" + markdown_text(remark) + "\n";
    }
    void operator()(const Picture& picture) const {
      const std::string drawn = picture.draw({.pictures = true});
      if (!drawn.empty()) text += "\n" + fenced_text(drawn);
    }
  };
  each_seen(answer, true, Writer{text});
  if (answer.says_provenance) text += "\n" + fenced_text(provenance_lines(answer.provenance));
  return text;
}

namespace {

std::string html_table(const Table& table) {
  const ShownTable seen(table);
  const auto cells = [&](const std::string& tag, const std::function<std::string(std::size_t)>& text_of) {
    std::string line = "<tr>";
    for (std::size_t c = 0; c < seen.columns.size(); ++c) {
      const bool left = seen.columns[c]->shown == Shown::word;
      line += "<" + tag + (left ? ">" : " class=\"number\">") + html_text(text_of(c)) + "</" + tag + ">";
    }
    return line + "</tr>\n";
  };
  std::string text = "<table>\n";
  if (seen.has_titles())
    text += "<thead>" + cells("th", [&](std::size_t c) { return seen.columns[c]->title; }) + "</thead>\n";
  text += "<tbody>\n";
  for (const std::vector<std::string>& row : seen.rows) text += cells("td", [&](std::size_t c) { return row[c]; });
  return text + "</tbody></table>\n";
}

constexpr const char* page_style =
    "body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
    "table{border-collapse:collapse}th,td{padding:.2em .8em .2em 0;text-align:left}"
    ".number{text-align:right;font-variant-numeric:tabular-nums}pre{overflow-x:auto}";

}  // namespace

std::string html_page(const Answer& answer) {
  const std::string title = html_text(answer.title);
  std::string text = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + title +
                     "</title><style>" + page_style + "</style></head>\n<body><h1>" + title + "</h1>\n";
  struct Writer {
    std::string& text;
    void operator()(const Paragraph& paragraph) const {
      if (paragraph.heading) {
        text += "<h2>" + html_text(paragraph.text) + "</h2>\n";
        return;
      }
      for (const std::string_view line : split_at(paragraph.text, '\n'))
        if (!line.empty()) text += "<p>" + html_text(line) + "</p>\n";
    }
    void operator()(const Table& table) const {
      if (!table.caption.empty()) text += "<h2>" + html_text(table.caption) + "</h2>\n";
      if (!table.rows.empty()) text += html_table(table);
      if (has_more_rows(table)) text += "<p>" + html_text(table.more_rows) + "</p>\n";
      for (const std::string& remark : table.remarks) text += "<p>" + html_text(remark) + "</p>\n";
    }
    void operator()(const Picture& picture) const {
      const std::string drawn = picture.draw({.pictures = true});
      if (!drawn.empty()) text += "<pre>" + html_text(drawn) + "</pre>\n";
    }
  };
  each_seen(answer, true, Writer{text});
  if (answer.says_provenance) text += "<pre>" + html_text(provenance_lines(answer.provenance)) + "</pre>\n";
  return text + "</body></html>\n";
}

}  // namespace saturn
