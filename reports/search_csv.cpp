#include "reports/csv_rows.hpp"
#include "reports/falsification_report.hpp"
#include "reports/figure_text.hpp"
#include "reports/search_report.hpp"
#include "reports/sensitivity_report.hpp"

namespace saturn {

namespace {

void add_candidate(CsvRows& rows, const std::string& section, const std::string& name, const PlanSearch& search,
                   const SearchedCandidate& candidate) {
  for (std::size_t v = 0; v < candidate.values.size(); ++v)
    rows.add(section, name, search.variables.at(v).name, candidate.values[v]);
  rows.add(section, name, "known_by", std::string(name_of(candidate.fidelity)));
  for (const CandidateFigures::Entry& entry : candidate.figures.entries) {
    const std::string key = entry.figure->key() + (entry.of.empty() ? "" : ":" + entry.of);
    if (entry.exact())
      rows.add(section, name, key, entry.value.mean);
    else
      rows.add(section, name, key, entry.value);
  }
}

}  // namespace

std::string search_csv(const SearchReport& report) {
  const PlanSearch& search = report.search;
  CsvRows rows;
  if (search.answer) add_candidate(rows, "answer", std::to_string(search.answer->index), search, *search.answer);
  for (const NamedAnswer& one : search.named)
    if (one.candidate) add_candidate(rows, "named", one.name, search, *one.candidate);
  for (const Relaxation& one : search.relaxations) {
    rows.add("relaxations", search.requirements.at(one.requirement).text, "needed_limit", one.needed_limit);
    rows.add("relaxations", search.requirements.at(one.requirement).text, "relative", one.relative);
  }
  for (const SearchedCandidate& one : search.looked_at)
    add_candidate(rows, "candidates", std::to_string(one.index), search, one);
  for (std::uint64_t c = 0; c < search.rejections.size(); ++c) {
    if (search.answer && search.answer->index == c) continue;
    const Rejection& one = search.rejections[c];
    std::string name = std::to_string(c);
    for (const std::string& value : candidate_values(search, c)) name += " " + value;
    rows.add("rejections", name, std::string(name_of(one.kind)), rejection_text(search, one));
  }
  add_facts(rows, report.facts);
  if (report.sensitivity) add_sensitivity(rows, *report.sensitivity);
  if (report.falsification) add_falsification(rows, *report.falsification);
  return rows.text();
}

}  // namespace saturn
