#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/results/results.hpp"
#include "reports/answer/answer.hpp"
#include "reports/words/facts_text.hpp"

/// Which resource limits a system, which one would be next, and how busy each is.

namespace saturn {

/// What can limit events that arrive from outside.
struct RateLimit {
  double events_per_s = 0.0;  ///< that it lets pass [1/s]
  std::string name{};
  std::optional<ResourceKind> kind{};  ///< absent: the streams
};

/// The resources, and the streams where there is one pool: with several each has streams of its own, and its verdict
/// names them. The least rate at the front.
std::vector<RateLimit> rate_limits(const SystemFacts& facts);

/// "gke/t4 binds at 274 jobs; next gke nic in, at 956." Whole jobs, rounded to the nearest.
std::string binding_sentence(const SystemFacts& facts);

/// The same with what it means for the number of jobs that run: "... The 268 jobs here saturate nothing."
std::string binding_here(const SystemFacts& facts);

/// Busy share that the bound predicts at the scenario's number of jobs: X·D at the largest X that it allows [1].
double bound_use(const SystemFacts& facts, const KneeFact& knee);

/// The resources that events use, first to saturate at the front: demand, use by the bound, simulated use where there
/// is one, and the jobs (where events arrive: the rate) at which each saturates; at "knees". What binds first and next,
/// at "binding". Without simulation people see the first six.
/// @param simulated  in any order; may be empty
void add_bottlenecks(Answer& answer, const SystemFacts& facts, std::span<const ResourceResults> simulated,
                     const std::vector<std::string>& root);

}  // namespace saturn
