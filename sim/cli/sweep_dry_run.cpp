#include <algorithm>
#include <chrono>

#include "reports/points_listing.hpp"
#include "sim/cli/answer.hpp"
#include "sim/cli/sweep_execution.hpp"
#include "sim/run/usable_cores.hpp"

namespace saturn {

namespace {

/// Trials end after this time, or after so many points: enough to tell seconds from hours.
constexpr double trial_time_s = 2.0;
constexpr std::size_t most_trials = 5;
/// A simulation is given up then, and counts for so much: an hour would not be guessed from it anyway.
constexpr double longest_trial_s = 4.0;

/// Points that were tried, and the time that they took.
struct Trials {
  std::size_t points = 0;
  double seconds = 0.0;
  bool cut_short = false;
};

Trials tried(const SweepStudy& study, const SweepOptions& options) {
  using Clock = std::chrono::steady_clock;
  const PointAnswers answers(study.read, study.space, study.asked,
                             {.time = Seconds{longest_trial_s}, .memory_bytes = options.memory_of_a_point()});
  Trials trials;
  for (const std::uint64_t point : order_of(study.space)) {
    const Clock::time_point start = Clock::now();
    double least_s = 0.0;
    try {
      answers(point);
    } catch (const PointFailed& failed) {
      // What fails takes its time too.
      if (failed.kind() == name_of(FailureKind::interrupted)) throw Interrupted("interrupted");
      if (failed.kind() == name_of(FailureKind::out_of_time)) {
        trials.cut_short = true;
        // One that is too long to be begun ends at once.
        least_s = longest_trial_s;
      }
    }
    trials.seconds += std::max(least_s, std::chrono::duration<double>(Clock::now() - start).count());
    if (++trials.points == most_trials || trials.seconds > trial_time_s) break;
  }
  return trials;
}

}  // namespace

ExitCode list_points(const SweepStudy& study, const SweepOptions& options) {
  const Trials trials = tried(study, options);
  PointsListing listing{.title = study.read.scenario.title,
                        .answer = text_of(study.asked),
                        .columns = study.space.columns(),
                        .points = study.space.size(),
                        .tried = trials.points,
                        .at_least = trials.cut_short,
                        .seconds_a_point = trials.seconds / static_cast<double>(trials.points),
                        .workers = options.workers > 0 ? options.workers : usable_cores(),
                        .cells = [&](std::uint64_t point) { return study.space.cells(point); }};
  give({.table = [&](TextStyle style) { return points_listing_text(listing, style); },
        .json = [&] { return points_listing_json(listing); },
        .csv = [&] { return points_listing_csv(listing); }},
       {.format = options.output.format, .out = {}, .quiet = options.output.quiet});
  return ExitCode::answered;
}

}  // namespace saturn
