#include "sim/study/sweep/sweep_study.hpp"

#include <algorithm>
#include <chrono>

#include "models/values/coarse_first.hpp"
#include "models/values/sha256.hpp"
#include "models/words/texts.hpp"
#include "reports/run/provenance.hpp"
#include "reports/sweep/sweep_json.hpp"
#include "reports/sweep/sweep_summary.hpp"
#include "reports/sweep/sweep_view.hpp"
#include "scenarios/document/complaints.hpp"
#include "sim/run/process_pool.hpp"
#include "sim/study/new_files.hpp"
#include "sim/study/reply.hpp"
#include "sim/study/request.hpp"
#include "sim/sweep/points_csv.hpp"
#include "sim/sweep/sweep_plan.hpp"

namespace saturn {

namespace {

/// Refused points that are shown; more would bury what they have in common.
constexpr std::size_t shown_refusals = 5;

/// "point 7, where max_batch_size is 64, rtt is 5 ms"
std::string place_of(const SweepSpace& space, std::uint64_t point) {
  const std::vector<AxisColumn> columns = space.columns();
  const std::vector<AxisCell> cells = space.cells(point);
  std::vector<std::string> values;
  for (std::size_t c = 0; c < columns.size(); ++c) values.push_back(columns[c].name + " is " + cells[c].text);
  return "point " + std::to_string(point) + ", where " + joined(values);
}

}  // namespace

SweepStudy understood(const SweepRequest& options, Monitor& monitor) {
  SweepStudy study{.read = load_scenario(options.scenario, monitor)};
  study.asked = point_asked(options, study.read.scenario);
  study.space = sweep_space(asked_sweep(options.sweep, study.read), study.read);
  return study;
}

void refuse_points(const SweepStudy& study, const SweepRequest& options) {
  if (options.skip_refused) return;
  const std::vector<RefusedPoint> refused = refused_points(study.space, study.read, study.space.size());
  if (refused.empty()) return;
  std::vector<Complaint> complaints;
  for (const RefusedPoint& point : refused) {
    if (complaints.size() == shown_refusals) break;
    Complaint complaint = point.complaints.front();
    complaint.source = place_of(study.space, point.point);
    complaint.line = complaint.column = 0;
    complaint.excerpt.clear();
    complaints.push_back(std::move(complaint));
  }
  complaints.push_back(
      {.source = "--axis",
       .code = "sweep.refused_points",
       .text =
           std::to_string(refused.size()) + " of " + std::to_string(study.space.size()) +
           " points are no valid scenario" +
           (refused.size() > shown_refusals ? "; the first " + std::to_string(shown_refusals) + " are above" : "") +
           ". Nothing was computed. Leave them out with --where, or add --skip-refused to have them as failed rows.",
       .excerpt = ""});
  throw InputError(complaints);
}

SweepHeader header_of(const SweepStudy& study, const SweepRequest& options) {
  return {.title = study.read.scenario.title,
          .scenario = options.scenario.scenario,
          .scenario_sha256 = sha256_hex(study.read.resolved),
          .answer = text_of(study.asked),
          .seed = study.read.scenario.run.seed,
          .axes = study.space.columns(),
          .points = study.space.size(),
          .version = provenance_of("", 0, "").version,
          .results = std::string(results_version)};
}

std::string id_of(const SweepStudy& study, std::uint64_t point) {
  return point_id({.answer = text_of(study.asked), .resolved = study.read.resolved_again(study.space.settings(point))});
}

SweepPlan plan_of(const SweepStudy& study, const SweepRequest& options) {
  SweepPlan plan{.header = header_of(study, options)};
  plan.points.reserve(study.space.size());
  for (std::uint64_t point = 0; point < study.space.size(); ++point)
    plan.points.push_back({.id = id_of(study, point), .cells = study.space.cells(point)});
  return plan;
}

std::vector<std::uint64_t> order_of(const SweepSpace& space) {
  std::vector<std::uint32_t> sizes;
  for (const SweepSpace::Axis& axis : space.axes())
    sizes.push_back(static_cast<std::uint32_t>(axis.cells.front().size()));
  return coarse_first(sizes, space.size(), [&](std::uint64_t point) { return space.steps(point); });
}

std::vector<std::uint64_t> order_of(const SweepSpace& space, const Shard& shard) {
  const std::vector<std::uint64_t> all = order_of(space);
  std::vector<std::uint64_t> own;
  for (std::uint64_t place = shard.number - 1; place < all.size(); place += shard.of) own.push_back(all[place]);
  return own;
}

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

Trials tried(const SweepStudy& study, const SweepRequest& options) {
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

Reply list_points(const SweepStudy& study, const SweepRequest& options) {
  const Trials trials = tried(study, options);
  PointsListing listing{.title = study.read.scenario.title,
                        .answer = text_of(study.asked),
                        .columns = study.space.columns(),
                        .points = study.space.size(),
                        .tried = trials.points,
                        .at_least = trials.cut_short,
                        .seconds_a_point = trials.seconds / static_cast<double>(trials.points),
                        .workers = options.workers > 0 ? options.workers : usable_cores(),
                        .cells = [space = study.space](std::uint64_t point) { return space.cells(point); }};
  return {.answer = points_listing_answer(listing)};
}

namespace {

/// Conflicts that are shown.
constexpr std::size_t shown_conflicts = 5;

}  // namespace

void refuse_conflicts(const ReadResults& results) {
  Complaints complaints;
  for (const ResultConflict& conflict : results.conflicts) {
    if (complaints.size() == shown_conflicts) break;
    complaints.add(conflict.second.string(), "sweep.conflict",
                   "The result of point " + conflict.id + " differs from that in " + conflict.first.string() +
                       ", though both claim to answer the same. Two builds of the program, or a broken machine, wrote "
                       "them: find out which file to trust, move the other one out of the folder, and give the command "
                       "again.");
  }
  if (results.conflicts.size() > shown_conflicts)
    complaints.add("results", "sweep.conflict",
                   std::to_string(results.conflicts.size() - shown_conflicts) + " more are the same.");
  complaints.raise();
}

std::string torn_lines_text(std::uint64_t torn) {
  return std::to_string(torn) + (torn == 1 ? " torn line was" : " torn lines were");
}

Reply reply_with_points(SweepTable points, std::function<std::string(const SweepTable&, TextStyle)> picture) {
  const auto table = std::make_shared<const SweepTable>(std::move(points));
  Answer answer{.says_provenance = false};
  answer.say(std::string(trimmed_end(sweep_summary_text(*table), "\n")));
  if (!table->rows.empty())
    answer.parts.emplace_back(Picture{
        .draw = [table, picture = std::move(picture)](TextStyle style) { return picture(for_people(*table), style); },
        .details = false});
  answer.json_file = [table] { return sweep_json(*table); };
  answer.csv_file = [table] { return points_csv(*table); };
  return {.answer = std::move(answer)};
}

}  // namespace saturn
