#include "models/results/recovery.hpp"

namespace saturn {

namespace {

/// The mean of a number of a time of the run, weighted by how long its moments are, which is the same for all.
double mean_between(const std::vector<MomentResults>& moments, double from_s, double until_s,
                    Estimate MomentResults::*number) {
  double sum = 0.0;
  double count = 0.0;
  double begin_s = 0.0;
  for (const MomentResults& moment : moments) {
    if (begin_s >= from_s && moment.until_s <= until_s) {
      sum += (moment.*number).mean;
      count += 1.0;
    }
    begin_s = moment.until_s;
  }
  return count > 0.0 ? sum / count : 0.0;
}

}  // namespace

std::optional<double> recovered_at(const std::vector<MomentResults>& moments, double from_s, double end_s) {
  const double before = mean_between(moments, from_s / 2, from_s, &MomentResults::present);
  // The last moment that is not as before: queues may seem to have gone while clients still wait to come again.
  std::optional<double> since;
  std::size_t quiet = 0;
  for (const MomentResults& moment : moments) {
    if (moment.until_s <= end_s) continue;
    const bool as_before =
        moment.present.mean <= 1.3 * before + 2.0 && moment.late.mean <= 0.001 && moment.unserved.mean <= 0.001;
    quiet = as_before ? quiet + 1 : 0;
    if (!as_before) since.reset();
    if (as_before && !since) since = moment.until_s;
  }
  constexpr std::size_t no_chance = 5;
  return quiet >= no_chance ? since : std::nullopt;
}

}  // namespace saturn
