#include "models/laws/arrival_law.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace saturn {

namespace {

void add_stretch(std::vector<RateStretch>& all, RatePoint from, RatePoint to) {
  const double length_s = (to.at - from.at).value;
  if (!(length_s > 0.0)) return;
  all.push_back({.begin_s = from.at.value,
                 .length_s = length_s,
                 .rate = from.rate.value,
                 .slope = (to.rate - from.rate).value / length_s,
                 .events = (from.rate + to.rate).value / 2 * length_s});
}

}  // namespace

double RateStretch::time_of(double amount) const {
  const double root = std::sqrt(std::max(0.0, rate * rate + 2.0 * slope * amount));
  const double denominator = rate + root;
  return denominator > 0.0 ? std::min(length_s, 2.0 * amount / denominator) : 0.0;
}

std::vector<RateStretch> stretches(const ProfileArrivals& profile) {
  if (profile.points.empty()) throw std::invalid_argument("a profile of rates without points");
  const RatePoint& first = profile.points.front();
  const RatePoint& last = profile.points.back();
  // The rate at date 0, on the way from the last point to the first of the next period.
  const double gap_s = (profile.period - last.at + first.at).value;
  Rate at_seam = first.rate;
  if (gap_s > 0.0) at_seam = last.rate + (first.rate - last.rate) * ((profile.period - last.at).value / gap_s);
  std::vector<RateStretch> all;
  add_stretch(all, {Seconds{0.0}, at_seam}, first);
  for (std::size_t i = 1; i < profile.points.size(); ++i) add_stretch(all, profile.points[i - 1], profile.points[i]);
  add_stretch(all, last, {profile.period, at_seam});
  return all;
}

double events_per_period(const ProfileArrivals& profile) {
  double events = 0.0;
  for (const RateStretch& stretch : stretches(profile)) events += stretch.events;
  return events;
}

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

/// Of time.
double share_on(const OnOffArrivals& source) {
  return mean(source.on) / (mean(source.on) + mean(source.off));
}

double dispersion_of_periods(const OnOffArrivals& source) {
  const double on_s = mean(source.on).value;
  const double off_s = mean(source.off).value;
  const double scatter_s =
      (off_s * off_s * variance(source.on) + on_s * on_s * variance(source.off)) / std::pow(on_s + off_s, 3);
  const double step = (source.rate - source.rate_off).value;
  return 1.0 + step * step * scatter_s / mean_rate(source).value;
}

}  // namespace

Rate mean_rate(const ArrivalLaw& law) {
  if (const auto* poisson = std::get_if<PoissonArrivals>(&law)) return poisson->rate;
  if (const auto* constant = std::get_if<ConstantArrivals>(&law)) return constant->rate;
  if (const auto* gamma = std::get_if<GammaArrivals>(&law)) return gamma->rate;
  if (const auto* trace = std::get_if<TraceArrivals>(&law)) return Rate{gaps(*trace) / recorded(*trace).dates_s.back()};
  if (const auto* source = std::get_if<OnOffArrivals>(&law)) {
    const double share = share_on(*source);
    return Rate{share * source->rate.value + (1.0 - share) * source->rate_off.value};
  }
  const auto& profile = std::get<ProfileArrivals>(law);
  return Rate{events_per_period(profile) / profile.period.value};
}

double dispersion(const ArrivalLaw& law) {
  if (std::holds_alternative<ConstantArrivals>(law)) return 0.0;
  if (const auto* gamma = std::get_if<GammaArrivals>(&law)) return gamma->cv * gamma->cv;
  if (const auto* trace = std::get_if<TraceArrivals>(&law)) return squared_variation(*trace);
  if (const auto* source = std::get_if<OnOffArrivals>(&law)) return dispersion_of_periods(*source);
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

ArrivalStream::ArrivalStream(const ArrivalLaw& law, const RandomStream& random) : law_(law), random_(random) {
  const Seconds mean_gap{1.0 / mean_rate(law).value};
  gap_ = ExponentialTime{mean_gap};
  if (const auto* gamma = std::get_if<GammaArrivals>(&law)) gap_ = GammaTime{mean_gap, gamma->cv};
  if (const auto* profile = std::get_if<ProfileArrivals>(&law)) path_ = stretches(*profile);
  if (const auto* source = std::get_if<OnOffArrivals>(&law)) {
    on_ = random_.uniform() < share_on(*source);
    period_ends_s_ = sample_under_way(on_ ? source->on : source->off, random_).left.value;
  }
}

double ArrivalStream::next() {
  // Counted from zero each time, so that no rounding error adds up.
  if (const auto* constant = std::get_if<ConstantArrivals>(&law_))
    return (static_cast<double>(count_++) + 0.5) / constant->rate.value;
  if (const auto* trace = std::get_if<TraceArrivals>(&law_)) return next_of_trace(*trace);
  if (!path_.empty()) return next_of_profile();
  if (const auto* source = std::get_if<OnOffArrivals>(&law_)) return next_of_periods(*source);
  return last_s_ += sample(gap_, random_).value;
}

double ArrivalStream::next_of_trace(const TraceArrivals& trace) {
  const std::vector<double>& dates = trace.recorded->dates_s;
  const double date = static_cast<double>(pass_) * repetition(law_).value + dates[count_];
  if (++count_ == dates.size()) {
    count_ = 0;
    ++pass_;
  }
  return date;
}

double ArrivalStream::next_of_periods(const OnOffArrivals& law) {
  // Arrivals have no memory: what was drawn beyond a period's end is drawn anew.
  for (;;) {
    const double rate = (on_ ? law.rate : law.rate_off).value;
    const double date = rate > 0.0 ? last_s_ - std::log(random_.uniform()) / rate : period_ends_s_;
    if (date < period_ends_s_) return last_s_ = date;
    last_s_ = period_ends_s_;
    on_ = !on_;
    period_ends_s_ += sample(on_ ? law.on : law.off, random_).value;
  }
}

double ArrivalStream::next_of_profile() {
  double step = -std::log(random_.uniform());
  while (step > path_[stretch_].events - done_) {
    step -= path_[stretch_].events - done_;
    done_ = 0.0;
    if (++stretch_ == path_.size()) {
      stretch_ = 0;
      ++pass_;
    }
  }
  done_ += step;
  const RateStretch& stretch = path_[stretch_];
  const double period_s = std::get<ProfileArrivals>(law_).period.value;
  return static_cast<double>(pass_) * period_s + stretch.begin_s + stretch.time_of(done_);
}

}  // namespace saturn
