#include "reports/page/fitted_page.hpp"

#include <algorithm>
#include <utility>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/figures/figures.hpp"
#include "reports/figures/metric_words.hpp"
#include "reports/figures/swept_number.hpp"
#include "reports/number_text.hpp"

namespace saturn {

namespace {

/// "189 (112 to 265)": with both ends, which lie unevenly where few rates were measured.
std::string uneven_interval(const Estimate& estimate) {
  return number_text(estimate.mean, 3) + " (" + number_text(estimate.low, 3) + " to " + number_text(estimate.high, 3) +
         ")";
}

std::size_t contradictions(const CalibrationReport& report) {
  return static_cast<std::size_t>(std::count_if(report.comparisons.begin(), report.comparisons.end(),
                                                [](const SourceComparison& one) { return one.contradict; }));
}

std::string fitted_lead(const CalibrationReport& report) {
  std::string lead =
      counted(report.fits.size(), "fit") + " from " + counted(report.files.size(), "file") + " of measurements.";
  if (report.comparisons.empty()) return lead;
  const std::size_t bad = contradictions(report);
  if (bad == 0) return lead + " Where two sources measure the same, they agree.";
  return lead + " In " + whole_text(bad) + " of " + counted(report.comparisons.size(), "comparison") +
         " the sources contradict each other.";
}

std::vector<std::string> fitted_warnings(const CalibrationReport& report) {
  std::vector<std::string> warnings;
  if (report.fits.empty()) warnings.emplace_back("The file holds no fit.");
  for (const SourceComparison& one : report.comparisons)
    if (one.contradict)
      warnings.push_back("Contradiction about the " + one.quantity + ": " + estimate_text(one.first_value) + " by " +
                         one.first + ", " + estimate_text(one.second_value) + " by " + one.second + ".");
  for (const KneeComparison& one : knee_comparisons(report))
    if (one.contradict)
      warnings.push_back("Contradiction about where " + report.scenario + " saturates: " + one.sentence);
  for (const FileFacts& file : report.files)
    if (!file.left_out.empty())
      warnings.push_back(counted(file.left_out.size(), "part") + " of " + file.path +
                         (file.left_out.size() == 1 ? " was" : " were") + " not used; saturn calibrate says why.");
  return warnings;
}

PageTable parameters_table(const FitFacts& facts) {
  PageTable table{.caption = "Parameters with their 95 % intervals",
                  .head = {"parameter", "value", "from", "to", "unit", "place in the value"},
                  .is_number = {false, true, true, true, false, false}};
  const FittedParameters& parameters = facts.fit.parameters;
  for (std::size_t i = 0; i < parameters.values.size(); ++i) {
    const ParameterInterval found = parameters.intervals_95[i];
    const ShownUnit unit = shown_unit(parameters.values[i], facts.units[i]);
    table.rows.push_back({parameters.names[i], number_text(parameters.values[i] * unit.factor),
                          number_text(found.low * unit.factor), number_text(found.high * unit.factor), unit.name,
                          facts.at[i].empty() ? "the value itself" : facts.at[i]});
  }
  return table;
}

/// What was fitted, with the name of the fit where the words do not hold it.
std::string fit_heading(const FitFacts& facts) {
  if (facts.about.empty()) return capitalised(facts.name);
  if (facts.about.find(facts.name) != std::string::npos) return capitalised(facts.about);
  return capitalised(facts.about) + " (" + facts.name + ")";
}

PageSection fit_section_of(const FitFacts& facts, const FigureContext& context, std::size_t number) {
  PageSection section{.id = "fit-" + std::to_string(number), .heading = fit_heading(facts)};
  std::string law =
      "Law: " + (facts.fit.law.empty() ? "not said" : facts.fit.law) + ", from " + counted(facts.fit.used, "point");
  if (!facts.sources.empty()) law += " of " + joined(facts.sources);
  section.paragraphs.push_back(law + ".");
  section.paragraphs.insert(section.paragraphs.end(), facts.notes.begin(), facts.notes.end());
  Figure figure = fit_figure(facts, context);
  figure.name = "fit_" + field_name(facts.name) + "_" + std::to_string(number);
  // What is a single number has its table; an empty frame would say nothing.
  if (figure.cannot.empty()) section.figures.push_back(std::move(figure));
  if (!facts.fit.parameters.values.empty()) section.tables.push_back(parameters_table(facts));
  return section;
}

PageSection files_section(const CalibrationReport& report) {
  PageTable table{.caption = "Files that were read",
                  .head = {"file", "format", "used", "left out", "SHA-256"},
                  .is_number = {false, false, true, true, false}};
  for (const FileFacts& file : report.files)
    table.rows.push_back(
        {file.path, file.format, whole_text(file.used), whole_text(file.left_out.size()), file.sha256});
  return {.id = "files", .heading = "Measurements", .tables = {std::move(table)}};
}

PageSection comparisons_section(const CalibrationReport& report) {
  PageTable table{.caption = "The same quantity from two sources",
                  .head = {"quantity", "first", "value", "second", "value", "second / first", "p", ""},
                  .is_number = {false, false, true, false, true, true, true, false}};
  for (const SourceComparison& one : report.comparisons)
    table.rows.push_back({one.quantity, one.first, estimate_text(one.first_value), one.second,
                          estimate_text(one.second_value), estimate_text(one.factor), number_text(one.p, 2),
                          one.contradict ? "contradict each other" : "agree"});
  return {.id = "sources",
          .heading = "Do the sources agree?",
          .paragraphs = {"p is the probability that they differ so much by chance."},
          .tables = {std::move(table)}};
}

PageSection knees_section(const CalibrationReport& report) {
  PageSection section{
      .id = "saturation", .heading = "Where " + report.scenario + " saturates", .paragraphs = report.knee_notes};
  PageTable table{.caption = "Jobs at which the devices saturate, by source",
                  .head = {"source", "device time of an event [s]", "jobs", "decided by"},
                  .is_number = {false, true, true, false}};
  for (const SourceKnee& knee : report.knees)
    table.rows.push_back(
        {knee.source, uneven_interval(knee.device_time_s), uneven_interval(knee.jobs), knee.decided_by});
  if (!table.rows.empty()) section.tables.push_back(std::move(table));
  return section;
}

}  // namespace

ReportPage fitted_page(const CalibrationReport& report, const std::string& file,
                       const std::vector<std::string>& commands) {
  ReportPage page{.title = "Fits of " + file,
                  .lead = fitted_lead(report),
                  .warnings = fitted_warnings(report),
                  .provenance = report.provenance,
                  .commands = commands};
  const FigureContext context{.scenario = file, .seed = 0};
  if (!report.comparisons.empty()) page.sections.push_back(comparisons_section(report));
  for (std::size_t i = 0; i < report.fits.size(); ++i)
    page.sections.push_back(fit_section_of(report.fits[i], context, i + 1));
  if (!report.scenario.empty()) page.sections.push_back(knees_section(report));
  page.sections.push_back(files_section(report));
  if (!report.created.empty()) page.sections.back().paragraphs.push_back("Fitted on " + report.created + ".");
  return page;
}

}  // namespace saturn
