#include "reports/page/scenario/scenario_page.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "reports/page/scenario/scenario_figures.hpp"
#include "tests/reports/report_samples.hpp"

using namespace saturn;

namespace {

/// Facts, and the scenario's own run, alone.
ScenarioStudies bare_studies() {
  const RunReport run = sample_run_report();
  ScenarioStudies studies;
  studies.name = "sample";
  studies.facts = run.facts;
  studies.provenance = run.provenance;
  studies.references = run.references;
  SaturationStudy saturation;
  saturation.scenario = "sample";
  saturation.facts = run.facts;
  saturation.simulated.push_back({.clients = 268, .summary = run.summary});
  studies.saturation = {.study = saturation, .why_not = ""};
  return studies;
}

ScenarioStudies planned_studies() {
  ScenarioStudies studies = bare_studies();
  studies.plan = {.study = sample_plan_report(), .why_not = ""};
  return studies;
}

const PageSection* find_section(const ReportPage& page, const std::string& id) {
  const auto found =
      std::find_if(page.sections.begin(), page.sections.end(), [&](const PageSection& one) { return one.id == id; });
  return found == page.sections.end() ? nullptr : &*found;
}

FieldStudy one_cell_field() {
  FieldStudy field;
  field.map.title = "Event time over request batch and round-trip time";
  field.map.value_title = "event time";
  field.map.value_unit = "s";
  field.map.x = {.title = "request batch", .unit = "items", .values = {100.0, 200.0}, .present = 100.0};
  field.map.y = {.title = "round-trip time", .unit = "s", .values = {0.01, 0.02}, .present = 0.01};
  field.map.cells = {{.value = 60.0}, {.value = 70.0}, {.value = 50.0}, {.why_not = "too large"}};
  field.checks = {{.x = "100", .y = "10 ms", .formula = 66.0, .simulated = sample_estimate(60.0, 0.5)},
                  {.x = "200", .y = "20 ms", .why_not = "too large"}};
  return field;
}

/// A case with one point that was measured and simulated.
ValidationCase drawn_case() {
  ValidationCase validation;
  ValidationRow row;
  row.measured.label = "one";
  row.measured.values = {{.quantity = find_measured_quantity("items_per_s"), .value = 10.0, .sd = {}, .sem = {}}};
  row.simulated = {sample_estimate(11.0, 0.5)};
  validation.rows = {row};
  return validation;
}

}  // namespace

TEST_CASE("a page begins with the plan's sentence and says how many devices the jobs need") {
  const ScenarioStudies studies = planned_studies();
  const ReportPage page = scenario_page(studies);
  CHECK(page.lead == plan_sentence(sentence_of(*studies.plan)));
  CHECK(holds(page.lead, "in the pool of 4 GPUs that 268 jobs need."));
  CHECK(page.title == studies.facts.title);
}

TEST_CASE("without a plan the page says why, and shows what is known all the same") {
  ScenarioStudies studies = bare_studies();
  studies.plan.why_not = "nothing is shared.";
  const ReportPage page = scenario_page(studies);
  CHECK(page.lead == "No plan: nothing is shared.");
  studies.facts.all_open = true;  // events arrive, and what keeps from a plan is said of the plan all the same
  CHECK(scenario_page(studies).lead == page.lead);
  REQUIRE(find_section(page, "time") != nullptr);
  CHECK(find_section(page, "time")->tables.front().rows.size() == 2);
  CHECK(page.checks.size() == studies.saturation->simulated.front().summary.checks.size());
}

TEST_CASE("a study that is missing for a reason leaves its reason in its section, and one without leaves nothing") {
  ScenarioStudies studies = planned_studies();
  studies.money.why_not = "Nothing is said of costs.";
  const ReportPage page = scenario_page(studies);
  REQUIRE(find_section(page, "cost") != nullptr);
  CHECK(find_section(page, "cost")->paragraphs == std::vector<std::string>{"Nothing is said of costs."});
  CHECK(find_section(page, "cost")->figures.empty());
  CHECK(find_section(page, "ways") == nullptr);
  CHECK(find_section(page, "measured") == nullptr);
}

TEST_CASE("cells of the map that were simulated stand beside the formulas with the error of these") {
  ScenarioStudies studies = planned_studies();
  studies.field = {.study = one_cell_field(), .why_not = ""};
  const ReportPage page = scenario_page(studies);
  const PageSection* section = find_section(page, "field");
  REQUIRE(section != nullptr);
  REQUIRE(section->tables.size() == 1);
  // 66 s by the formulas against 60 s: 10 % too long, which is the most that a map may miss.
  const ShownTable cells(section->tables.front());
  CHECK(cells.rows.at(0) == std::vector<std::string>{"100", "10 ms", "66.00", "60.0 ± 0.5", "+10.0 %", ""});
  CHECK(cells.rows.at(1) == std::vector<std::string>{"200", "20 ms", "–", "–", "–", "too large"});
  REQUIRE(section->maps.size() == 1);
  CHECK(section->maps.front().figure == section->figures.front().name);
}

TEST_CASE("a map that misses by over 10 %, is void by half or says nothing is not drawn, and the page says why") {
  const auto section_of = [](const FieldStudy& field) {
    ScenarioStudies studies = planned_studies();
    studies.field = {.study = field, .why_not = ""};
    const ReportPage page = scenario_page(studies);
    return *find_section(page, "field");
  };
  CHECK(section_of(one_cell_field()).figures.size() == 1);
  FieldStudy wrong = one_cell_field();
  wrong.checks[0].formula = 53.9;
  const PageSection missed = section_of(wrong);
  CHECK(missed.figures.empty());
  CHECK(missed.maps.empty());
  CHECK(missed.paragraphs.front() ==
        "No map of the event time over request batch and round-trip time is drawn: at 100 and 10 ms the formulas say "
        "53.90 s, the simulation 60.00 s, and a map is not to miss by more than 10 %.");
  CHECK(missed.tables.size() == 1);
  FieldStudy sparse = one_cell_field();
  sparse.map.cells[2] = {.why_not = "too small"};
  const PageSection half = section_of(sparse);
  CHECK(half.figures.empty());
  CHECK(half.paragraphs.front().ends_with("is drawn: 2 of its 4 cells have no value, such as: too small."));
  FieldStudy flat = one_cell_field();
  for (MapCell& cell : flat.map.cells) cell = {.value = 60.0};
  CHECK(section_of(flat).paragraphs.front().ends_with(
      "is drawn: with these jobs it stays at 60.00 s, whatever they are."));
}

TEST_CASE("what cannot be drawn is a sentence of its section, and no frame round nothing") {
  ScenarioStudies studies = planned_studies();
  studies.close_up = {.study = RunTrace{.begin_s = 500.0, .end_s = 501.0}, .why_not = ""};
  const ReportPage page = scenario_page(studies);
  const PageSection* section = find_section(page, "one-run");
  REQUIRE(section != nullptr);
  CHECK(std::count(section->paragraphs.begin(), section->paragraphs.end(),
                   "No batch ran on a device from 500 s to 501 s of the traced run.") == 1);
  for (const PageSection& one : page.sections)
    for (const Figure& figure : one.figures) CHECK(figure.cannot.empty());
}

TEST_CASE("at most eight figures are unfolded, and the others are among the evidence") {
  ScenarioStudies studies = planned_studies();
  studies.measured = {.study = MeasuredStudy{}, .why_not = ""};
  for (int i = 0; i < 12; ++i) {
    studies.measured.study->cases.push_back(drawn_case());
    studies.measured.study->cases.back().about.id = "case-" + std::to_string(i);
  }
  const ReportPage page = scenario_page(studies);
  std::size_t unfolded = 0;
  std::size_t all = 0;
  for (const PageSection& section : page.sections) {
    all += section.figures.size();
    if (!section.evidence) unfolded += section.figures.size();
  }
  CHECK(unfolded == most_unfolded_figures);
  CHECK(all >= 12);
  REQUIRE(find_section(page, "further") != nullptr);
  CHECK(find_section(page, "further")->evidence);
  CHECK(find_section(page, "measured")->paragraphs.back().ends_with("among the evidence: \"Further figures\"."));
}

TEST_CASE("what a budget cut short and what is imprecise is said right below the answer") {
  ScenarioStudies studies = planned_studies();
  studies.warnings = {"The budget ended."};
  SaturationStudy saturation = *studies.saturation;
  saturation.simulated.front().precision_reached = false;
  saturation.simulated.front().summary.relative_half_width = 0.05;
  studies.saturation = {.study = saturation, .why_not = ""};
  const ReportPage page = scenario_page(studies);
  REQUIRE(page.warnings.size() >= 2);
  CHECK(page.warnings.at(0) == "The budget ended.");
  CHECK(std::count(page.warnings.begin(), page.warnings.end(), "The scenario's own event time is known to 5 % only.") ==
        1);
}

TEST_CASE("every table of a page has as many cells in a row as heads, and every section and figure its own name") {
  ScenarioStudies studies = planned_studies();
  studies.field = {.study = one_cell_field(), .why_not = ""};
  MoneyStudy money;
  money.cost.points = {{.gpus = 1, .bound_usd = 10.0}, {.gpus = 2, .bound_usd = 12.0, .binding = "gke/t4"}};
  money.cost.marks = {{.name = "best value", .gpus = 1, .usd = 10.0}};
  money.cost.prices = {{.of = "t4", .value = "0.35 USD/h"}};
  money.candidates = ParetoStudy{.points = {{.label = "1 GPU", .x = 10.0, .y = 120.0}}};
  studies.money = {.study = money, .why_not = ""};
  WaysStudy ways;
  ways.comparison.alternatives = {{.about = {.name = "CPU only"}, .outcome = AlternativeOutcome{}},
                                  {.about = {.name = "next door", .why_not = "no link"}}};
  studies.ways = {.study = ways, .why_not = ""};
  const ReportPage page = scenario_page(studies);
  std::set<std::string> names;
  std::set<std::string> ids;
  for (const PageSection& section : page.sections) {
    CHECK(ids.insert(section.id).second);
    CHECK_FALSE(section.heading.empty());
    for (const Figure& figure : section.figures) CHECK(names.insert(figure.name).second);
    for (const Table& table : section.tables)
      for (const auto& row : table.rows) CHECK(row.size() == table.columns.size());
  }
}

TEST_CASE("events that arrive from outside have devices and losses in place of jobs per device") {
  ScenarioStudies studies = bare_studies();
  studies.facts.all_open = true;
  studies.arrivals = {.study = sample_arrivals_plan(), .why_not = ""};
  const ReportPage page = scenario_page(studies);
  const PageSection* section = find_section(page, "arrivals");
  REQUIRE(section != nullptr);
  CHECK(section->paragraphs.front() ==
        "7500 events arrive per second. 3 GPUs lose at most 0.1 % of them; by the bound 2 GPUs would do.");
  CHECK(ShownTable(section->tables.front()).rows.back().at(3) == "0.050 ± 0.010 %");
  REQUIRE(find_section(page, "streams") != nullptr);
  CHECK(find_section(page, "streams")->figures.empty());
}

TEST_CASE("each figure of a page has the name of its row, and stands in the row's section") {
  ScenarioStudies studies = planned_studies();
  studies.field = {.study = one_cell_field(), .why_not = ""};
  studies.sensitivity = {.study = Sensitivity{}, .why_not = ""};
  studies.trace = {.study = RunTrace{}, .why_not = ""};
  studies.close_up = {.study = RunTrace{}, .why_not = ""};
  studies.measured = {.study = MeasuredStudy{.cases = {ValidationCase{}, ValidationCase{}}}, .why_not = ""};
  studies.measured.study->cases[0].about.id = "first";
  studies.measured.study->cases[1].about.id = "second";
  const ReportPage page = scenario_page(studies);
  std::set<std::string> names;
  for (const FigureRow& row : scenario_figures())
    for (const Figure& figure : row.draw(studies)) {
      CAPTURE(figure.name);
      CHECK(figure.name.starts_with(row.name));
      CHECK(names.insert(figure.name).second);
      const PageSection* section = find_section(page, std::string(row.section));
      REQUIRE(section != nullptr);
      const bool drawn = std::any_of(section->figures.begin(), section->figures.end(),
                                     [&](const Figure& one) { return one.name == figure.name; });
      CHECK(drawn == figure.cannot.empty());
    }
  CHECK(names.size() >= 7);
}
