#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/results/results.hpp"
#include "reports/answer/answer.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/formula/system_facts.hpp"

/// What is known of a scenario before anything is simulated, in words and tables: where the time of an unloaded event
/// goes, and which resource limits the system, which one would be next, and how busy each is.

namespace saturn {

/// "80 jobs", "80 jobs with 2,560 streams".
std::string jobs_text(const SystemFacts& facts);

/// The kind of a resource that can saturate; absent for others.
std::optional<ResourceKind> kind_of(const SystemFacts& facts, const std::string& resource);

// Each adds its parts to an answer: what people read, and tables at a place of the JSON below `root`.

/// Where an unhindered event's time goes, pool by pool: a line that adds up, then a table. At "ideal_event".
void add_breakdown(Answer& answer, const SystemFacts& facts, const std::vector<std::string>& root);

/// CPU alone against inference as a service, for pools that know their time on CPU alone. At "cpu_only".
void add_cpu_comparison(Answer& answer, const SystemFacts& facts, const std::vector<std::string>& root);

/// What costs were computed with, with the source of each price. At "prices".
void add_prices(Answer& answer, const std::vector<QuotedPrice>& prices, const std::vector<std::string>& root);

/// What can limit events that arrive from outside.
struct EventLimit {
  double events_per_s = 0.0;  ///< that it lets pass [1/s]
  std::string name{};
  std::optional<ResourceKind> kind{};  ///< absent: the streams
};

/// The resources, and the streams where there is one pool: with several each has streams of its own, and its verdict
/// names them. The least rate at the front.
std::vector<EventLimit> rate_limits(const SystemFacts& facts);

/// "gke/t4 binds at 274 jobs; next gke nic in, at 956." Whole jobs, rounded to the nearest.
std::string binding_sentence(const SystemFacts& facts);

/// The same with what it means for the number of jobs that run: "... The 268 jobs here saturate nothing."
std::string binding_here(const SystemFacts& facts);

/// On what the service laws rest that nobody has measured in production, and the row that would decide. Nothing where
/// the scenario does not say.
void say_laws(Answer& answer, const SystemFacts& facts);

/// Of a scenario with has_constant_times(): what must not go unsaid, without the end of its sentence.
inline constexpr const char* nothing_varies =
    "Nothing varies in the scenario: all jobs and batches take just as long as all others, which real ones never do";

/// The queues whose devices may starve, and the ways out.
void say_starving(Answer& answer, const SystemFacts& facts);

/// The resources that events use, first to saturate at the front: demand, use by the bound, simulated use where there
/// is one, and the jobs (where events arrive: the rate) at which each saturates; at "knees". What binds first and next,
/// at "binding". Without simulation people see the first six.
/// @param simulated  in any order; may be empty
void add_bottlenecks(Answer& answer, const SystemFacts& facts, std::span<const ResourceResults> simulated,
                     const std::vector<std::string>& root);

}  // namespace saturn
