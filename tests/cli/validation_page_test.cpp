#include <doctest/doctest.h>

#include <set>
#include <sstream>
#include <vector>

#include "calibration/measured_case.hpp"
#include "reports/validation_report.hpp"
#include "sim/cli/compared_row.hpp"
#include "tests/cli/saturn_process.hpp"

using namespace saturn;

namespace {

std::string committed_page() {
  return text_of_file(std::filesystem::path(SATURN_SOURCE_DIR) / "docs/validation.md");
}

/// Every shipped case with its measured numbers in place of the simulated ones.
ValidationReport unsimulated() {
  ValidationReport report;
  report.provenance = provenance_of("", 0, "");
  for (const MeasuredCase& measured : read_measured_cases("")) {
    ValidationCase validation;
    validation.about = measured.about;
    for (const MeasuredRow& row : measured.rows) {
      ValidationRow compared;
      compared.measured = row.point;
      bool of_model = false;
      for (const MeasuredValue& value : row.point.values) {
        Estimate same;
        same.mean = same.low = same.high = value.value;
        compared.simulated.push_back(same);
        of_model = of_model || value.quantity->of_model();
      }
      const Scenario scenario = read_scenario_file(measured.about.scenario, row.set).scenario;
      if (of_model) {
        const std::string model = measured_model(measured, row, scenario);
        compared.little_ratio = little_ratio(row.point, most_in_flight(scenario, model));
      }
      validation.rows.push_back(compared);
    }
    report.cases.push_back(validation);
  }
  return report;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '|' && line[i - 1] != '\\') {
      cells.emplace_back();
    } else {
      cells.back() += line[i];
    }
  }
  cells.pop_back();
  return cells;
}

/// A page without the columns that only a simulation can fill, and without the texts about hypotheses.
std::string without_simulation(const std::string& page) {
  static const std::set<std::string> simulated{" simulated ", " error ", " median ", " worst ",  " at ",
                                               " mean ",      " trend ", " p ",      " verdict "};
  std::istringstream lines(page);
  std::string kept;
  std::vector<bool> dropped;
  bool in_block = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      in_block = !in_block;
      continue;
    }
    if (line.empty()) dropped.clear();
    if (in_block || line.empty()) continue;
    if (!line.starts_with("|")) {
      dropped.clear();
      kept += line + "\n";
      continue;
    }
    const std::vector<std::string> cells = cells_of(line);
    if (dropped.empty()) {
      for (const std::string& cell : cells) dropped.push_back(simulated.contains(cell));
    }
    REQUIRE(cells.size() == dropped.size());
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (!dropped[c]) kept += "|" + cells[c];
    }
    kept += "\n";
  }
  return kept;
}

/// From a case's heading to the next.
std::string section_of(const std::string& page, const std::string& id) {
  const std::size_t begin = page.find("\n## " + id + "\n");
  if (begin == std::string::npos) return "no section " + id;
  std::string section = page.substr(begin, page.find("\n## ", begin + 1) - begin);
  while (section.ends_with('\n')) section.pop_back();
  return section;
}

}  // namespace

TEST_CASE("docs/validation.md has every shipped case with its source, its measured rows and its bands, all kept") {
  // Renew it with scripts/refresh-docs.sh.
  CHECK(without_simulation(committed_page()) == without_simulation(validation_page(unsimulated())));
}

TEST_CASE("docs/validation.md holds what the program simulates" * doctest::skip(left_to_release_builds)) {
  const TemporaryFolder folder;
  const std::string committed = committed_page();
  // The cases that take a moment; validate --all checks the others.
  for (const char* cases : {"brainwave", "cms_local", "cms_miniaod", "cms_particlenet", "cms_perf", "exatrkx", "hcal",
                            "protodune_p", "protodune_br", "resnet50_gpu_batch", "traccc", "triton_nnunet"}) {
    const ProcessResult result = saturn_process(
        std::string("validate ") + cases + " --quiet --summary --force --write page.md", folder.path().string());
    CHECK(result.exit_code == 0);
    const std::string page = text_of_file(folder.path() / "page.md");
    for (const MeasuredCase& one : read_measured_cases(cases)) {
      CAPTURE(one.about.id);
      CHECK(section_of(page, one.about.id) == section_of(committed, one.about.id));
    }
  }
}
