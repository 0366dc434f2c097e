#include "reports/calibration/calibration_report.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/calibration/fit_section.hpp"
#include "reports/words/facts_text.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

/// Sections of one answer, all on the first screen.
void head(Answer& answer, std::string text) {
  answer.parts.emplace_back(Paragraph{.text = std::move(text), .heading = true, .details = false});
}

/// A complaint of several lines, set off from the left.
std::string indented(const std::string& complaint) {
  return "    " + replaced_all(complaint, "\n", "\n    ");
}

/// Notes that several have in common are printed once.
/// @param noun  what those are, in the plural
void add_grouped(Answer& answer, const std::vector<std::pair<std::string, std::string>>& notes,
                 const std::string& noun) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::string>> names_of;
  for (const auto& [name, note] : notes) {
    if (!names_of.contains(note)) order.push_back(note);
    names_of[note].push_back(name);
  }
  for (const std::string& note : order) {
    const std::vector<std::string>& names = names_of[note];
    answer.remark({{names.size() == 1 ? names.front() : std::to_string(names.size()) + " " + noun, note}}, false);
  }
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

void add_files(Answer& answer, std::span<const MeasuredFile> files, const std::vector<Complaint>& without_use) {
  Table table{.place = {"files"},
              .caption = "Read",
              .columns = {{.key = "file", .title = "file"},
                          {.key = "format", .title = "format"},
                          {.key = "holds", .title = "holds"}},
              .details = false};
  std::vector<std::pair<std::string, std::string>> notes;
  for (const MeasuredFile& file : files) {
    table.add_row({file.path, file.format, holding(file)});
    for (const std::string& note : file.notes) notes.emplace_back(file.path, note);
  }
  answer.add(std::move(table));
  add_grouped(answer, notes, "files");
  for (const MeasuredFile& file : files) {
    if (!file.left_out.empty()) answer.say("  not used of " + file.path + ":");
    for (const Complaint& complaint : file.left_out) answer.say(indented(complaint.formatted()));
  }
  if (!without_use.empty()) answer.say("  read, but without use:");
  for (const Complaint& complaint : without_use) answer.say(indented(complaint.formatted()));
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
void add_numbers(Answer& answer, const std::vector<NamedFit>& fits) {
  Table table{.caption = "Times and rates (95 % intervals)",
              .columns = {{.title = "name"},
                          {.title = "law"},
                          {.title = "points", .shown = Shown::whole},
                          {.title = "mean", .shown = Shown::number},
                          {.title = "unit"},
                          {.title = "cv", .shown = Shown::number}},
              .readers = For::people,
              .details = false};
  std::vector<std::pair<std::string, std::string>> notes;
  for (const NamedFit& named : fits) {
    if (!is_short(named)) continue;
    const ShownUnit unit = shown_unit(named.fit.parameters.values.at(0), named.units.at(0));
    const bool with_cv = named.fit.parameters.values.size() > 1;
    table.add_row({named.name, named.fit.law, std::uint64_t{named.fit.used},
                   estimate_text(parameter_estimate(named.fit.parameters, 0), unit.factor), unit.name,
                   with_cv ? Cell(parameter_estimate(named.fit.parameters, 1)) : Cell()});
    for (const std::string& note : named.fit.notes) notes.emplace_back(named.name, note);
    for (const std::string& note : named.notes) notes.emplace_back(named.name, note);
  }
  if (table.rows.empty()) return;
  answer.add(std::move(table));
  add_grouped(answer, notes, "fits");
}

void add_comparisons(Answer& answer, const std::vector<SourceComparison>& comparisons) {
  Table all{.place = {"comparisons"}, .readers = For::programs};
  for (const char* key : {"quantity", "first", "second", "first_value", "second_value", "factor", "p", "contradict"})
    all.columns.push_back(hidden(key));
  for (const std::size_t name : {0U, 1U, 2U}) all.columns[name].names = true;
  for (const SourceComparison& one : comparisons) {
    all.add_row(
        {one.quantity, one.first, one.second, one.first_value, one.second_value, one.factor, one.p, one.contradict});
    Table table{.caption = (one.contradict ? "CONTRADICTION: " : "Two sources agree: ") + one.quantity,
                .columns = {{.title = "source"}, {.title = "value", .shown = Shown::number}},
                .readers = For::people,
                .details = false};
    table.add_row({one.first, one.first_value});
    table.add_row({one.second, one.second_value});
    answer.add(std::move(table));
    answer.say("  the second is " + number_text(one.factor.mean, 3) +
               " times the first (95 %: " + number_text(one.factor.low, 3) + " to " + number_text(one.factor.high, 3) +
               "; p = " + number_text(one.p, 2) + " for a difference by chance)");
  }
  answer.add(std::move(all));
}

void add_knees(Answer& answer, const SourceKnees& saturation) {
  if (saturation.scenario.empty()) return;
  head(answer, "What follows for " + saturation.scenario + (saturation.knees.empty() ? ": nothing" : ""));
  Table table{
      .place = {"saturation"},
      .columns = {{.key = "source", .title = "source"},
                  {.key = "device_time_s", .title = "device time an event [s]", .shown = Shown::mean, .digits = 3},
                  {.title = "95 %", .readers = For::people},
                  {.key = "jobs", .title = "jobs at saturation", .shown = Shown::mean},
                  {.title = "95 %", .readers = For::people},
                  {.key = "decided_by", .title = "decided by"}},
      .details = false};
  for (const SourceKnee& knee : saturation.knees) {
    const auto& [device_time_s, jobs] = knee.saturation;
    table.add_row({knee.source, device_time_s,
                   number_text(device_time_s.low, 3) + " to " + number_text(device_time_s.high, 3), jobs,
                   whole_text(jobs.low) + " to " + whole_text(jobs.high), knee.decided_by});
  }
  answer.add(std::move(table));
  for (const std::string& note : saturation.notes) answer.remark({{"note", note}}, false);
  for (const KneeComparison& one : knee_comparisons(saturation))
    answer.say("  " + std::string(one.contradict ? "CONTRADICTION: " : "") + one.sentence);
}

void add_sums(Answer& answer, const std::vector<NumberSum>& sums) {
  Table all{.place = {"sums"}, .columns = {hidden("sum"), hidden("total_s")}, .readers = For::programs};
  for (const NumberSum& sum : sums) {
    all.add_row({sum.text, sum.total_s});
    answer.say("\n" + sum.text + " = " + estimate_text(sum.total_s) + " s");
  }
  answer.add(std::move(all));
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

Answer calibration_answer(std::span<const MeasuredFile> files, const SavedCalibration& saved) {
  const Calibration& calibration = saved.calibration;
  Answer answer{.says_provenance = false};
  answer.json_file = [json = fitted_file_json(saved)] { return json; };
  add_files(answer, files, calibration.left_out);
  for (const NamedFit& named : calibration.fits) {
    if (!is_short(named)) add_fit(answer, named, short_labels(files));
    add_fit_for_programs(answer, named);
  }
  add_numbers(answer, calibration.fits);
  add_sums(answer, calibration.sums);
  add_comparisons(answer, calibration.comparisons);
  add_knees(answer, saved.saturation);
  return answer;
}

}  // namespace saturn
