#include "reports/page/report_page.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include "models/values/text.hpp"
#include "reports/page/page_parts.hpp"
#include "reports/tables/json_parts.hpp"
#include "reports/web/web_files.hpp"
#include "reports/words/escaped_text.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

const char* name_of(DemandFollows follows) {
  switch (follows) {
    case DemandFollows::device:
      return "device";
    case DemandFollows::bandwidth:
      return "bandwidth";
    case DemandFollows::nothing:
      break;
  }
  return "nothing";
}

namespace {

// Nothing may be fetched, whatever the page holds. Styles and scripts stand in the file itself, hence 'unsafe-inline';
// there is no 'unsafe-eval', since vega-embed brings an interpreter for expressions.
constexpr const char* policy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
    "connect-src 'none'; base-uri 'none'; form-action 'none'";

// A curve that rises past its knee; given here so that no browser asks for an icon.
constexpr const char* icon =
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M1 12h7l6-9' "
    "fill='none' stroke='%230072B2' stroke-width='2.5' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E";

/// A part of the page that the table of contents names.
struct Part {
  std::string id{};
  std::string heading{};
  std::string html{};
  bool evidence = false;  ///< folded
};

std::string head_html(const ReportPage& page, std::span<const EmbeddedFile> web) {
  return std::string("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n") +
         "<meta http-equiv=\"Content-Security-Policy\" content=\"" + policy + "\">\n" +
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
         "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"saturn " +
         html_text(page.provenance.version) + "\">\n<title>" + html_text(page.title) +
         "</title>\n<link rel=\"icon\" href=\"" + icon + "\">\n" + style_html(web) + "</head>\n";
}

std::string masthead_html(const ReportPage& page) {
  std::string html = "<header class=\"masthead\">\n<h1>" + html_text(page.title) + "</h1>\n<p class=\"lead\">" +
                     html_text(page.lead) + "</p>\n";
  if (!page.warnings.empty()) {
    html += "<ul class=\"warnings\" aria-label=\"Warnings\">\n";
    for (const std::string& warning : page.warnings) html += "<li>" + html_text(warning) + "</li>\n";
    html += "</ul>\n";
  }
  return html + "</header>\n";
}

std::string paragraph_html(const std::string& text) {
  if (!text.ends_with('\n')) return "<p>" + html_text(text) + "</p>\n";
  std::string html = "<div class=\"lines\">\n";
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    html += "<code>" + html_text(text.substr(begin, end - begin)) + "</code>\n";
    begin = end + 1;
  }
  return html + "</div>\n";
}

std::string section_body(const PageSection& section, bool can_draw) {
  std::string html;
  for (const std::string& paragraph : section.paragraphs) html += paragraph_html(paragraph);
  for (const Figure& figure : section.figures) {
    html += figure_html(figure, can_draw);
    for (const LinkedMap& linked : section.maps)
      if (linked.figure == figure.name) html += linked_map_html(linked);
  }
  for (const Table& table : section.tables) html += section_table_html(table);
  return html;
}

std::vector<Part> parts_of(const ReportPage& page, bool can_draw) {
  std::vector<Part> parts;
  // Only a page that has something folded folds where its numbers are from.
  const bool folds = std::any_of(page.sections.begin(), page.sections.end(),
                                 [](const PageSection& section) { return section.evidence; });
  const auto add = [&](const std::string& id, const std::string& heading, std::string html, bool evidence) {
    std::string own = html_id(id);
    while (std::any_of(parts.begin(), parts.end(), [&](const Part& one) { return one.id == own; })) own += "-more";
    parts.push_back({.id = std::move(own), .heading = heading, .html = std::move(html), .evidence = evidence});
  };
  for (const bool evidence : {false, true}) {
    for (const PageSection& section : page.sections)
      if (section.evidence == evidence) add(section.id, section.heading, section_body(section, can_draw), evidence);
    if (page.planner && !evidence) add("planner", "Try other values", planner_html(*page.planner), false);
  }
  if (!page.assumptions.empty()) add("assumptions", "Assumptions", assumptions_html(page.assumptions), folds);
  if (!page.checks.empty()) add("checks", "Checks", checks_html(page.checks), folds);
  add("provenance", "Provenance", provenance_html(page.provenance), folds);
  if (!page.commands.empty()) add("commands", "Commands that give this again", commands_html(page.commands), folds);
  return parts;
}

std::string contents_html(const std::vector<Part>& parts) {
  std::string html = "<nav class=\"contents\" aria-label=\"Contents\">\n<h2>Contents</h2>\n<ol>\n";
  for (const Part& part : parts)
    if (!part.evidence) html += "<li><a href=\"#" + part.id + "\">" + html_text(part.heading) + "</a></li>\n";
  if (parts.back().evidence) html += "<li><a href=\"#evidence\">Evidence</a></li>\n";
  return html + "</ol>\n</nav>\n";
}

std::string part_html(const Part& part) {
  if (part.evidence)
    return "<details class=\"evidence\" id=\"" + part.id + "\"><summary><h3>" + html_text(part.heading) +
           "</h3></summary>\n" + part.html + "</details>\n";
  return "<section id=\"" + part.id + "\">\n<h2>" + html_text(part.heading) + "</h2>\n" + part.html + "</section>\n";
}

/// The parts in their order, the folded ones under a heading of their own.
std::string parts_html(const std::vector<Part>& parts) {
  std::string html;
  bool folded = false;
  for (const Part& part : parts) {
    if (part.evidence && !folded)
      html +=
          "<section id=\"evidence\">\n<h2>Evidence</h2>\n<p class=\"hint\">What the answer rests on; open what you "
          "want to see.</p>\n";
    folded = folded || part.evidence;
    html += part_html(part);
  }
  return folded ? html + "</section>\n" : html;
}

}  // namespace

std::string report_html(const ReportPage& page, std::span<const EmbeddedFile> web) {
  const bool can_draw = has_bundles(web);
  const std::vector<Part> parts = parts_of(page, can_draw);
  std::string html = head_html(page, web) + "<body>\n<a class=\"skip\" href=\"#content\">To the contents</a>\n" +
                     masthead_html(page) + contents_html(parts) + "<main id=\"content\">\n" + parts_html(parts);
  return html + "</main>\n<footer>\n<p>Made by saturn " + html_text(page.provenance.version) +
         ". This file is complete: it opens without a network.</p>\n" + licences_html(web) + "</footer>\n" +
         scripts_html(web) + "</body>\n</html>\n";
}

namespace {

constexpr double bytes_of_kb = 1e3;

/// "gantt: no request was sent": figures without a picture.
std::vector<std::string> not_drawn(const ReportPage& page) {
  std::vector<std::string> texts;
  for (const PageSection& section : page.sections)
    for (const Figure& figure : section.figures)
      if (!figure.cannot.empty()) texts.push_back(figure.name + ": " + figure.cannot);
  return texts;
}

}  // namespace

Answer written_report_answer(const ReportPage& page, const std::vector<WrittenFile>& files) {
  Answer answer{.title = page.lead, .provenance = page.provenance, .says_provenance = false};
  for (const std::string& warning : page.warnings) answer.say("Warning: " + warning);
  for (const std::string& figure : not_drawn(page)) answer.say("Not drawn: " + figure);
  answer.say("");
  answer.add_facts({"result"}, {{"answer", page.lead}, {"warnings", page.warnings}, {"not_drawn", not_drawn(page)}});
  Table table{.place = {"result", "files"},
              .columns = {{.key = "path", .title = "written"},
                          {.key = "bytes", .readers = For::programs},
                          {.title = "kB", .shown = Shown::number, .digits = 3, .readers = For::people}},
              .details = false,
              .csv_alone = true};
  for (const WrittenFile& file : files)
    table.add_row({file.path, file.bytes, static_cast<double>(file.bytes) / bytes_of_kb});
  answer.add(std::move(table));
  return answer;
}

}  // namespace saturn
