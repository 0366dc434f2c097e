#include "reports/page/scenario_sections.hpp"

namespace saturn {

bool is_empty(const PageSection& section) {
  return section.paragraphs.empty() && section.figures.empty() && section.tables.empty();
}

void add_paragraph(PageSection& section, const std::string& text) {
  if (!text.empty()) section.paragraphs.push_back(text);
}

FigureContext figure_context(const ScenarioStudies& studies) {
  return {.scenario = studies.name, .seed = studies.provenance.seed};
}

}  // namespace saturn
