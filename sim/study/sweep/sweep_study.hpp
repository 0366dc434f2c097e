#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reports/sweep/sweep_view.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/sweep/sweep_space.hpp"
#include "sim/plan/plan.hpp"
#include "sim/run/run_failure.hpp"
#include "sim/study/reply.hpp"
#include "sim/study/request.hpp"
#include "sim/sweep/result_log.hpp"
#include "sim/sweep/run_sweep.hpp"
#include "sim/sweep/sweep_plan.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// What of a sweep is shown, as a user writes it.
struct SweepViewOptions {
  std::string metric{};
  std::string x{};
  std::string y{};
  std::vector<std::string> at{};  ///< "rtt=1 ms"
};

SweepViewOptions view_options(const TypedCommand& typed);

/// What `sweep` is asked.
struct SweepRequest {
  ScenarioOptions scenario{};
  OutputOptions output{};  ///< its `out` is the sweep's folder
  SweepText sweep{};
  std::string answer = "run";
  Methods methods{Method::simulation};
  std::optional<std::string> slowdown{};  ///< of plans; absent: 1 %
  unsigned workers = 0;
  Budget budget{std::nullopt};  ///< wall time of all points together
  std::string point_time{};
  std::optional<std::string> point_memory{};  ///< absent: 8 GB

  /// [byte]
  /// @throws InputError  option.not_a_quantity, option.out_of_range
  std::uint64_t memory_of_a_point() const;

  std::optional<std::string> shard{};  ///< "3/8"
  bool take_over = false;              ///< go on although another process seems to compute the shard
  bool dry_run = false;
  bool skip_refused = false;           ///< points that the scenario refuses become rows
  bool retry_failed = false;           ///< of failures that were the machine's
  std::optional<std::string> slurm{};  ///< folder for a sweep with files for Slurm
  std::optional<std::string> htcondor{};
  std::optional<std::uint64_t> shards{};  ///< of them
};

/// What is asked at every point of a sweep.
struct PointAsked {
  bool plan = false;      ///< how many clients a device carries; else: the scenario as it stands, simulated
  PlanQuestion question;  ///< of a plan, and of the jobs per device that formulas say beside other numbers
  Methods methods{Method::simulation};

  /// Formulas say jobs per device beside other numbers, too.
  bool needs_slowdown() const { return plan || methods != Methods{Method::simulation}; }
  /// Whose numbers have their plain names; those of others begin with their own: "bounds.event_time_s".
  Method finest() const { return methods.all().back(); }
};

/// The same as it stands in plan.jsonl and in ids: "run", "plan slowdown=0.01", "run slowdown=0.01 method=bounds".
std::string text_of(const PointAsked& asked);

/// The kind of failure of a point at which the scenario is no valid one.
inline constexpr const char* refused_kind = "refused";

/// Answers the points of a sweep, one simulation at a time, by every method that is asked. Fits are taken as exact.
/// Refers to what it is made of.
class PointAnswers {
 public:
  /// @param limits  of each simulation
  PointAnswers(const ReadScenario& read, const SweepSpace& space, const PointAsked& asked, const RunLimits& limits)
      : read_(read), space_(space), asked_(asked), limits_(limits) {}

  /// @throws PointFailed  of the finest method: refused_kind, "no plan", "no formula", or the
  ///                      name of a failure of simulations
  PointAnswer operator()(std::uint64_t point) const;

 private:
  PointAnswer answer_by(Method method, const Scenario& scenario) const;
  PointAnswer simulate_scenario(const Scenario& scenario) const;
  PointAnswer plan_scenario(Method method, const Scenario& scenario) const;
  PointAnswer apply_formula(Method method, const Scenario& scenario) const;

  const ReadScenario& read_;
  const SweepSpace& space_;
  const PointAsked& asked_;
  RunLimits limits_;
};

/// One of several parts of a sweep, from 1.
struct Shard {
  std::uint64_t number = 1;
  std::uint64_t of = 1;

  /// "shard-0003-of-0008", for locks and names of result files.
  std::string name() const;
};

/// @throws InputError  option.bad_shard
Shard parse_shard(const std::string& text);

/// What every point answers.
/// @throws InputError  option.not_a_quantity, option.out_of_range, option.needs_plan (a slowdown without plans),
///                     sweep.no_single_answer (plans of jobs where events arrive from outside), option.no_formula
PointAsked point_asked(const SweepRequest& options, const Scenario& scenario);

/// The options that determine the points, word by word: neither scenario, nor folder, nor machine.
std::vector<std::string> sweep_words(const SweepRequest& options);

/// What a user wrote, as a view; values of axes are read with any unit.
/// @param complaints  gets show.bad_at, show.held_twice
SweepView view_of(const SweepViewOptions& options, Complaints& complaints);

/// @throws InputError  every fault of the view: show.unknown_metric, ...
void refuse_faults(const SweepTable& table, const SweepView& view);

/// A sweep that was understood.
struct SweepStudy {
  ReadScenario read{};
  SweepSpace space{};
  PointAsked asked{};
};

/// Reads the scenario and understands axes, conditions and samples.
/// @throws InputError
SweepStudy understood(const SweepRequest& options, Monitor& monitor);

/// What the scenario refuses, if anything, unless such points are to become rows.
/// @param points  to look at; empty: all
/// @throws InputError  every complaint with the values of its point, and how many more there are
void refuse_points(const SweepStudy& study, const SweepRequest& options);

/// Results of one id that differ can come from no one program.
/// @throws InputError  sweep.conflict, with both files of the first ones
void refuse_conflicts(const ReadResults& results);

/// "1 torn line was", "2 torn lines were"
std::string torn_lines_text(std::uint64_t torn);

/// What a sweep found: a summary and a picture for people, all points for programs.
Reply reply_with_points(SweepTable points, std::function<std::string(const SweepTable&, TextStyle)> picture);

/// Computes what is missing of a sweep in its folder, or a shard of it, and answers with what there is then.
/// @throws InputError
Reply execute_sweep(const SweepStudy& study, const SweepRequest& options, Monitor& monitor);

/// The points, their number, and how long they will take, tried out on a few of them. Writes nothing.
Reply list_points(const SweepStudy& study, const SweepRequest& options);

/// Makes the folder of a sweep known, so that shards and merge find it: plan.jsonl and provenance.json.
/// @returns the plan that stands in it now
/// @throws InputError  sweep.another, sweep.changed (the folder holds another sweep, or the same points of an edited
///                     scenario; --force replaces its plan)
SweepPlan prepare_folder(const SweepStudy& study, const SweepRequest& options, const std::filesystem::path& folder);

}  // namespace saturn
