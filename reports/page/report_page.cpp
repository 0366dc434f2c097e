#include "reports/page/report_page.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include "models/values/text.hpp"
#include "reports/page/page_parts.hpp"
#include "reports/page/page_template.hpp"
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

/// A part of the page that the table of contents names.
struct Part {
  std::string id{};
  std::string heading{};
  std::string html{};
  bool evidence = false;  ///< folded
};

PageValues paragraph_values(const std::string& text) {
  if (!text.ends_with('\n')) return {{"text", text}, {"lines", false}};
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return {{"lines", PageValues{{"each", lines}}}};
}

std::string section_body(const PageSection& section, bool can_draw) {
  PageValue::List paragraphs;
  for (const std::string& paragraph : section.paragraphs) paragraphs.push_back(paragraph_values(paragraph));
  std::string figures;
  for (const Figure& figure : section.figures) {
    figures += figure_html(figure, can_draw);
    for (const LinkedMap& linked : section.maps)
      if (linked.figure == figure.name) figures += linked_map_html(linked);
  }
  std::string tables;
  for (const Table& table : section.tables) tables += section_table_html(table);
  return page_part("section", {{"paragraphs", std::move(paragraphs)},
                               {"figures", std::move(figures)},
                               {"player", section.played ? player_html(*section.played) : std::string()},
                               {"tables", std::move(tables)}});
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

}  // namespace

std::string report_html(const ReportPage& page, std::span<const EmbeddedFile> web) {
  PageValue::List parts;
  PageValue::List evidence;
  for (const Part& part : parts_of(page, has_bundles(web)))
    (part.evidence ? evidence : parts)
        .push_back(PageValues{{"id", part.id}, {"heading", part.heading}, {"html", part.html}});
  const bool has_evidence = !evidence.empty();
  return page_part("page", {{"version", page.provenance.version},
                            {"title", page.title},
                            {"style", page_style(web)},
                            {"lead", page.lead},
                            {"has_warnings", !page.warnings.empty()},
                            {"warnings", page.warnings},
                            {"parts", std::move(parts)},
                            {"has_evidence", has_evidence},
                            {"evidence", std::move(evidence)},
                            {"licences", bundle_licences(web)},
                            {"scripts", page_scripts(web)}});
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
