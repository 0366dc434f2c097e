#include "models/arrival_law.hpp"

#include <cmath>
#include <stdexcept>

#include "models/profile_rate.hpp"

namespace saturn {

namespace {

const RecordedDates& recorded(const TraceArrivals& trace) {
  if (!trace.recorded || trace.recorded->dates_s.size() < 2 || !(trace.recorded->dates_s.back() > 0.0))
    throw std::invalid_argument("a trace of arrivals without two different dates");
  return *trace.recorded;
}

double gaps(const TraceArrivals& trace) {
  return static_cast<double>(recorded(trace).dates_s.size() - 1);
}

double squared_variation(const TraceArrivals& trace) {
  const std::vector<double>& dates = recorded(trace).dates_s;
  const double mean_gap = dates.back() / gaps(trace);
  double squares = 0.0;
  for (std::size_t i = 1; i < dates.size(); ++i) squares += std::pow((dates[i] - dates[i - 1]) / mean_gap - 1.0, 2);
  return squares / gaps(trace);
}

}  // namespace

Rate mean_rate(const ArrivalLaw& law) {
  if (const auto* poisson = std::get_if<PoissonArrivals>(&law)) return poisson->rate;
  if (const auto* constant = std::get_if<ConstantArrivals>(&law)) return constant->rate;
  if (const auto* gamma = std::get_if<GammaArrivals>(&law)) return gamma->rate;
  if (const auto* trace = std::get_if<TraceArrivals>(&law)) return Rate{gaps(*trace) / recorded(*trace).dates_s.back()};
  const auto& profile = std::get<ProfileArrivals>(law);
  return Rate{events_per_period(profile) / profile.period.value};
}

double dispersion(const ArrivalLaw& law) {
  if (std::holds_alternative<ConstantArrivals>(law)) return 0.0;
  if (const auto* gamma = std::get_if<GammaArrivals>(&law)) return gamma->cv * gamma->cv;
  if (const auto* trace = std::get_if<TraceArrivals>(&law)) return squared_variation(*trace);
  return 1.0;
}

bool is_drawn(const ArrivalLaw& law) {
  return !std::holds_alternative<ConstantArrivals>(law) && !std::holds_alternative<TraceArrivals>(law);
}

bool varies(const ArrivalLaw& law) {
  return std::holds_alternative<TraceArrivals>(law) || std::holds_alternative<ProfileArrivals>(law);
}

Seconds repetition(const ArrivalLaw& law) {
  if (const auto* profile = std::get_if<ProfileArrivals>(&law)) return profile->period;
  if (const auto* trace = std::get_if<TraceArrivals>(&law)) {
    const double last_s = recorded(*trace).dates_s.back();
    return Seconds{last_s + last_s / gaps(*trace)};
  }
  return Seconds{};
}

}  // namespace saturn
