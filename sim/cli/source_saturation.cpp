#include "sim/cli/source_saturation.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>

#include "calibration/deciding_rows.hpp"
#include "models/words/texts.hpp"
#include "reports/fit_section.hpp"
#include "reports/number_text.hpp"

namespace saturn {

namespace {

/// By the fitted law where it reaches the requests of the scenario; else a note says why not.
std::optional<DeviceSaturation> saturation_by_law(SourceKnees& found, const NamedFit& fit, const Scenario& scenario) {
  const std::string model = model_meant(scenario, fit.model);
  if (model.empty()) {
    found.notes.push_back(fit.name + " is no model of the scenario; name it by --model");
    return std::nullopt;
  }
  const RequestSizes sizes = request_sizes(scenario, model);
  const std::string range = joined(fit.sources) + " knows batches of " + size_text(fit.fit.x_low) + " to " +
                            size_text(fit.fit.x_high) + " items, and the requests carry " + size_text(sizes.least) +
                            (sizes.most > sizes.least ? " to " + size_text(sizes.most) : "");
  // As for measured points: twice the largest size is the farthest that is trusted.
  if (sizes.most > 2.0 * fit.fit.x_high || 2.0 * sizes.most < fit.fit.x_low) {
    found.notes.push_back(range + ": too far to say where the scenario saturates");
    return std::nullopt;
  }
  if (sizes.most > fit.fit.x_high || sizes.least < fit.fit.x_low) found.notes.push_back(range + ": EXTRAPOLATED");
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

SourceKnees saturation_by_source(const Calibration& calibration, const Scenario& scenario, const std::string& name) {
  SourceKnees found{.scenario = name};
  for (const NamedFit& fit : calibration.fits) {
    std::optional<DeviceSaturation> saturation;
    if (fit.kind == FitKind::service_law) {
      saturation = saturation_by_law(found, fit, scenario);
    } else if (fit.saturation) {
      saturation = saturation_of_loop(scenario, *fit.saturation);
      found.notes.push_back(note_on_loop(fit, scenario));
    }
    if (!saturation) continue;
    found.knees.push_back(
        {.source = joined(fit.sources), .saturation = *saturation, .decided_by = joined(deciding_rows(fit))});
  }
  return found;
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
