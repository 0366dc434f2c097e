#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "models/words/quantities.hpp"
#include "reports/calibration_report.hpp"
#include "reports/fit_section.hpp"
#include "reports/number_text.hpp"

namespace saturn {

namespace {

using Align = TextTable::Align;

/// A complaint of several lines, set off from the left.
std::string indented(const std::string& complaint) {
  std::string text = "    ";
  for (const char c : complaint) text += c == '\n' ? std::string("\n    ") : std::string(1, c);
  return text + "\n";
}

/// Notes that several have in common are printed once.
/// @param noun  what those are, in the plural
std::string grouped_notes(const std::vector<std::pair<std::string, std::string>>& notes, const std::string& noun) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::string>> names_of;
  for (const auto& [name, note] : notes) {
    if (!names_of.contains(note)) order.push_back(note);
    names_of[note].push_back(name);
  }
  std::string text;
  for (const std::string& note : order) {
    const std::vector<std::string>& names = names_of[note];
    text += notes_text({{names.size() == 1 ? names.front() : std::to_string(names.size()) + " " + noun, note}});
  }
  return text;
}

std::string notes_of_files(const CalibrationReport& report) {
  std::vector<std::pair<std::string, std::string>> notes;
  for (const FileFacts& file : report.files)
    for (const std::string& note : file.notes) notes.emplace_back(file.path, note);
  return grouped_notes(notes, "files");
}

std::string files_text(const CalibrationReport& report, TextStyle style) {
  TextTable table({{"file", Align::left}, {"format", Align::left}, {"holds", Align::left}});
  for (const FileFacts& file : report.files) table.add_row({file.path, file.format, file.holds});
  std::string text = heading("Read", style) + table.text(style);
  text += notes_of_files(report);
  for (const FileFacts& file : report.files) {
    if (!file.left_out.empty()) text += "  not used of " + file.path + ":\n";
    for (const std::string& complaint : file.left_out) text += indented(complaint);
  }
  if (!report.left_out.empty()) text += "  read, but without use:\n";
  for (const std::string& complaint : report.left_out) text += indented(complaint);
  return text;
}

/// True when the files' names alone tell them apart, without their folders.
bool short_labels(const CalibrationReport& report) {
  std::set<std::string> names;
  for (const FileFacts& file : report.files) names.insert(without_folder(file.path));
  return names.size() == report.files.size();
}

bool is_short(const FitFacts& facts) {
  return facts.x_title.empty() && facts.fit.residuals.empty();
}

/// Fits that are a number or a distribution each, a line each.
std::string numbers_table(const CalibrationReport& report, TextStyle style) {
  TextTable table({{"name", Align::left},
                   {"law", Align::left},
                   {"points", Align::right},
                   {"mean", Align::right},
                   {"unit", Align::left},
                   {"cv", Align::right}});
  bool any = false;
  std::vector<std::pair<std::string, std::string>> notes;
  for (const FitFacts& facts : report.fits) {
    if (!is_short(facts)) continue;
    any = true;
    const ShownUnit unit = shown_unit(facts.fit.parameters.values.at(0), facts.units.at(0));
    const bool with_cv = facts.fit.parameters.values.size() > 1;
    table.add_row({facts.name, facts.fit.law, std::to_string(facts.fit.used),
                   estimate_text(parameter_estimate(facts.fit.parameters, 0), unit.factor), unit.name,
                   with_cv ? estimate_text(parameter_estimate(facts.fit.parameters, 1)) : "–"});
    for (const std::string& note : facts.fit.notes) notes.emplace_back(facts.name, note);
    for (const std::string& note : facts.notes) notes.emplace_back(facts.name, note);
  }
  if (!any) return "";
  return "\n" + heading("Times and rates (95 % intervals)", style) + table.text(style) + grouped_notes(notes, "fits");
}

std::string comparisons_text(const CalibrationReport& report, TextStyle style) {
  std::string text;
  for (const SourceComparison& one : report.comparisons) {
    text += "\n" + heading((one.contradict ? "CONTRADICTION: " : "Two sources agree: ") + one.quantity, style);
    TextTable table({{"source", Align::left}, {"value", Align::right}});
    table.add_row({one.first, estimate_text(one.first_value)});
    table.add_row({one.second, estimate_text(one.second_value)});
    text += table.text(style);
    text += "  the second is " + number_text(one.factor.mean, 3) +
            " times the first (95 %: " + number_text(one.factor.low, 3) + " to " + number_text(one.factor.high, 3) +
            "; p = " + number_text(one.p, 2) + " for a difference by chance)\n";
  }
  return text;
}

std::string knees_text(const CalibrationReport& report, TextStyle style) {
  if (report.scenario.empty()) return "";
  std::string notes;
  for (const std::string& note : report.knee_notes) notes += notes_text({{"note", note}});
  if (report.knees.empty()) return "\n" + heading("What follows for " + report.scenario + ": nothing", style) + notes;
  TextTable table({{"source", Align::left},
                   {"device time an event [s]", Align::right},
                   {"95 %", Align::left},
                   {"jobs at saturation", Align::right},
                   {"95 %", Align::left},
                   {"decided by", Align::left}});
  const auto range = [](const Estimate& value, int digits) {
    return number_text(value.low, digits) + " to " + number_text(value.high, digits);
  };
  for (const SourceKnee& knee : report.knees)
    table.add_row({knee.source, number_text(knee.device_time_s.mean, 3), range(knee.device_time_s, 3),
                   whole_text(knee.jobs.mean), whole_text(knee.jobs.low) + " to " + whole_text(knee.jobs.high),
                   knee.decided_by});
  std::string text = "\n" + heading("What follows for " + report.scenario, style) + table.text(style) + notes;
  for (const KneeComparison& one : knee_comparisons(report))
    text += "  " + std::string(one.contradict ? "CONTRADICTION: " : "") + one.sentence + "\n";
  return text;
}

std::string sums_text(const CalibrationReport& report) {
  std::string text;
  for (const NumberSum& sum : report.sums) text += "\n" + sum.text + " = " + estimate_text(sum.total_s) + " s\n";
  return text;
}

}  // namespace

std::vector<KneeComparison> knee_comparisons(const CalibrationReport& report) {
  const auto outside = [](const Estimate& value, const Estimate& of) {
    return value.mean < of.low || value.mean > of.high;
  };
  std::vector<KneeComparison> comparisons;
  for (std::size_t i = 1; i < report.knees.size(); ++i) {
    const SourceKnee& first = report.knees.front();
    const SourceKnee& other = report.knees[i];
    const double factor = first.device_time_s.mean / other.device_time_s.mean;
    KneeComparison one{.contradict = outside(first.jobs, other.jobs) || outside(other.jobs, first.jobs),
                       .sentence = first.source + " and " + other.source + " differ by a factor of " +
                                   number_text(std::max(factor, 1.0 / factor), 3) + " in the time of a device"};
    if (outside(other.jobs, first.jobs))
      one.sentence += "; the interval of " + first.source + " excludes the " + whole_text(other.jobs.mean) +
                      " jobs of " + other.source;
    if (outside(first.jobs, other.jobs))
      one.sentence += "; the interval of " + other.source + " excludes the " + whole_text(first.jobs.mean) +
                      " jobs of " + first.source;
    one.sentence += ".";
    comparisons.push_back(std::move(one));
  }
  return comparisons;
}

std::string calibration_table(const CalibrationReport& report, TextStyle style) {
  std::string text = files_text(report, style);
  for (const FitFacts& facts : report.fits)
    if (!is_short(facts)) text += fit_section(facts, short_labels(report), style);
  return text + numbers_table(report, style) + sums_text(report) + comparisons_text(report, style) +
         knees_text(report, style);
}

}  // namespace saturn
