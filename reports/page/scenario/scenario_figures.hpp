#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "reports/figures/figure.hpp"
#include "reports/page/scenario/scenario_studies.hpp"

namespace saturn {

/// One figure of a scenario's page. A figure more is a function of `reports/figures/`, declared in its figures.hpp,
/// with its template in `specs/`, and one such row.
struct FigureRow {
  std::string_view name{};     ///< as docs/figures.md lists it; where there are several, how their names begin
  std::string_view section{};  ///< PageSection::id
  /// Nothing where its study is missing or a figure of it would say nothing.
  std::vector<Figure> (*draw)(const ScenarioStudies& studies) = nullptr;
};

/// All of them, in the order in which a page shows them.
std::span<const FigureRow> scenario_figures();

/// The figures of one section.
std::vector<Figure> figures_of(std::string_view section, const ScenarioStudies& studies);

}  // namespace saturn
