#include "models/arrival_stream.hpp"

#include <cmath>

namespace saturn {

ArrivalStream::ArrivalStream(const ArrivalLaw& law, const RandomStream& random) : law_(law), random_(random) {
  const Seconds mean_gap{1.0 / mean_rate(law).value};
  gap_ = ExponentialTime{mean_gap};
  if (const auto* gamma = std::get_if<GammaArrivals>(&law)) gap_ = GammaTime{mean_gap, gamma->cv};
  if (const auto* profile = std::get_if<ProfileArrivals>(&law)) path_ = stretches(*profile);
}

double ArrivalStream::next() {
  // Counted from zero each time, so that no rounding error adds up.
  if (const auto* constant = std::get_if<ConstantArrivals>(&law_))
    return (static_cast<double>(count_++) + 0.5) / constant->rate.value;
  if (const auto* trace = std::get_if<TraceArrivals>(&law_)) return next_of_trace(*trace);
  if (!path_.empty()) return next_of_profile();
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
