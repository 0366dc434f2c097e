#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/run_outcome.hpp"
#include "reports/figures/field_map.hpp"
#include "reports/figures/figure.hpp"
#include "reports/page/planner_model.hpp"
#include "reports/provenance.hpp"
#include "scenarios/embedded_file.hpp"

/// A report as plain parts, and the one HTML file that it becomes. All texts are plain: the page escapes them.
namespace saturn {

/// A table of the page.
struct PageTable {
  std::string caption{};
  std::vector<std::string> head{};
  std::vector<std::vector<std::string>> rows{};  ///< (rows, columns)
  std::vector<bool> is_number{};                 ///< (columns): set to the right; empty: none
};

/// A heat map whose cells can be clicked: `figure` is the name of its Figure in the same section.
struct LinkedMap {
  std::string figure{};
  FieldMap map{};
};

/// One part of the page.
struct PageSection {
  std::string id{};  ///< for links: letters, digits, "-"
  std::string heading{};
  std::vector<std::string> paragraphs{};  ///< one that ends with '\n' is shown line by line, as commands are
  std::vector<Figure> figures{};
  std::vector<LinkedMap> maps{};
  std::vector<PageTable> tables{};
};

/// Something that the answer takes for granted.
struct Assumption {
  std::string what{};    ///< "/models/emtrk/service/t4/per_item"
  std::string value{};   ///< "32.2 us"
  std::string source{};  ///< where it is from; "assumed" where nothing says
};

/// A report.
struct ReportPage {
  std::string title{};
  std::string lead{};                   ///< the answer in a sentence: the first thing on the page
  std::vector<std::string> warnings{};  ///< right below it: what is missing, imprecise or not drawn
  std::vector<PageSection> sections{};
  std::optional<PlannerModel> planner{};
  std::vector<Assumption> assumptions{};
  std::vector<Check> checks{};
  Provenance provenance{};
  std::vector<std::string> commands{};  ///< that give the same report and its parts again
};

/// Self-contained HTML: no reference to anything outside it. The same bytes for the same page.
/// @param web  the files of reports/web and, where npm was there at build time, vega.min.js, vega-lite.min.js and
///             vega-embed.min.js. Without those three, figures are replaced by a sentence that says what is missing.
std::string report_html(const ReportPage& page, std::span<const EmbeddedFile> web);

}  // namespace saturn
