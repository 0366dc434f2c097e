#include "sim/plan/raised_load.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "models/words/numbers.hpp"

namespace saturn {

namespace {

ArrivalLaw faster(ArrivalLaw law, double factor) {
  if (auto* profile = std::get_if<ProfileArrivals>(&law)) {
    for (RatePoint& point : profile->points) point.rate = factor * point.rate;
  } else if (auto* trace = std::get_if<TraceArrivals>(&law)) {
    if (!trace->recorded) return law;
    RecordedDates dates = *trace->recorded;
    for (double& date : dates.dates_s) date /= factor;
    trace->recorded = std::make_shared<const RecordedDates>(std::move(dates));
  } else if (auto* poisson = std::get_if<PoissonArrivals>(&law)) {
    poisson->rate = factor * poisson->rate;
  } else if (auto* constant = std::get_if<ConstantArrivals>(&law)) {
    constant->rate = factor * constant->rate;
  } else if (auto* gamma = std::get_if<GammaArrivals>(&law)) {
    gamma->rate = factor * gamma->rate;
  }
  return law;
}

/// The key of an arrival law that has one rate; null for others.
const char* key_of(const ArrivalLaw& law) {
  if (std::holds_alternative<PoissonArrivals>(law)) return "poisson";
  if (std::holds_alternative<ConstantArrivals>(law)) return "constant";
  return std::holds_alternative<GammaArrivals>(law) ? "gamma" : nullptr;
}

}  // namespace

Scenario with_load(Scenario scenario, double factor) {
  for (JobPool& pool : scenario.jobs) {
    if (pool.arrivals)
      pool.arrivals = faster(*pool.arrivals, factor);
    else
      pool.count = static_cast<std::uint64_t>(std::max(1.0, std::round(factor * static_cast<double>(pool.count))));
  }
  return scenario;
}

std::vector<Override> load_settings(const Scenario& scenario) {
  std::vector<Override> settings;
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    const JobPool& pool = scenario.jobs[j];
    const std::string pointer = "/jobs/" + std::to_string(j);
    if (!pool.arrivals)
      settings.push_back({pointer + "/count", std::to_string(pool.count)});
    else if (const char* key = key_of(*pool.arrivals))
      settings.push_back({pointer + "/arrivals/" + key + "/rate", exact_text(mean_rate(*pool.arrivals).value) + " Hz"});
  }
  return settings;
}

}  // namespace saturn
