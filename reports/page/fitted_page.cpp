#include "reports/page/fitted_page.hpp"

#include <algorithm>
#include <utility>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/calibration/calibration_report.hpp"
#include "reports/figures/axes/swept_number.hpp"
#include "reports/figures/figures.hpp"
#include "reports/figures/metric_words.hpp"
#include "reports/page/page_parts.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

/// "189 (112 to 265)": with both ends, which lie unevenly where few rates were measured.
std::string uneven_interval(const Estimate& estimate) {
  return number_text(estimate.mean, 3) + " (" + number_text(estimate.low, 3) + " to " + number_text(estimate.high, 3) +
         ")";
}

std::string fitted_lead(const SavedCalibration& saved) {
  std::string lead = counted(saved.calibration.fits.size(), "fit") + " from " + counted(saved.data.size(), "file") +
                     " of measurements.";
  const std::vector<SourceComparison>& comparisons = saved.calibration.comparisons;
  if (comparisons.empty()) return lead;
  const auto bad =
      std::count_if(comparisons.begin(), comparisons.end(), [](const SourceComparison& one) { return one.contradict; });
  if (bad == 0) return lead + " Where two sources measure the same, they agree.";
  return lead + " In " + whole_text(static_cast<double>(bad)) + " of " + counted(comparisons.size(), "comparison") +
         " the sources contradict each other.";
}

std::vector<std::string> fitted_warnings(const SavedCalibration& saved) {
  std::vector<std::string> warnings;
  if (saved.calibration.fits.empty()) warnings.emplace_back("The file holds no fit.");
  for (const SourceComparison& one : saved.calibration.comparisons)
    if (one.contradict)
      warnings.push_back("Contradiction about the " + one.quantity + ": " + estimate_text(one.first_value) + " by " +
                         one.first + ", " + estimate_text(one.second_value) + " by " + one.second + ".");
  for (const KneeComparison& one : knee_comparisons(saved.saturation))
    if (one.contradict)
      warnings.push_back("Contradiction about where " + saved.saturation.scenario + " saturates: " + one.sentence);
  for (const FittedData& file : saved.data)
    if (file.left_out > 0)
      warnings.push_back(counted(file.left_out, "part") + " of " + file.path + (file.left_out == 1 ? " was" : " were") +
                         " not used; saturn calibrate says why.");
  return warnings;
}

Table parameters_table(const NamedFit& named) {
  Table table =
      page_table("Parameters with their 95 % intervals",
                 {{"parameter"}, {"value", true}, {"from", true}, {"to", true}, {"unit"}, {"place in the value"}});
  const FittedParameters& parameters = named.fit.parameters;
  for (std::size_t i = 0; i < parameters.values.size(); ++i) {
    const ParameterInterval found = parameters.intervals_95[i];
    const ShownUnit unit = shown_unit(parameters.values[i], named.units[i]);
    table.rows.push_back({parameters.names[i], number_text(parameters.values[i] * unit.factor),
                          number_text(found.low * unit.factor), number_text(found.high * unit.factor), unit.name,
                          named.at[i].empty() ? "the value itself" : named.at[i]});
  }
  return table;
}

/// What was fitted, with the name of the fit where the words do not hold it.
std::string fit_heading(const NamedFit& named) {
  if (named.about.empty()) return capitalised(named.name);
  if (named.about.find(named.name) != std::string::npos) return capitalised(named.about);
  return capitalised(named.about) + " (" + named.name + ")";
}

PageSection fit_section_of(const NamedFit& named, const FigureContext& context, std::size_t number) {
  PageSection section{.id = "fit-" + std::to_string(number), .heading = fit_heading(named)};
  std::string law =
      "Law: " + (named.fit.law.empty() ? "not said" : named.fit.law) + ", from " + counted(named.fit.used, "point");
  if (!named.sources.empty()) law += " of " + joined(named.sources);
  section.paragraphs.push_back(law + ".");
  section.paragraphs.insert(section.paragraphs.end(), named.notes.begin(), named.notes.end());
  Figure figure = fit_figure(named, context);
  figure.name = "fit_" + field_name(named.name) + "_" + std::to_string(number);
  // What is a single number has its table; an empty frame would say nothing.
  if (figure.cannot.empty()) section.figures.push_back(std::move(figure));
  if (!named.fit.parameters.values.empty()) section.tables.push_back(parameters_table(named));
  return section;
}

PageSection files_section(const std::vector<FittedData>& data) {
  Table table =
      page_table("Files that were read", {{"file"}, {"format"}, {"used", true}, {"left out", true}, {"SHA-256"}});
  for (const FittedData& file : data)
    table.rows.push_back({file.path, file.format, whole_text(static_cast<double>(file.used)),
                          whole_text(static_cast<double>(file.left_out)), file.sha256});
  return {.id = "files", .heading = "Measurements", .tables = {std::move(table)}};
}

PageSection comparisons_section(const std::vector<SourceComparison>& comparisons) {
  Table table = page_table("The same quantity from two sources", {{"quantity"},
                                                                  {"first"},
                                                                  {"value", true},
                                                                  {"second"},
                                                                  {"value", true},
                                                                  {"second / first", true},
                                                                  {"p", true},
                                                                  {""}});
  for (const SourceComparison& one : comparisons)
    table.rows.push_back({one.quantity, one.first, estimate_text(one.first_value), one.second,
                          estimate_text(one.second_value), estimate_text(one.factor), number_text(one.p, 2),
                          one.contradict ? "contradict each other" : "agree"});
  return {.id = "sources",
          .heading = "Do the sources agree?",
          .paragraphs = {"p is the probability that they differ so much by chance."},
          .tables = {std::move(table)}};
}

PageSection knees_section(const SourceKnees& saturation) {
  PageSection section{
      .id = "saturation", .heading = "Where " + saturation.scenario + " saturates", .paragraphs = saturation.notes};
  Table table = page_table("Jobs at which the devices saturate, by source",
                           {{"source"}, {"device time of an event [s]", true}, {"jobs", true}, {"decided by"}});
  for (const SourceKnee& knee : saturation.knees)
    table.rows.push_back({knee.source, uneven_interval(knee.saturation.device_time_s),
                          uneven_interval(knee.saturation.jobs), knee.decided_by});
  if (!table.rows.empty()) section.tables.push_back(std::move(table));
  return section;
}

}  // namespace

ReportPage fitted_page(const SavedCalibration& saved, const std::string& file,
                       const std::vector<std::string>& commands) {
  ReportPage page{.title = "Fits of " + file,
                  .lead = fitted_lead(saved),
                  .warnings = fitted_warnings(saved),
                  .provenance = {.version = saved.version,
                                 .simgrid = "not needed for fits",
                                 .git = saved.git,
                                 .scenario_sha256 = {},
                                 .command = saved.command},
                  .commands = commands};
  const FigureContext context{.scenario = file, .seed = 0};
  const Calibration& calibration = saved.calibration;
  if (!calibration.comparisons.empty()) page.sections.push_back(comparisons_section(calibration.comparisons));
  for (std::size_t i = 0; i < calibration.fits.size(); ++i)
    page.sections.push_back(fit_section_of(calibration.fits[i], context, i + 1));
  if (!saved.saturation.scenario.empty()) page.sections.push_back(knees_section(saved.saturation));
  page.sections.push_back(files_section(saved.data));
  if (!saved.created.empty()) page.sections.back().paragraphs.push_back("Fitted on " + saved.created + ".");
  return page;
}

}  // namespace saturn
