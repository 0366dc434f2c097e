#include "sim/cli/calibration_facts.hpp"

#include <chrono>
#include <cstdlib>
#include <ctime>

#include "calibration/deciding_rows.hpp"
#include "calibration/source_knee.hpp"
#include "models/words/texts.hpp"
#include "reports/fit_section.hpp"
#include "reports/number_text.hpp"
#include "reports/system_facts.hpp"

namespace saturn {

namespace {

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

FileFacts facts_of(const MeasuredFile& file) {
  FileFacts facts{.path = file.path,
                  .format = file.format,
                  .sha256 = file.sha256,
                  .holds = holding(file),
                  .notes = file.notes,
                  .used = file.loads.size() + file.counters.size() + file.cpu_times.size() + file.round_trips.size() +
                          file.throughputs.size() + file.closed_loop.size() + file.numbers.size()};
  for (const Complaint& complaint : file.left_out) facts.left_out.push_back(complaint.formatted());
  return facts;
}

FitFacts facts_of(const NamedFit& named) {
  return {.name = named.name,
          .kind = name_of(named.kind),
          .about = named.about,
          .value = named.value,
          .fit = named.fit,
          .at = named.at,
          .units = named.units,
          .x_title = named.x_title,
          .y_title = named.y_title,
          .y_unit = named.y_unit,
          .curve = named.curve,
          .measured = named.measured,
          .sources = named.sources,
          .notes = named.notes};
}

/// By the fitted law where it reaches the requests of the scenario; else a note says why not.
std::optional<DeviceSaturation> saturation_by_law(CalibrationReport& report, const NamedFit& fit,
                                                  const Scenario& scenario) {
  const std::string model = model_meant(scenario, fit.model);
  if (model.empty()) {
    report.knee_notes.push_back(fit.name + " is no model of the scenario; name it by --model");
    return std::nullopt;
  }
  const RequestSizes sizes = request_sizes(scenario, model);
  const std::string range = joined(fit.sources) + " knows batches of " + size_text(fit.fit.x_low) + " to " +
                            size_text(fit.fit.x_high) + " items, and the requests carry " + size_text(sizes.least) +
                            (sizes.most > sizes.least ? " to " + size_text(sizes.most) : "");
  // As for measured points: twice the largest size is the farthest that is trusted.
  if (sizes.most > 2.0 * fit.fit.x_high || 2.0 * sizes.most < fit.fit.x_low) {
    report.knee_notes.push_back(range + ": too far to say where the scenario saturates");
    return std::nullopt;
  }
  if (sizes.most > fit.fit.x_high || sizes.least < fit.fit.x_low) report.knee_notes.push_back(range + ": EXTRAPOLATED");
  return saturation_with(scenario, model, fit.fit);
}

std::string note_on_loop(const NamedFit& fit, const Scenario& scenario) {
  const SaturationFit& loop = *fit.saturation;
  const std::string source = joined(fit.sources);
  if (loop.knee_above)
    return source + ": no row is saturated; its own knee lies above " + number_text(*loop.knee_above, 3) + " clients";
  if (loop.knee_below)
    return source + ": every row is saturated; its own knee lies below " + number_text(*loop.knee_below, 3) +
           " clients";
  return source + ": its rows give the demand, the scenario the unhindered event time, " +
         number_text(ideal_event_time(scenario)) + " s; that of the rows themselves is " +
         number_text(fit.fit.parameters.values.at(0)) + " s, and their own knee at " +
         number_text(loop.knee.value_or(0.0), 3) + " clients";
}

}  // namespace

CalibrationReport calibration_report(std::span<const MeasuredFile> files, const Calibration& calibration) {
  CalibrationReport report;
  for (const MeasuredFile& file : files) report.files.push_back(facts_of(file));
  for (const NamedFit& fit : calibration.fits) report.fits.push_back(facts_of(fit));
  for (const Complaint& complaint : calibration.left_out) report.left_out.push_back(complaint.formatted());
  report.comparisons = calibration.comparisons;
  report.sums = calibration.sums;
  return report;
}

void add_saturation(CalibrationReport& report, const Calibration& calibration, const Scenario& scenario,
                    const std::string& name) {
  report.scenario = name;
  for (const NamedFit& fit : calibration.fits) {
    std::optional<DeviceSaturation> saturation;
    if (fit.kind == FitKind::service_law) {
      saturation = saturation_by_law(report, fit, scenario);
    } else if (fit.saturation) {
      saturation = saturation_of_loop(scenario, *fit.saturation);
      report.knee_notes.push_back(note_on_loop(fit, scenario));
    }
    if (!saturation) continue;
    report.knees.push_back({.source = joined(fit.sources),
                            .device_time_s = saturation->device_time_s,
                            .jobs = saturation->jobs,
                            .decided_by = joined(deciding_rows(fit))});
  }
}

std::string utc_date() {
  std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  if (const char* fixed = std::getenv("SOURCE_DATE_EPOCH"); fixed != nullptr && *fixed != '\0') {
    char* end = nullptr;
    const long long seconds = std::strtoll(fixed, &end, 10);
    if (*end == '\0' && seconds >= 0) now = static_cast<std::time_t>(seconds);
  }
  std::tm date{};
  gmtime_r(&now, &date);
  std::string text(32, '\0');
  text.resize(std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &date));
  return text;
}

}  // namespace saturn
