#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/csv_rows.hpp"
#include "reports/text_table.hpp"

/// What is known of a scenario before anything is simulated.
namespace saturn {

/// One part of the ideal event time.
struct EventPartFact {
  std::string label;     ///< the stage
  std::string part;      ///< "cpu", "bandwidth", "travel" or "device"
  double seconds = 0.0;  ///< per event, nothing waiting [s]
};

/// The event on CPU alone beside the event with inference as a service, nothing waiting.
struct CpuComparison {
  double cpu_event_s = 0.0;          ///< whole event on CPU alone [s]
  double service_event_s = 0.0;      ///< whole event with the service [s]
  double cpu_offloaded_s = 0.0;      ///< the part that is offloaded, on CPU [s]
  double service_offloaded_s = 0.0;  ///< the same part as a service, its preprocessing included [s]
};

/// One pool of jobs.
struct PoolFacts {
  std::string name;
  double clients = 0.0;             ///< event loops [1]
  double ideal_event_time_s = 0.0;  ///< t_ideal [s]
  std::vector<EventPartFact> parts{};
  std::optional<CpuComparison> cpu_only{};
};

/// A resource and the number of jobs at which it saturates.
struct KneeFact {
  std::string resource;
  std::string kind;
  double demand_s_per_event = 0.0;  ///< D_r, averaged over the mix of pools [s]
  double jobs = 0.0;                ///< number of jobs at which it saturates [1]
};

struct SystemFacts {
  std::string title;
  double jobs = 0.0;     ///< all pools together
  double clients = 0.0;  ///< event loops, jobs times threads
  double devices = 0.0;
  std::string device_word = "GPU";  ///< what one device is called: "GPU", "FPGA", "IPU", "CPU" or "device"
  double ideal_event_time_s = 0.0;  ///< of the mix of pools [s]
  /// Events reach every pool from outside: resources saturate at a rate of events, not at a number of jobs.
  bool all_open = false;
  /// Event time below which no number of jobs comes, since event loops wait for their jobs' cores [s]; 0: they do not.
  double own_event_time_s = 0.0;
  double bound_event_time_s = 0.0;  ///< lower bound of the mean event time at this number of jobs [s]
  /// What events take at least where each call may go to the fastest of unlike servers; absent: t_ideal [s].
  std::optional<double> least_event_time_s{};
  /// The bound with the pools' events in the mix that nothing hinders, in which demands are averaged; absent: the
  /// bound.
  std::optional<double> mixed_event_time_s{};
  std::string bound_caveat{};  ///< why bounds are averages only; empty where they are laws
  std::vector<PoolFacts> pools;
  std::vector<KneeFact> knees;  ///< the resource that binds first at the front
};

/// The kind of a resource that can saturate, "gpu", "network card"; empty for others.
std::string kind_of(const SystemFacts& facts, const std::string& resource);

/// Where an unhindered event's time goes, pool by pool: a line that adds up, then a table.
std::string breakdown_text(const SystemFacts& facts, TextStyle style);

/// CPU alone against inference as a service; empty when no pool knows its time on CPU alone.
std::string cpu_comparison_text(const SystemFacts& facts, TextStyle style);

/// The same facts as tidy rows.
void add_facts(CsvRows& rows, const SystemFacts& facts);

}  // namespace saturn
