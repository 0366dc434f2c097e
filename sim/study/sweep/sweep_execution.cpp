#include <algorithm>
#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <utility>

#include "models/values/search_order.hpp"
#include "models/values/sha256.hpp"
#include "models/words/texts.hpp"
#include "reports/run/provenance.hpp"
#include "reports/sweep/heat_map.hpp"
#include "reports/sweep/sweep_json.hpp"
#include "reports/sweep/sweep_summary.hpp"
#include "reports/sweep/sweep_view.hpp"
#include "reports/words/number_text.hpp"
#include "scenarios/document/complaints.hpp"
#include "sim/run/outcome_bytes.hpp"
#include "sim/run/process_pool.hpp"
#include "sim/study/new_files.hpp"
#include "sim/study/reply.hpp"
#include "sim/study/request.hpp"
#include "sim/study/sweep/sweep_study.hpp"
#include "sim/sweep/points_csv.hpp"
#include "sim/sweep/result_log.hpp"
#include "sim/sweep/run_sweep.hpp"
#include "sim/sweep/sweep_folder.hpp"
#include "sim/sweep/sweep_plan.hpp"
#include "sim/sweep/whole_files.hpp"

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

namespace {

/// What plan.jsonl begins with.
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

/// The id of a point. Cost: some 0.2 ms
std::string id_of(const SweepStudy& study, std::uint64_t point) {
  return point_id({.answer = text_of(study.asked), .resolved = study.read.resolved_again(study.space.settings(point))});
}

/// Header, ids and values of all points.
SweepPlan plan_of(const SweepStudy& study, const SweepRequest& options) {
  SweepPlan plan{.header = header_of(study, options)};
  plan.points.reserve(study.space.size());
  const auto ids_of = [&](TaskRange range) {
    std::vector<std::string> ids;
    for (std::uint64_t point = range.first; point < range.last; ++point) ids.push_back(id_of(study, point));
    return bytes_of(ids);
  };
  for (const std::string& bytes : for_each_on_cores(study.space.size(), options.workers, ids_of))
    for (std::string& id : from_bytes<std::vector<std::string>>(bytes))
      plan.points.push_back({.id = std::move(id), .cells = study.space.cells(plan.points.size())});
  return plan;
}

/// The points in the order in which they are computed: a coarse picture first.
std::vector<std::uint64_t> order_of(const SweepSpace& space) {
  std::vector<std::uint32_t> sizes;
  for (const SweepSpace::Axis& axis : space.axes())
    sizes.push_back(static_cast<std::uint32_t>(axis.cells.front().size()));
  return coarse_first(sizes, space.size(), [&](std::uint64_t point) { return space.steps(point); });
}

/// The same, of one shard: every so many-th.
std::vector<std::uint64_t> order_of(const SweepSpace& space, const Shard& shard) {
  const std::vector<std::uint64_t> all = order_of(space);
  std::vector<std::uint64_t> own;
  for (std::uint64_t place = shard.number - 1; place < all.size(); place += shard.of) own.push_back(all[place]);
  return own;
}

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
      if (is_cut_short()) throw Interrupted("interrupted");
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

namespace {

/// A shard of a larger sweep leaves plan.jsonl to the call that prepared the folder: all shards working out all ids
/// would cost more than the points.
constexpr std::uint64_t most_planned_by_shards = 100'000;

/// To look at more points takes seconds.
constexpr std::uint64_t quickly_planned = 20'000;

/// Whether both have the same axes and as many points.
bool same_points(const SweepHeader& a, const SweepHeader& b) {
  const auto same_column = [](const AxisColumn& one, const AxisColumn& other) {
    return one.pointer == other.pointer && one.unit == other.unit;
  };
  return a.answer == b.answer && a.points == b.points &&
         std::equal(a.axes.begin(), a.axes.end(), b.axes.begin(), b.axes.end(), same_column);
}

/// Whether both ask the same at them.
bool same_sweep(const SweepHeader& a, const SweepHeader& b) {
  return a.seed == b.seed && a.results == b.results && a.scenario_sha256 == b.scenario_sha256;
}

/// A mistyped --set must not cost a second sweep, nor may a shard alone change what the others compute.
[[noreturn]] void refuse_changed(const std::filesystem::path& folder) {
  refuse_input("--out " + folder.string(), "sweep.changed",
               "This folder's plan has the same points, but the scenario, the seed, a --set or the version of the "
               "results is not what it was, so that some of them ask something else now. Go back to what it was, name "
               "another folder, or add --force (without --shard): these points are computed anew, and their former "
               "results stay in results/.");
}

/// With --force even a torn plan gives way.
SweepPlan plan_before(const std::filesystem::path& folder, bool force) {
  try {
    return read_plan(folder);
  } catch (const InputError&) {
    if (!force) throw;
    return {};
  }
}

[[noreturn]] void refuse_another(const std::filesystem::path& folder, const SweepHeader& before) {
  const std::string axes = joined(texts_of(before.axes, [](const AxisColumn& axis) { return axis.pointer; }));
  refuse_input("--out " + folder.string(), "sweep.another",
               "This folder holds another sweep (\"" + before.title + "\", " + std::to_string(before.points) +
                   " points over " + axes +
                   "). Name another folder, or add --force: the new plan takes the place of the old one, and "
                   "results of points that both have are kept.");
}

void write_provenance(const SweepStudy& study, const SweepRequest& options, const std::filesystem::path& folder) {
  const Provenance provenance = provenance_of(study.read, options.scenario.command);
  replace_file(folder / "provenance.json",
               sweep_provenance_json(provenance, study.read.scenario.title, text_of(study.asked), study.space.columns(),
                                     study.space.size()));
}

/// What is not known yet, or was only killed, in the order of `points`.
std::vector<SweepTask> tasks_of(const std::vector<std::uint64_t>& points, const ReadResults& known,
                                const std::function<std::string(std::uint64_t)>& id_of_point, bool retry_failed) {
  std::vector<SweepTask> tasks;
  for (const std::uint64_t point : points) {
    std::string id = id_of_point(point);
    const auto found = known.by_id.find(id);
    const bool again = found != known.by_id.end() &&
                       (found->second.failure == killed_kind || (retry_failed && is_of_machine(found->second.failure)));
    if (found == known.by_id.end() || again) tasks.push_back({.point = point, .id = std::move(id)});
  }
  return tasks;
}

/// Bounds take microseconds, less than it costs to hand a point to a worker.
bool is_instant(const PointAsked& asked) {
  return asked.methods == Methods{Method::bounds};
}

PointResult result_at(const PointAnswers& answers, std::uint64_t point) {
  try {
    return {.status = PointStatus::answered, .answer = answers(point)};
  } catch (const PointFailed& failed) {
    return {.status = PointStatus::failed, .failure = failed.kind(), .reason = failed.what()};
  }
}

/// The answers of all points, where they take no longer than to see whether the scenario is refused there.
/// @returns (points)
/// @throws InputError  as refuse_points
AnswerPoint answered_at_once(const SweepStudy& study, const SweepRequest& options) {
  const PointAnswers answers(study.read, study.space, study.asked, {});
  const auto compute = [&](TaskRange range) {
    std::vector<PointResult> results;
    for (std::uint64_t point = range.first; point < range.last; ++point) results.push_back(result_at(answers, point));
    return bytes_of(results);
  };
  const auto all = std::make_shared<std::vector<PointResult>>();
  all->reserve(study.space.size());
  for (const std::string& bytes : for_each_on_cores(study.space.size(), options.workers, compute)) {
    for (PointResult& result : from_bytes<std::vector<PointResult>>(bytes)) {
      if (result.failure == refused_kind) refuse_points(study, options);
      all->push_back(std::move(result));
    }
  }
  return [all](std::uint64_t point) {
    PointResult& known = all->at(point);
    if (known.status == PointStatus::failed) throw PointFailed(known.failure, known.reason);
    return std::move(known.answer);
  };
}

SweepEnd computed(const SweepStudy& study, const SweepRequest& options, const AnswerPoint& answer,
                  const std::vector<SweepTask>& tasks, const std::filesystem::path& folder, const std::string& log_name,
                  FolderLock* lock, Monitor& monitor) {
  const Seconds time = parse_duration("--point-time", options.point_time);
  const std::uint64_t memory = options.memory_of_a_point();
  SweepRunOptions run_options{.workers = options.workers,
                              .point_time = time,
                              .point_memory = memory,
                              .deadline = options.budget.deadline(),
                              .log_name = log_name,
                              .without_workers = is_instant(study.asked)};
  run_options.in_child = [lock] {
    if (lock != nullptr) lock->forget();
  };
  const PointAnswers one_by_one(study.read, study.space, study.asked, {.time = time, .memory_bytes = memory});
  SweepEnd end = run_sweep(tasks, answer ? answer : one_by_one, folder, run_options,
                           [&](const SweepProgress& progress) { monitor.swept(progress); });
  // What is left takes moments, and one more signal must not cost points.csv.
  if (end.interrupted)
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  return end;
}

ExitCode exit_code_of(const SweepTable& table, const SweepEnd& end) {
  if (end.interrupted) return ExitCode::interrupted;
  bool complete = true;
  for (const SweepRow& row : table.rows) {
    if (row.result.failure == name_of(FailureKind::broken_law) || row.result.failure == name_of(FailureKind::crashed))
      return ExitCode::our_bug;
    complete = complete && row.result.status != PointStatus::missing && row.result.status != PointStatus::imprecise;
  }
  return complete ? ExitCode::answered : ExitCode::precision_not_reached;
}

/// "40 of 120 points are known already; 1 torn line was left out": nothing where the folder was empty.
void say_kept(std::uint64_t kept, std::uint64_t points, const ReadResults& known, Monitor& monitor) {
  if (kept + known.torn == 0) return;
  monitor.note(std::to_string(kept) + " of " + std::to_string(points) + " points are known already" +
               (known.torn > 0 ? "; " + torn_lines_text(known.torn) + " left out" : "") + ".\n");
}

/// How many points were computed, how fast, what failed, where the rows are, and what goes on from here. The time is
/// that of all of it: where formulas answer, to look at the points takes longer than to save them.
std::string words_on_end(const SweepEnd& end, const Budget& budget, const std::string& what,
                         const std::filesystem::path& rows, SweepMeter::Clock::time_point begun) {
  SweepProgress progress = end.progress;
  progress.elapsed_s = std::chrono::duration<double>(SweepMeter::Clock::now() - begun).count();
  std::string text = what + ": " + (progress.tasks == 0 ? "nothing was missing." : sweep_end_text(progress, {}));
  text += "\n";
  for (const std::string& words : end.last_words) text += "  " + words + "\n";
  if (end.interrupted) text += "Interrupted. The same command goes on from here.\n";
  if (end.out_of_time)
    text += "The budget of " + number_text(*budget.seconds(), 3) +
            " s is spent. The same command goes on from here; --method bounds answers all points at once.\n";
  return text + "Rows: " + rows.string() + "\n";
}

Reply execute_all(const SweepStudy& study, const SweepRequest& options, const std::filesystem::path& folder,
                  Monitor& monitor) {
  const auto begun = SweepMeter::Clock::now();
  if (study.space.size() > quickly_planned)
    monitor.note("Looking at all " + std::to_string(study.space.size()) + " points before anything runs ...\n");
  AnswerPoint at_once;
  if (is_instant(study.asked))
    at_once = answered_at_once(study, options);
  else
    refuse_points(study, options);
  FolderLock lock(folder, "sweep");
  const SweepPlan plan = prepare_folder(study, options, folder);
  const ReadResults known = read_results(folder);
  refuse_conflicts(known);
  const std::vector<SweepTask> tasks = tasks_of(
      order_of(study.space), known, [&](std::uint64_t point) { return plan.points[point].id; }, options.retry_failed);
  say_kept(plan.points.size() - tasks.size(), plan.points.size(), known, monitor);
  const SweepEnd end = computed(study, options, at_once, tasks, folder, "", &lock, monitor);
  SweepTable table = sweep_table(plan, read_results(folder));
  write_points_csv(table, folder / "points.csv");
  const ExitCode exit_code = exit_code_of(table, end);
  Reply reply = reply_with_points(std::move(table),
                                  [](const SweepTable& all, TextStyle style) { return heat_map_text(all, {}, style); });
  reply.exit_code = exit_code;
  reply.last_words = words_on_end(end, options.budget, "sweep", folder / "points.csv", begun);
  return reply;
}

/// Results alone: the rest of the folder belongs to all shards.
Reply execute_shard(const SweepStudy& study, const SweepRequest& options, const std::filesystem::path& folder,
                    const Shard& shard, Monitor& monitor) {
  const auto begun = SweepMeter::Clock::now();
  std::unique_ptr<FolderLock> lock;
  if (!options.take_over) lock = std::make_unique<FolderLock>(folder, shard.name());
  if (has_plan(folder)) {
    const SweepHeader before = read_header(folder);
    const SweepHeader now = header_of(study, options);
    if (!same_points(before, now)) refuse_another(folder, before);
    if (!same_sweep(before, now)) refuse_changed(folder);
  } else if (study.space.size() <= most_planned_by_shards) {
    prepare_folder(study, options, folder);
  }
  // The others' results could only spare work where shards were cut in another way before.
  const ReadResults known = read_results(folder, study.space.size() <= most_planned_by_shards ? "" : shard.name());
  const std::vector<std::uint64_t> own = order_of(study.space, shard);
  const std::vector<SweepTask> tasks = tasks_of(
      own, known, [&](std::uint64_t point) { return id_of(study, point); }, options.retry_failed);
  say_kept(own.size() - tasks.size(), own.size(), known, monitor);
  const SweepEnd end = computed(study, options, {}, tasks, folder, shard.name() + ".", lock.get(), monitor);
  return {.exit_code = end.interrupted   ? ExitCode::interrupted
                       : end.out_of_time ? ExitCode::precision_not_reached
                                         : ExitCode::answered,
          .last_words = words_on_end(end, options.budget, shard.name(), folder / "results", begun)};
}

}  // namespace

SweepPlan prepare_folder(const SweepStudy& study, const SweepRequest& options, const std::filesystem::path& folder) {
  SweepPlan plan = plan_of(study, options);
  if (has_plan(folder)) {
    const SweepPlan before = plan_before(folder, options.output.force);
    const PlanChange change = change_between(before, plan);
    if (!options.output.force) {
      if (change == PlanChange::another) refuse_another(folder, before.header);
      if (change == PlanChange::points) refuse_changed(folder);
    }
    if (change != PlanChange::none) write_plan(plan, folder);
  } else {
    write_plan(plan, folder);
  }
  write_provenance(study, options, folder);
  return plan;
}

Reply execute_sweep(const SweepStudy& study, const SweepRequest& options, Monitor& monitor) {
  const std::filesystem::path folder = *options.output.out;
  prepare_sweep_folder(folder);
  if (options.shard) return execute_shard(study, options, folder, parse_shard(*options.shard), monitor);
  return execute_all(study, options, folder, monitor);
}

}  // namespace saturn
