#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/laws/distribution.hpp"
#include "models/values/units.hpp"

/// What a scenario says of a world that changes: calls that come late or fail, what breaks and comes back, and servers
/// that grow and shrink with the load.

namespace saturn {

/// Where a call that has failed is tried again.
enum class RetryOn {
  any_node,    ///< on the node that the balancer chooses
  other_node,  ///< on another one than that which has just failed, if there is another
};

/// What becomes of a try that came too late or failed. Before the n-th retry the stream waits
/// min(first·factor^(n−1), most), where `first` may be drawn; of that the share `jitter` is drawn, uniform from 0 on.
struct RetryRule {
  std::uint64_t count = 1;  ///< tries after the first one
  TimeDistribution first = ConstantTime{};
  double factor = 2.0;
  std::optional<Seconds> most{};  ///< absent: no wait is too long
  double jitter = 0.0;            ///< in [0, 1]
  RetryOn on = RetryOn::any_node;
};

/// Who does the work of a call that all tries have failed.
struct Fallback {
  std::optional<std::string> server{};  ///< absent: the job's own core, in the stage's cpu_alternative
  Seconds start_up{};                   ///< of what a job does itself, once in each job
};

/// What becomes of an event when nobody does the work of one of its calls.
enum class FailedCall {
  event_goes_on,  ///< without the answer
  job_ends,       ///< the event is lost, and the next job begins with its set-up
};

/// When a stage that names its servers chooses among them.
enum class Discovery {
  per_call,  ///< at every try: the first of them that has a node in service
  per_job,   ///< at the first call of a job, which then stays there
};

/// What a stage does about calls that come late or fail.
struct CallRules {
  std::optional<Seconds> deadline{};  ///< of each try; absent: streams wait as long as it takes
  std::optional<RetryRule> retries{};
  std::optional<Fallback> fallback{};
  FailedCall when_failed = FailedCall::event_goes_on;
  std::vector<std::string> servers{};  ///< in the order of preference; empty: the model's balancer chooses among all
  Discovery discovery = Discovery::per_call;
};

/// Something that breaks again and again, and comes back: how long it works, and how long it takes until somebody has
/// repaired it. What must start up then (a node) does so after that.
struct FailureLaw {
  TimeDistribution every = ConstantTime{};   ///< from coming back to the next failure, of each alike thing by itself
  TimeDistribution repair = ConstantTime{};  ///< from the failure on
  bool silent = false;  ///< nobody is told: what was there is lost, and clients know it by their deadlines alone
  Seconds noticed{};    ///< until balancers send nothing more there
};

/// Something that is out of service from one date to another.
struct Outage {
  std::optional<std::string> server{};   ///< all of its nodes, or `nodes` of them
  std::optional<std::uint64_t> nodes{};  ///< the first so many; absent: all
  std::vector<std::string> link{};       ///< the two sites that it joins; empty: a server's outage
  double speed = 0.0;                    ///< of a link: what is left of its bandwidth, as a share; 0: nothing
  Seconds from{};                        ///< since the run's beginning
  Seconds length{};                      ///< until it is repaired
  bool silent = false;                   ///< as FailureLaw::silent
  Seconds noticed{};                     ///< as FailureLaw::noticed
};

/// A node that works the slower the more requests are there: beyond `above` of them, each further one makes batches
/// that begin take longer by the share `slope`, up to `most` times as long in all.
struct Sag {
  std::uint64_t above = 0;
  double slope = 0.0;  ///< for each request, > 0 [1]
  double most = 10.0;  ///< >= 1

  /// How many times as long. @param present  requests at the node, those of the batch included
  double slowness(std::uint64_t present) const {
    if (present <= above) return 1.0;
    return std::min(most, 1.0 + slope * static_cast<double>(present - above));
  }
};

/// Envoy's bucket of tokens at the door of a server, in front of all its nodes: a request takes a token, and is refused
/// at once where there is none.
struct RateLimit {
  std::uint64_t tokens = 1;    ///< with which it begins, and the most it holds
  std::uint64_t per_fill = 1;  ///< that come at once
  Seconds every{1.0};          ///< between two fills
};

/// How many nodes an autoscaler may add or remove within a period: the larger of the two, as far as they are given.
struct ScalingPace {
  Seconds stabilisation{};               ///< what was proposed within this time counts as well
  std::optional<std::uint64_t> nodes{};  ///< in a period
  std::optional<double> share{};         ///< of the nodes, in a period; 1 doubles them
  Seconds period{15.0};
};

/// What an autoscaler looks at, and who judges jobs.
enum class ScalingMetric {
  queue_time,            ///< mean wait of a request that was taken from a queue [s]
  queue_time_per_batch,  ///< waits of all requests over executed batches [s]: SuperSONIC 0.3.1
  in_flight,             ///< requests at the server, those that wait included, for each node [1]
  utilisation,           ///< busy share of the devices of nodes in service [1]
  request_rate,          ///< requests that reach the server, for each node [1/s]
};

/// What becomes of a job that comes while nobody knows the load.
enum class UnknownLoad { refused, admitted };

/// SuperSONIC's admission by a metric: a job's first call is refused while the server's load is above `most`, and the
/// job then stays away; those that are let in stay.
struct Admission {
  ScalingMetric metric = ScalingMetric::queue_time;
  double most = 0.0;     ///< of the metric, in its unit
  Seconds scrape{5.0};   ///< between two readings of each node
  Seconds window{30.0};  ///< over which rates are taken
  UnknownLoad unknown = UnknownLoad::refused;
};

/// KEDA in front of the autoscaler: the way to no node at all, and back.
struct ScaleToZero {
  Seconds polling{30.0};
  Seconds cool_down{300.0};
  bool counts_arrivals = true;  ///< the metric sees requests that found no node; false: it is empty without nodes
};

/// Servers that follow the load: Kubernetes' horizontal pod autoscaler over the nodes of a server.
struct Autoscaler {
  std::uint64_t least = 1;  ///< nodes
  std::uint64_t most = 1;
  std::uint64_t begin = 1;  ///< nodes in service when a run begins: the scenario's `nodes`
  ScalingMetric metric = ScalingMetric::queue_time;
  double target = 0.0;     ///< of the metric, in its unit
  Seconds scrape{5.0};     ///< between two readings of each node
  Seconds window{30.0};    ///< over which rates are taken
  Seconds sync{15.0};      ///< between two decisions
  double tolerance = 0.1;  ///< of the ratio of metric and target, within which nothing changes
  ScalingPace up{.stabilisation = {}, .nodes = 4, .share = 1.0, .period = Seconds{15.0}};
  ScalingPace down{.stabilisation = Seconds{300.0}, .nodes = {}, .share = 1.0, .period = Seconds{15.0}};
  std::optional<ScaleToZero> to_zero{};
  Seconds grace{60.0};  ///< that a node which is to go has for what it was sent
};

}  // namespace saturn
