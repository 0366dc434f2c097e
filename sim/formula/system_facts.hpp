#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/queueing/closed_network.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/formula/starvation.hpp"
#include "sim/formula/system.hpp"

/// What is known of a scenario before anything is simulated.
namespace saturn {

/// One pool of jobs.
struct PoolFacts {
  std::string name;
  double clients = 0.0;             ///< streams [1]
  double ideal_event_time_s = 0.0;  ///< t_ideal [s]
  std::vector<EventPart> parts{};
  std::optional<CpuOnly> cpu_only{};  ///< absent: not known, or nothing is offloaded
};

/// A resource and the number of jobs at which it saturates.
struct KneeFact {
  std::string resource;
  ResourceKind kind = ResourceKind::gpu;
  double demand_s_per_event = 0.0;  ///< D_r, averaged over the mix of pools [s]
  double jobs = 0.0;                ///< number of jobs at which it saturates [1]
  double bound_busy = 0.0;          ///< busy share at the most, see most_busy() [1]
};

/// What the service law of a model that jobs call rests on.
struct LawFact {
  std::string model;
  std::string device_type;
  LawBasis rests_on = LawBasis::production;
};

struct SystemFacts {
  std::string title;
  double jobs = 0.0;     ///< all pools together
  double clients = 0.0;  ///< streams, jobs times threads
  double devices = 0.0;
  std::string device_word = "GPU";  ///< what one device is called: "GPU", "FPGA", "IPU", "CPU" or "device"
  bool scales = false;              ///< autoscalers start and stop nodes: `devices` are the most that there may be
  double ideal_event_time_s = 0.0;  ///< of the mix of pools [s]
  /// Events reach every pool from outside: resources saturate at a rate of events, not at a number of jobs.
  bool all_open = false;
  /// Event time below which no number of jobs comes, since streams wait for their jobs' cores [s]; 0: they do not.
  double own_event_time_s = 0.0;
  double bound_event_time_s = 0.0;  ///< lower bound of the mean event time at this number of jobs [s]
  /// What events take at least where each call may go to the fastest of unlike servers; absent: t_ideal [s].
  std::optional<double> least_event_time_s{};
  std::string bound_caveat{};  ///< why bounds are averages only; empty where they are laws
  std::vector<PoolFacts> pools;
  std::vector<KneeFact> knees;                         ///< the resource that binds first at the front
  std::vector<std::string> product_form_violations{};  ///< why mean value analysis is only an approximation here
  std::vector<SharedQueue> starving{};                 ///< see starving_queues()
  std::set<std::string> spoiling{};                    ///< see models_that_spoil()
  bool only_waits = true;                              ///< no call is refused, or given up at a deadline
  bool jobs_leave = false;                             ///< jobs of some pool end, and no others follow
  std::vector<LawFact> laws{};                         ///< of which the scenario says what they rest on
};

SystemFacts gather_facts(const System& system);

/// What is counted, see stream_word.
inline std::string stream_word_of(const SystemFacts& facts) {
  return stream_word(facts.jobs, facts.clients);
}

}  // namespace saturn
