#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/results/results.hpp"
#include "scenarios/scenario.hpp"

namespace saturn::tests {

/// A number that theory knows, and where a run prints it.
struct KnownNumber {
  std::string name;
  double value = 0.0;
  std::function<Estimate(const Results&)> printed;
};

/// A scenario whose numbers theory knows.
struct KnownSystem {
  std::string name;
  Scenario scenario;
  double precision = 0.01;  ///< that takes a run some 5 to 20 replications, where stopping matters most [1]
  std::vector<KnownNumber> numbers;
};

/// Machines that run, then wait for one of the repairers.
struct Machines {
  std::uint64_t machines = 1;
  std::uint64_t repairers = 1;
  double think_s = 0.0;    ///< mean of an exponential time [s]
  double service_s = 0.0;  ///< the same, of a repair [s]
};

/// Its chain for the means, and for the quantiles of the repair the theorem that a machine on arrival sees the
/// system without itself.
KnownSystem machine_repairman(const std::string& name, const Machines& machines);

/// The same where each repairer has a queue of his own, and machines draw one of them: exact mean value analysis.
KnownSystem separate_repairers(const std::string& name, const Machines& machines);

/// Jobs that compute for a lognormal time of as many seconds as they are many, then wait for one exponential server of
/// 1 s: of product form whatever the law of the computing times (Baskett, Chandy, Muntz, Palacios 1975), so exact mean
/// value analysis knows it.
/// @param cv  coefficient of variation of the computing times
KnownSystem computing_jobs(std::uint64_t jobs, double cv);

/// Poisson arrivals at an exponential server of 1 s: the time in the system is exponential.
KnownSystem mm1(double load);

/// Poisson arrivals at a constant server of 1 s, by Pollaczek and Khinchine.
KnownSystem md1(double load);

/// The same with a lognormal server of that coefficient of variation.
KnownSystem mg1(double load, double cv);

/// All of them, as docs/models/statistics.md lists them.
std::vector<KnownSystem> known_systems();

}  // namespace saturn::tests
