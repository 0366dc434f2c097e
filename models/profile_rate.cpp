#include "models/profile_rate.hpp"

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

}  // namespace saturn
