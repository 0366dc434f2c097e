#include "sim/run/replications.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "models/words/numbers.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/engine/run_length.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/formula/short_windows.hpp"
#include "sim/run/cells.hpp"
#include "sim/run/outcome_bytes.hpp"
#include "sim/run/process_pool.hpp"

namespace saturn {

std::vector<std::variant<Replicated, RunFailure>> replicate(std::span<const Scenario> scenarios,
                                                            const RunOptions& options) {
  return replicate_by_cells({.run = simulate, .length = run_length_for, .size = run_size}, scenarios, options);
}

namespace {

/// A round whose windows were found too short.
struct ShorterWindows {
  std::vector<RunOutcome> outcomes{};
  std::optional<std::uint64_t> cycles{};
};

/// The streams of a run like it that ends within the limits, as the end of a sentence; nothing where streams are not
/// what is too many. A run takes a few times the least time and memory that it is taken to need.
std::string size_that_would_do(const RunSize& size, const RunLimits& limits) {
  if (!(size.clients > 0.0)) return "";
  constexpr double times_the_least = 4.0;
  const double share =
      std::min(limits.time.value / size.least_time_s, static_cast<double>(limits.memory_bytes) / size.least_bytes) /
      times_the_least;
  // Where a few streams are too many, something else is: nodes that fill the memory.
  constexpr double few = 100.0;
  const double streams = share * size.clients;
  return streams < few ? "" : "; some " + in_words(rounded_to(streams, 1)) + " streams would do";
}

/// Why a run of that size cannot end within the limits; nothing where it may.
std::optional<TaskFailure> too_large(const RunSize& size, const RunLimits& limits) {
  if (size.least_bytes > static_cast<double>(limits.memory_bytes))
    return TaskFailure{.kind = FailureKind::out_of_memory,
                       .message = "not begun: its " + with_commas(static_cast<std::uint64_t>(size.clients)) +
                                  " streams and its servers alone occupy more than " +
                                  significant(size.least_bytes / 1e9, 3) + " GB, and a simulation may have " +
                                  significant(static_cast<double>(limits.memory_bytes) / 1e9, 3) + " GB" +
                                  size_that_would_do(size, limits),
                       .too_large = true};
  if (size.least_time_s > limits.time.value)
    return TaskFailure{.kind = FailureKind::out_of_time,
                       .message = "not begun: it would simulate about " + significant(size.requests, 3) +
                                  " requests, which takes more than " + significant(size.least_time_s, 3) +
                                  " s, and a simulation may take " + significant(limits.time.value, 3) + " s" +
                                  size_that_would_do(size, limits),
                       .too_large = true};
  return std::nullopt;
}

/// The replications of one scenario: what has been asked for, what has come, and what follows from it.
class Replications {
 public:
  Replications(const Scenario& scenario, const Simulator& simulator, const RunOptions& options)
      : system_(scenario),
        first_replica_(options.first_replica),
        simulator_(simulator),
        limits_(options.limits),
        stated_cycles_(scenario.run.cycles),
        extensions_left_(options.most_extensions) {
    if (!options.quantiles && !any_open(scenario)) system_.scenario.run = control_for_means(system_);
    asked_cycles_ = system_.scenario.run.cycles;
    length_ = simulator.length(system_);
    if (refuse()) return;
    // Where nothing is drawn all replications are the same run, and a second one would pretend to a certainty.
    if (is_deterministic(scenario)) return;
    const std::uint64_t most = std::max<std::uint64_t>(1, scenario.run.max_replications);
    asked_ = std::clamp<std::uint64_t>(scenario.run.min_replications, 1, most);
    first_round_ = asked_;
  }

  const System& system() const { return system_; }
  std::uint64_t asked() const { return asked_; }

  /// The next replica to run, while the round has one.
  std::optional<Replica> next() {
    if (results_.size() >= asked_) return std::nullopt;
    results_.emplace_back();
    return Replica{.seed = system_.scenario.run.seed,
                   .index = first_replica_ + static_cast<std::uint32_t>(results_.size() - 1),
                   .length = length_};
  }

  /// Notes an ended replica; a round that is complete may ask for more.
  void take(std::uint32_t replica, std::variant<std::string, TaskFailure> result) {
    const auto* failure = std::get_if<TaskFailure>(&result);
    if (failure != nullptr && failure->kind == FailureKind::out_of_budget) return;
    results_[replica - first_replica_] = std::move(result);
    if (++ended_ == asked_ && !first_failure()) {
      summarise_all();
      if (most_drift()) {
        extend();
        return;
      }
      if (!is_deterministic(system_.scenario)) {
        asked_ = replications_wanted(system_.scenario.run, ended_, summary_.relative_half_width);
      }
    }
  }

  /// Nothing is to come any more.
  bool finished() const { return ended_ == asked_ || first_failure(); }

  /// Counts the longest row of replications from the first on, as if no more had been asked for. Without any it fails.
  void end_now() {
    if (finished()) return;
    // Longer windows were decided on by a whole first round.
    const bool extended = system_.scenario.run.cycles != asked_cycles_;
    if (complete_prefix() < (extended ? first_round_ : 1)) {
      if (extended) return take_shorter_windows();
      results_.assign(
          1, TaskFailure{FailureKind::out_of_budget, is_cut_short() ? "interrupted before it was complete"
                                                                    : "the budget ended before it was complete"});
      return;
    }
    const std::size_t decided = std::max<std::size_t>(1, outcomes_.size());
    results_.resize(complete_prefix());
    set_most(results_.size());
    summarise_all();
    // With that number as its end a run would not stop there, but begin again with longer windows.
    while (outcomes_.size() > decided && most_drift()) {
      outcomes_.pop_back();
      results_.pop_back();
      set_most(results_.size());
      summarise_all();
    }
    asked_ = outcomes_.size();
    ended_ = asked_;
    out_of_time_ = true;
  }

  std::variant<Replicated, RunFailure> answer(const std::string& command) const {
    if (const std::optional<std::uint32_t> failed = first_failure()) {
      const TaskFailure& failure = std::get<TaskFailure>(results_[*failed]);
      const std::uint32_t replica = first_replica_ + *failed;
      const std::string seed = std::to_string(system_.scenario.run.seed);
      const std::string cycles = system_.scenario.run.cycles == stated_cycles_
                                     ? ""
                                     : " --set /run/cycles=" + std::to_string(*system_.scenario.run.cycles);
      return RunFailure{.kind = failure.kind,
                        .scenario = system_.scenario.title,
                        .seed = system_.scenario.run.seed,
                        .replica = replica,
                        .message = failure.message,
                        .command = command + cycles + " --seed " + seed + " --replica " + std::to_string(replica),
                        .too_large = failure.too_large};
    }
    return Replicated{.summary = summary_,
                      .outcomes = outcomes_,
                      .precision_reached = summary_.relative_half_width <= system_.scenario.run.precision,
                      .asked_precision = system_.scenario.run.precision,
                      .cycles = system_.scenario.run.cycles,
                      .out_of_time = out_of_time_,
                      .stopping = stopping()};
  }

 private:
  /// Fails at once where the next run would be too large to end. @returns whether it does
  bool refuse() {
    if (!simulator_.size) return false;
    std::optional<TaskFailure> failure = too_large(simulator_.size(system_, length_), limits_);
    if (!failure) return false;
    results_ = {std::move(*failure)};
    asked_ = ended_ = 1;
    return true;
  }

  std::optional<std::uint32_t> first_failure() const {
    for (std::size_t i = 0; i < results_.size(); ++i) {
      if (std::holds_alternative<TaskFailure>(results_[i])) return static_cast<std::uint32_t>(i);
    }
    return std::nullopt;
  }

  Stopping stopping() const {
    if (is_deterministic(system_.scenario)) return Stopping::nothing_drawn;
    const RunControl& run = system_.scenario.run;
    return run.min_replications < run.max_replications ? Stopping::by_width : Stopping::by_number;
  }

  std::size_t complete_prefix() const {
    std::size_t n = outcomes_.size();
    while (n < results_.size() && ended(results_[n])) ++n;
    return n;
  }

  static bool ended(const std::variant<std::string, TaskFailure>& result) {
    return std::holds_alternative<TaskFailure>(result) || !std::get<std::string>(result).empty();
  }

  void set_most(std::uint64_t replications) {
    system_.scenario.run.max_replications = replications;
    system_.scenario.run.min_replications = std::min(system_.scenario.run.min_replications, replications);
  }

  /// Windows are too short, and may still be made longer.
  bool most_drift() const { return extensions_left_ > 0 && 2 * summary_.unsteady_replications > summary_.replications; }

  /// Begins again with windows twice as long: a drift that outlasts the warm-up would bias every number.
  void extend() {
    --extensions_left_;
    shorter_ = {.outcomes = outcomes_, .cycles = system_.scenario.run.cycles};
    system_.scenario.run.cycles = 2 * least_cycles(system_);
    length_ = simulator_.length(system_);
    results_.clear();
    outcomes_.clear();
    ended_ = 0;
    refuse();
  }

  /// What is known when no longer window is complete: summaries say that it drifts.
  void take_shorter_windows() {
    outcomes_ = std::move(shorter_.outcomes);
    system_.scenario.run.cycles = shorter_.cycles;
    results_.assign(outcomes_.size(), std::string{});
    set_most(outcomes_.size());
    summarise_all();
    asked_ = ended_ = outcomes_.size();
    out_of_time_ = true;
  }

  void summarise_all() {
    for (std::size_t i = outcomes_.size(); i < results_.size(); ++i) {
      outcomes_.push_back(outcome_from_bytes(std::get<std::string>(results_[i])));
      results_[i] = std::string{};
    }
    summary_ = summarise(outcomes_, system_.scenario.run.confidence, stopping());
  }

  System system_;  ///< extensions change its run's cycles
  std::uint32_t first_replica_;
  const Simulator& simulator_;
  RunLimits limits_;
  RunLength length_;
  std::optional<std::uint64_t> stated_cycles_;   ///< in the scenario
  std::optional<std::uint64_t> asked_cycles_{};  ///< before windows are made longer
  unsigned extensions_left_;
  std::uint64_t asked_ = 1;
  std::uint64_t first_round_ = 1;
  std::uint64_t ended_ = 0;
  bool out_of_time_ = false;
  std::vector<std::variant<std::string, TaskFailure>> results_;  ///< by replica
  std::vector<RunOutcome> outcomes_;                             ///< by replica, of the complete rounds
  ShorterWindows shorter_;                                       ///< the round before windows were made longer
  Results summary_;
};

/// The width from fewer replications is too uncertain to stop at once more.
constexpr std::uint64_t least_second_look = 8;

/// Whose replica a task of the pool is.
struct Owner {
  std::size_t scenario = 0;
  std::uint32_t replica = 0;
};

}  // namespace

bool is_too_large(const RunSize& size, const RunLimits& limits) {
  return too_large(size, limits).has_value();
}

std::uint64_t replications_wanted(const RunControl& control, std::uint64_t have, double relative_half_width) {
  if (relative_half_width <= control.precision || have >= control.max_replications) return have;
  const double n = static_cast<double>(have);
  const double needed = std::ceil(n * std::pow(relative_half_width / control.precision, 2));
  // Written so that a width that is not a number, too, asks for twice as many.
  const std::uint64_t wanted = needed < 2 * n ? static_cast<std::uint64_t>(needed) : 2 * have;
  return std::min(std::max({wanted, have + 1, least_second_look}), control.max_replications);
}

std::vector<std::variant<Replicated, RunFailure>> replicate_with(const Simulator& simulator,
                                                                 std::span<const Scenario> scenarios,
                                                                 const RunOptions& options) {
  std::vector<Replications> all;
  all.reserve(scenarios.size());
  for (const Scenario& scenario : scenarios) all.emplace_back(scenario, simulator, options);

  ProcessPool pool(options.processes, options.limits, options.deadline);
  pool.keep_what_is_known();
  std::vector<Owner> owners;
  const auto submit_next = [&](std::size_t s) {
    const std::optional<Replica> replica = all[s].next();
    if (!replica) return false;
    owners.push_back({s, replica->index});
    pool.submit([&simulator, &system = all[s].system(), replica = *replica] {
      return to_bytes(simulator.run(system, replica));
    });
    return true;
  };
  for (bool more = true; more;) {
    more = false;
    for (std::size_t s = 0; s < all.size(); ++s) more |= submit_next(s);
  }

  std::uint32_t done = 0;
  while (std::optional<EndedTask> ended = pool.wait()) {
    const Owner owner = owners[*ended->ticket];
    all[owner.scenario].take(owner.replica, std::move(ended->result));
    // What has ended by then counts; what has not is killed in the next look at the pool.
    if (is_past(options.deadline)) continue;
    while (submit_next(owner.scenario)) {
    }
    ++done;
    if (options.progress) {
      std::uint64_t expected = 0;
      for (const Replications& one : all) expected += one.asked();
      options.progress(done, static_cast<std::uint32_t>(expected));
    }
  }

  for (Replications& one : all) one.end_now();
  std::vector<std::variant<Replicated, RunFailure>> answers;
  for (const Replications& one : all) answers.push_back(one.answer(options.command));
  return answers;
}

}  // namespace saturn
