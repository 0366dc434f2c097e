#include "reports/calibration/calibration_report.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/calibration/fit_section.hpp"
#include "reports/calibration/validation_report.hpp"
#include "reports/tables/csv_rows.hpp"
#include "reports/words/facts_text.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

using Align = TextTable::Align;

/// Which of the two is closer; empty where both predict the same.
std::string closer(const ValidationCase& validation, double measured, double first, double second) {
  if (!(std::abs(std::log(first / second)) > least_telling_difference)) return "";
  const bool leads = std::abs(std::log(first / measured)) <= std::abs(std::log(second / measured));
  return validation.about.hypotheses[leads ? 0 : 1].name;
}

std::string rows_table(const ValidationCase& validation, const MeasuredQuantity& quantity, TextStyle style) {
  TextTable table({{"point"},
                   {name_with_unit(quantity.heading, quantity.unit), Align::right},
                   {validation.about.hypotheses[0].name, Align::right},
                   {"error", Align::right},
                   {validation.about.hypotheses[1].name, Align::right},
                   {"error", Align::right},
                   {"closer"}});
  for (std::size_t i = 0; i < validation.rows.size(); ++i) {
    const ValidationRow& row = validation.rows[i];
    for (std::size_t k = 0; k < row.measured.values.size(); ++k) {
      const MeasuredValue& value = row.measured.values[k];
      if (value.quantity != &quantity) continue;
      const Estimate& first = validation.rivals[0][i][k];
      const Estimate& second = validation.rivals[1][i][k];
      table.add_row(
          {row.measured.label, number_text(value.value * quantity.shown_factor),
           number_text(first.mean * quantity.shown_factor), signed_percent_text(first.mean / value.value - 1.0),
           number_text(second.mean * quantity.shown_factor), signed_percent_text(second.mean / value.value - 1.0),
           row.scored(k) ? closer(validation, value.value, first.mean, second.mean)
                         : "(" + (row.unscored().empty() ? "not counted" : row.unscored()) + ")"});
    }
  }
  return table.text(style);
}

std::string judgements_table(const std::vector<Judgement>& all, const MeasuredQuantity* decides_by, TextStyle style) {
  TextTable table({{"judged by"},
                   {"rows", Align::right},
                   {"that tell", Align::right},
                   {"typical error", Align::right},
                   {"closer", Align::right},
                   {"log-likelihood ratio", Align::right},
                   {"p", Align::right},
                   {""}});
  for (const Judgement& one : all) {
    const HypothesisComparison& found = one.comparison;
    table.add_row({std::string(one.quantity->heading), std::to_string(found.rows), std::to_string(found.telling_rows),
                   percent_text(found.first.typical_error) + " : " + percent_text(found.second.typical_error),
                   std::to_string(found.first.rows_closer) + " : " + std::to_string(found.second.rows_closer),
                   fixed_text(found.log_likelihood_ratio, 1), number_text(found.p_value, 2),
                   one.quantity == decides_by ? "decides" : ""});
  }
  return table.text(style);
}

}  // namespace

std::string hypotheses_text(const ValidationCase& validation, TextStyle style) {
  const std::vector<Judgement> all = judgements(validation);
  if (all.empty()) return "";
  std::string text = "\n" + heading("Hypotheses", style);
  std::vector<std::pair<std::string, std::string>> notes;
  for (const MeasuredHypothesis& one : validation.about.hypotheses) {
    notes.emplace_back(one.name, one.says + "; scenario " + one.scenario_in_words());
  }
  notes.emplace_back("decides",
                     std::string(validation.about.decides_by->heading) + ": " + validation.about.decides_because);
  text += notes_text(notes);
  for (const Judgement& one : all) {
    if (one.quantity == validation.about.decides_by) {
      text += "  " + judgement_in_words(one.comparison, one.first, one.second) + "\n";
    }
  }
  text += rows_table(validation, *validation.about.decides_by, style) + "\n";
  return text + judgements_table(all, validation.about.decides_by, style) +
         "  typical error and closer: " + validation.about.hypotheses[0].name + " : " +
         validation.about.hypotheses[1].name + "; a log-likelihood ratio above 0 is for " +
         validation.about.hypotheses[0].name + "\n";
}

std::string joint_hypotheses_text(const ValidationReport& report, TextStyle style) {
  const std::optional<Judgement> joint = joint_judgement(report);
  if (!joint) return "";
  return "\n" + heading("Hypotheses, all their cases together: " + joint->first + " or " + joint->second, style) +
         "  " + judgement_in_words(joint->comparison, joint->first, joint->second) + "\n" +
         judgements_table({*joint}, joint->quantity, style);
}

namespace {

using Align = TextTable::Align;

/// A complaint of several lines, set off from the left.
std::string indented(const std::string& complaint) {
  return "    " + replaced_all(complaint, "\n", "\n    ") + "\n";
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

/// "4 loads", "3 timed modules, 1 number"
std::string holding(const MeasuredFile& file) {
  std::string text;
  const auto add = [&](std::size_t number, const std::string& word) {
    if (number > 0) append_part(text, counted(number, word));
  };
  add(file.loads.size(), "load");
  add(file.counters.size(), "model counter");
  add(file.cpu_times.size(), "timed module");
  std::size_t trips = 0;
  for (const RoundTrips& one : file.round_trips) trips += one.values_s.size();
  add(trips, "round trip");
  add(file.throughputs.size(), "transfer test");
  add(file.closed_loop.size(), "closed-loop row");
  add(file.numbers.size(), "number");
  return text.empty() ? "nothing that can be used" : text;
}

std::string files_text(std::span<const MeasuredFile> files, const std::vector<Complaint>& without_use,
                       TextStyle style) {
  TextTable table({{"file", Align::left}, {"format", Align::left}, {"holds", Align::left}});
  std::vector<std::pair<std::string, std::string>> notes;
  for (const MeasuredFile& file : files) {
    table.add_row({file.path, file.format, holding(file)});
    for (const std::string& note : file.notes) notes.emplace_back(file.path, note);
  }
  std::string text = heading("Read", style) + table.text(style) + grouped_notes(notes, "files");
  for (const MeasuredFile& file : files) {
    if (!file.left_out.empty()) text += "  not used of " + file.path + ":\n";
    for (const Complaint& complaint : file.left_out) text += indented(complaint.formatted());
  }
  if (!without_use.empty()) text += "  read, but without use:\n";
  for (const Complaint& complaint : without_use) text += indented(complaint.formatted());
  return text;
}

/// True when the files' names alone tell them apart, without their folders.
bool short_labels(std::span<const MeasuredFile> files) {
  std::set<std::string> names;
  for (const MeasuredFile& file : files) names.insert(without_folder(file.path));
  return names.size() == files.size();
}

bool is_short(const NamedFit& named) {
  return named.x_title.empty() && named.fit.residuals.empty();
}

/// Fits that are a number or a distribution each, a line each.
std::string numbers_table(const std::vector<NamedFit>& fits, TextStyle style) {
  TextTable table({{"name", Align::left},
                   {"law", Align::left},
                   {"points", Align::right},
                   {"mean", Align::right},
                   {"unit", Align::left},
                   {"cv", Align::right}});
  bool any = false;
  std::vector<std::pair<std::string, std::string>> notes;
  for (const NamedFit& named : fits) {
    if (!is_short(named)) continue;
    any = true;
    const ShownUnit unit = shown_unit(named.fit.parameters.values.at(0), named.units.at(0));
    const bool with_cv = named.fit.parameters.values.size() > 1;
    table.add_row({named.name, named.fit.law, std::to_string(named.fit.used),
                   estimate_text(parameter_estimate(named.fit.parameters, 0), unit.factor), unit.name,
                   with_cv ? estimate_text(parameter_estimate(named.fit.parameters, 1)) : no_value});
    for (const std::string& note : named.fit.notes) notes.emplace_back(named.name, note);
    for (const std::string& note : named.notes) notes.emplace_back(named.name, note);
  }
  if (!any) return "";
  return "\n" + heading("Times and rates (95 % intervals)", style) + table.text(style) + grouped_notes(notes, "fits");
}

std::string comparisons_text(const std::vector<SourceComparison>& comparisons, TextStyle style) {
  std::string text;
  for (const SourceComparison& one : comparisons) {
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

std::string knees_text(const SourceKnees& saturation, TextStyle style) {
  if (saturation.scenario.empty()) return "";
  std::string notes;
  for (const std::string& note : saturation.notes) notes += notes_text({{"note", note}});
  const std::string title = "What follows for " + saturation.scenario;
  if (saturation.knees.empty()) return "\n" + heading(title + ": nothing", style) + notes;
  TextTable table({{"source", Align::left},
                   {"device time an event [s]", Align::right},
                   {"95 %", Align::left},
                   {"jobs at saturation", Align::right},
                   {"95 %", Align::left},
                   {"decided by", Align::left}});
  const auto range = [](const Estimate& value, int digits) {
    return number_text(value.low, digits) + " to " + number_text(value.high, digits);
  };
  for (const SourceKnee& knee : saturation.knees) {
    const auto& [device_time_s, jobs] = knee.saturation;
    table.add_row({knee.source, number_text(device_time_s.mean, 3), range(device_time_s, 3), whole_text(jobs.mean),
                   whole_text(jobs.low) + " to " + whole_text(jobs.high), knee.decided_by});
  }
  std::string text = "\n" + heading(title, style) + table.text(style) + notes;
  for (const KneeComparison& one : knee_comparisons(saturation))
    text += "  " + std::string(one.contradict ? "CONTRADICTION: " : "") + one.sentence + "\n";
  return text;
}

std::string sums_text(const std::vector<NumberSum>& sums) {
  std::string text;
  for (const NumberSum& sum : sums) text += "\n" + sum.text + " = " + estimate_text(sum.total_s) + " s\n";
  return text;
}

}  // namespace

std::vector<KneeComparison> knee_comparisons(const SourceKnees& saturation) {
  const auto outside = [](const Estimate& value, const Estimate& of) {
    return value.mean < of.low || value.mean > of.high;
  };
  std::vector<KneeComparison> comparisons;
  for (std::size_t i = 1; i < saturation.knees.size(); ++i) {
    const SourceKnee& first = saturation.knees.front();
    const SourceKnee& other = saturation.knees[i];
    const Estimate& first_jobs = first.saturation.jobs;
    const Estimate& other_jobs = other.saturation.jobs;
    const double factor = first.saturation.device_time_s.mean / other.saturation.device_time_s.mean;
    KneeComparison one{.contradict = outside(first_jobs, other_jobs) || outside(other_jobs, first_jobs),
                       .sentence = first.source + " and " + other.source + " differ by a factor of " +
                                   number_text(std::max(factor, 1.0 / factor), 3) + " in the time of a device"};
    if (outside(other_jobs, first_jobs))
      one.sentence += "; the interval of " + first.source + " excludes the " + whole_text(other_jobs.mean) +
                      " jobs of " + other.source;
    if (outside(first_jobs, other_jobs))
      one.sentence += "; the interval of " + other.source + " excludes the " + whole_text(first_jobs.mean) +
                      " jobs of " + first.source;
    one.sentence += ".";
    comparisons.push_back(std::move(one));
  }
  return comparisons;
}

std::string calibration_table(std::span<const MeasuredFile> files, const SavedCalibration& saved, TextStyle style) {
  const Calibration& calibration = saved.calibration;
  std::string text = files_text(files, calibration.left_out, style);
  for (const NamedFit& named : calibration.fits)
    if (!is_short(named)) text += fit_section(named, short_labels(files), style);
  return text + numbers_table(calibration.fits, style) + sums_text(calibration.sums) +
         comparisons_text(calibration.comparisons, style) + knees_text(saved.saturation, style);
}

namespace {

/// "per_batch_s", "mean_bytes_per_s"; a name that carries its unit stays.
std::string quantity_of(const std::string& parameter, const std::string& unit) {
  if (unit == "s") return parameter + "_s";
  if (unit == "B/s") return parameter + "_bytes_per_s";
  if (unit == "B") return parameter + "_bytes";
  return parameter;
}

void add_fit(CsvRows& rows, const NamedFit& named) {
  for (std::size_t i = 0; i < named.fit.parameters.values.size(); ++i)
    rows.add("fit", named.name, quantity_of(named.fit.parameters.names[i], named.units[i]),
             parameter_estimate(named.fit.parameters, i));
  rows.add("fit", named.name, "law", named.fit.law);
  rows.add("fit", named.name, "points", static_cast<double>(named.fit.used));
  for (const FitResidual& residual : named.fit.residuals) {
    const std::string name = named.name + ", " + residual.point.label;
    rows.add("residual", name, "x", residual.point.x);
    rows.add("residual", name, quantity_of("measured", named.y_unit), residual.point.y);
    rows.add("residual", name, quantity_of("fitted", named.y_unit), residual.fitted);
    rows.add("residual", name, "standardised", residual.standardised);
    rows.add("residual", name, "outlier", residual.outlier ? "yes" : "no");
  }
}

}  // namespace

std::string calibration_csv(const SavedCalibration& saved) {
  CsvRows rows;
  for (const NamedFit& named : saved.calibration.fits) add_fit(rows, named);
  for (const NumberSum& sum : saved.calibration.sums) rows.add("sum", sum.text, "total_s", sum.total_s);
  for (const SourceComparison& one : saved.calibration.comparisons) {
    const std::string name = one.quantity + ": " + one.second + " over " + one.first;
    rows.add("comparison", name, "factor", one.factor);
    rows.add("comparison", name, "p", one.p);
    rows.add("comparison", name, "contradict", one.contradict ? "yes" : "no");
  }
  for (const SourceKnee& knee : saved.saturation.knees) {
    rows.add("saturation", knee.source, "device_time_s", knee.saturation.device_time_s);
    rows.add("saturation", knee.source, "jobs", knee.saturation.jobs);
  }
  return rows.text();
}

}  // namespace saturn
