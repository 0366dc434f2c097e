#include "sim/run/cells.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>

#include "models/results/calibrated_results.hpp"
#include "models/results/farm_outcome.hpp"
#include "models/results/results.hpp"
#include "models/words/numbers.hpp"
#include "scenarios/demands/demands.hpp"

namespace saturn {

namespace {

using Result = std::variant<Replicated, RunFailure>;

// As many sizes are looked at before twice as large ones.
constexpr std::uint64_t most_tries = 64;
// How many times as large the next size is; where there is none, twice must do.
constexpr double growth = 4.0;
constexpr double least_growth = 2.0;
// By which a variation's cell may be larger than the one that it is compared with: nodes are whole.
constexpr double same_size = 1.1;

double rounding_of(const Scenario& scenario) {
  return scenario.run.precision / 4;
}

bool is_near(double a, double b, double relative) {
  return std::abs(a - b) <= relative * std::abs(b);
}

bool needs_no_rounding(const FarmCell& cell, const Scenario& farm) {
  for (std::size_t j = 0; j < farm.jobs.size(); ++j)
    if (static_cast<double>(cell.scenario.jobs[j].count) * cell.factor() != static_cast<double>(farm.jobs[j].count))
      return false;
  return true;
}

/// A transfer alone may be slower on a cell's share of a link, and few jobs may have another mean speed.
bool looks_like(const System& cell, const System& farm, double relative) {
  for (std::size_t j = 0; j < farm.network.classes.size(); ++j)
    if (!is_near(cell.network.classes[j].ideal_event_time.value, farm.network.classes[j].ideal_event_time.value,
                 relative))
      return false;
  return is_near(cell.bounds.event_time_s, farm.bounds.event_time_s, 2 * relative);
}

std::string why_no_cell(const Scenario& farm) {
  const std::uint64_t parts = equal_parts(farm);
  if (parts > 1)
    return "of its " + whole_text(parts) +
           " equal parts none is small enough that has whole jobs and, alone, the unloaded event time and the bound of "
           "all";
  const std::vector<Server>& servers = farm.servers;
  if (servers.empty()) return "no part of it is like the whole, since it has no servers";
  if (std::any_of(servers.begin(), servers.end(), [](const Server& server) { return server.nodes == 1; }))
    return "no part of it is like the whole, since a server has one node";
  const auto counts = [](std::uint64_t common, const Server& server) { return std::gcd(common, server.nodes); };
  if (std::accumulate(servers.begin(), servers.end(), std::uint64_t{0}, counts) == 1)
    return "no part of it is like the whole, since the nodes of its servers have no common divisor";
  return "no part of it is like the whole, since what is read from a file, arrivals or a platform, is not divided";
}

std::optional<FarmCell> first_of(const System& farm, std::uint64_t least, std::uint64_t most) {
  const double rounding = rounding_of(farm.scenario);
  std::optional<FarmCell> rounded;
  for (std::uint64_t parts = least; parts <= std::min(most, least + most_tries); ++parts) {
    std::optional<FarmCell> cell = cell_of(farm.scenario, parts, rounding);
    if (!cell) continue;
    const bool exact = needs_no_rounding(*cell, farm.scenario);
    if ((!exact && rounded) || !looks_like(cell->scenario, farm, rounding)) continue;
    if (exact) return cell;
    rounded = std::move(cell);
  }
  return rounded;
}

}  // namespace

std::optional<FarmCell> find_cell(const System& farm, double least_streams) {
  const std::uint64_t of = equal_parts(farm.scenario);
  const double least = std::ceil(static_cast<double>(of) * least_streams / stream_count(farm.scenario));
  if (!(least <= static_cast<double>(of) / 2)) return std::nullopt;
  for (auto parts = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(least)); parts <= of / 2; parts *= 2)
    if (std::optional<FarmCell> cell = first_of(farm, parts, std::min(2 * parts - 1, of / 2))) return cell;
  return std::nullopt;
}

namespace {

/// One scenario: what is to be simulated of it, and what follows from what has been.
class Farm {
 public:
  Farm(const Scenario& scenario, const Simulator& simulator, const RunOptions& options)
      : scenario_(scenario), simulator_(simulator), options_(options) {
    if (options.cell_streams)
      pin(*options.cell_streams);
    else if (!options.whole && simulator.size && stream_count(scenario) >= 2 * least_cell_streams)
      choose();
  }

  /// What is to be simulated next; nothing once there is an answer.
  std::vector<Scenario> wanted() const {
    if (answer_) return {};
    if (cells_.empty()) return {scenario_};
    std::vector<Scenario> scenarios;
    for (const FarmCell& cell : cells_) scenarios.push_back(cell.scenario);
    return scenarios;
  }

  /// @param results  of wanted(), in order
  void take(std::span<Result> results) {
    if (cells_.empty()) return take_whole(std::move(results.front()));
    for (std::size_t i = 0; i < results.size() && !answer_; ++i) take_cell(cells_[i], std::move(results[i]));
    if (answer_) return;
    if (options_.cell_streams || known_->facts.agrees) return answer_by_known();
    grow();
  }

  Result answer() && { return std::move(*answer_); }

 private:
  /// A cell that was simulated.
  struct Known {
    FarmCell cell;
    Replicated result;
    AnsweringCell facts;
  };

  void choose() {
    farm_.emplace(scenario_);
    const RunSize size = size_of(*farm_);
    if (size.requests <= large_farm_requests && !is_too_large(size, options_.limits)) return;
    if (scenario_.run.whole) {
      why_no_cell_ = "/run/whole forbids an answer by a part of it";
      return;
    }
    std::optional<FarmCell> first = find_cell(*farm_, least_cell_streams);
    std::optional<FarmCell> second = first ? larger_than(*first) : std::nullopt;
    const RunSize largest = second ? size_of(second->scenario) : size;
    if (second && 2 * largest.requests < size.requests && !is_too_large(largest, options_.limits)) {
      cells_ = {std::move(*first), std::move(*second)};
      return;
    }
    why_no_cell_ = why_no_cell(scenario_);
  }

  void pin(double streams) {
    farm_.emplace(scenario_);
    std::optional<FarmCell> cell = find_cell(*farm_, streams / same_size);
    if (cell && stream_count(cell->scenario) <= same_size * streams)
      cells_ = {std::move(*cell)};
    else
      answer_ = RunFailure{.kind = FailureKind::no_answer,
                           .scenario = scenario_.title,
                           .seed = scenario_.run.seed,
                           .message = "it has no cell as large as that of the scenario it is compared with",
                           .command = options_.command};
  }

  std::optional<FarmCell> larger_than(const FarmCell& cell) const {
    const double streams = stream_count(cell.scenario);
    std::optional<FarmCell> next = find_cell(*farm_, growth * streams);
    return next ? next : find_cell(*farm_, least_growth * streams);
  }

  RunSize size_of(const System& system) const { return simulator_.size(system, simulator_.length(system)); }

  void take_whole(Result result) {
    if (auto* failure = std::get_if<RunFailure>(&result)) {
      if (!why_no_cell_.empty() && failure->kind != FailureKind::out_of_budget) failure->message += "; " + why_no_cell_;
    } else if (known_) {
      // What every cell was not alike enough for.
      const Replicated& whole = std::get<Replicated>(result);
      AnsweringCell facts = facts_of({.scenario = scenario_, .parts = known_->cell.of, .of = known_->cell.of});
      compare(facts, whole.summary);
      facts.agrees = true;
      std::get<Replicated>(result).summary.cell = facts;
    }
    answer_ = std::move(result);
  }

  void take_cell(const FarmCell& cell, Result result) {
    if (auto* failure = std::get_if<RunFailure>(&result)) {
      if (failure->kind == FailureKind::out_of_budget && known_) {
        known_->result.out_of_time = true;
        return answer_by_known();
      }
      // A replication of a cell has no number of its own on the command line.
      failure->command = options_.command + " --seed " + std::to_string(failure->seed);
      answer_ = std::move(result);
      return;
    }
    Known now{.cell = cell, .result = std::get<Replicated>(std::move(result)), .facts = facts_of(cell)};
    if (known_) {
      compare(now.facts, now.result.summary);
      smaller_ = of_farm(*known_);
    }
    known_ = std::move(now);
  }

  static AnsweringCell facts_of(const FarmCell& cell) {
    return {.parts = cell.parts,
            .of = cell.of,
            .jobs = job_count(cell.scenario),
            .streams = stream_count(cell.scenario),
            .devices = static_cast<double>(device_count(cell.scenario)),
            .agrees = false};
  }

  /// What a cell, or the whole, says beside the one that was known before.
  void compare(AnsweringCell& facts, const Results& larger) const {
    const Results& smaller = known_->result.summary;
    const bool grows = larger.all_jobs.times_grow || smaller.all_jobs.times_grow;
    const Estimate now = grows ? larger.all_jobs["events_per_s"] : larger.all_jobs["event_time_s"];
    Estimate before = grows ? smaller.all_jobs["events_per_s"] : smaller.all_jobs["event_time_s"];
    const double relative_before = before.half_width() / before.mean;
    if (grows) before.mean *= known_->facts.factor() / facts.factor();
    facts.smaller_streams = known_->facts.streams;
    facts.smaller_is_slower_by = grows ? now.mean / before.mean - 1 : before.mean / now.mean - 1;
    const double by_chance = std::hypot(now.half_width() / now.mean, relative_before);
    facts.by_chance = std::isfinite(by_chance) && std::abs(*facts.smaller_is_slower_by) <= by_chance;
    facts.agrees = facts.by_chance || std::abs(facts.expected_rest()) <= scenario_.run.precision;
  }

  /// What a cell says of the farm.
  Replicated of_farm(const Known& known) const {
    Replicated result = known.result;
    for (RunOutcome& outcome : result.outcomes)
      outcome = farm_outcome(std::move(outcome), farm_->network, known.cell.factor());
    result.summary = summarise(result.outcomes, scenario_.run.confidence, result.stopping);
    return result;
  }

  void answer_by_known() {
    Replicated result = of_farm(*known_);
    if (smaller_)
      widen_by_size(result.summary, std::move(smaller_->summary),
                    known_->facts.streams / known_->facts.smaller_streams);
    result.summary.cell = known_->facts;
    result.precision_reached = result.precision_reached && (options_.cell_streams || known_->facts.agrees);
    answer_ = std::move(result);
  }

  /// The next size, in the end the whole.
  void grow() {
    std::optional<FarmCell> next = larger_than(known_->cell);
    if (next && is_too_large(size_of(next->scenario), options_.limits)) return answer_by_known();
    if (!next && is_too_large(size_of(*farm_), options_.limits)) return answer_by_known();
    cells_.clear();
    if (next) cells_.push_back(std::move(*next));
  }

  Scenario scenario_;
  const Simulator& simulator_;
  const RunOptions& options_;
  std::optional<System> farm_{};         ///< where cells are looked for
  std::vector<FarmCell> cells_{};        ///< to be simulated next, the smaller one first; none: the whole
  std::optional<Known> known_{};         ///< the largest so far
  std::optional<Replicated> smaller_{};  ///< what the one before said of the farm
  std::string why_no_cell_{};
  std::optional<Result> answer_{};
};

}  // namespace

std::vector<std::variant<Replicated, RunFailure>> replicate_by_cells(const Simulator& simulator,
                                                                     std::span<const Scenario> scenarios,
                                                                     const RunOptions& options) {
  std::vector<Farm> farms;
  farms.reserve(scenarios.size());
  for (const Scenario& scenario : scenarios) farms.emplace_back(scenario, simulator, options);
  while (true) {
    std::vector<Scenario> wanted;
    std::vector<std::size_t> how_many;
    for (const Farm& farm : farms) {
      const std::vector<Scenario> its = farm.wanted();
      how_many.push_back(its.size());
      wanted.insert(wanted.end(), its.begin(), its.end());
    }
    if (wanted.empty()) break;
    std::vector<Result> results = replicate_with(simulator, wanted, options);
    std::span<Result> rest(results);
    for (std::size_t i = 0; i < farms.size(); ++i) {
      if (how_many[i] > 0) farms[i].take(rest.first(how_many[i]));
      rest = rest.subspan(how_many[i]);
    }
  }
  std::vector<Result> answers;
  answers.reserve(farms.size());
  for (Farm& farm : farms) answers.push_back(std::move(farm).answer());
  return answers;
}

}  // namespace saturn
