// The scenarios for tests use doctest; this program has none of its tests.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <span>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "sim/run/replications.hpp"
#include "tests/engine/known_systems.hpp"

/// The table of docs/models/statistics.md: how often printed 95 % intervals hold the numbers that theory knows.
/// Usage: saturn-coverage SEEDS [WORDS [CYCLES]]: of the systems that have these words in their names, in windows of so
/// many event times instead of their own
using namespace saturn;
using namespace saturn::tests;

namespace {

constexpr std::uint64_t fixed = 8;

/// How often intervals held, number by number.
struct Held {
  std::vector<std::uint64_t> held;
  std::vector<double> off;          ///< sums of relative errors
  std::vector<double> off_squared;  ///< of their squares
  std::uint64_t of = 0;
  std::uint64_t replications = 0;

  void count(const KnownSystem& system, const Results& summary) {
    held.resize(system.numbers.size());
    off.resize(held.size());
    off_squared.resize(held.size());
    for (std::size_t n = 0; n < held.size(); ++n) {
      const Estimate printed = system.numbers[n].printed(summary);
      if (printed.low <= system.numbers[n].value && system.numbers[n].value <= printed.high) ++held[n];
      const double error = printed.mean / system.numbers[n].value - 1.0;
      off[n] += error;
      off_squared[n] += error * error;
    }
    ++of;
    replications += summary.replications;
  }
  /// "+0.01 ± 0.02", the mean relative error and its standard error in per cent.
  std::string bias(std::size_t n) const {
    const auto runs = static_cast<double>(of);
    const double mean = off[n] / runs;
    std::ostringstream text;
    text << std::showpos << std::fixed << std::setprecision(2) << 100 * mean << std::noshowpos << " ± "
         << 100 * std::sqrt((off_squared[n] / runs - mean * mean) / runs);
    return text.str();
  }
  double share(std::size_t n) const { return 100.0 * static_cast<double>(held[n]) / static_cast<double>(of); }
};

/// Few seeds at a time: children of a process that holds thousands of results take long to fork.
template <class Take>
void for_each_seed(const KnownSystem& system, const RunControl& control, std::uint64_t seeds, const Take& take) {
  constexpr std::uint64_t at_once = 20;
  for (std::uint64_t first = 1; first <= seeds; first += at_once) {
    std::vector<Scenario> scenarios(std::min(at_once, seeds + 1 - first), system.scenario);
    for (std::uint64_t s = 0; s < scenarios.size(); ++s) {
      scenarios[s].run = control;
      scenarios[s].run.seed = first + s;
    }
    for (const auto& answer : replicate(scenarios, {})) take(std::get<Replicated>(answer));
  }
}

void print(const KnownSystem& system, std::uint64_t seeds) {
  RunControl control = system.scenario.run;
  control.min_replications = control.max_replications = fixed;
  Held alone;
  Held three;
  Held all;
  for_each_seed(system, control, seeds, [&](const Replicated& result) {
    const std::span<const RunOutcome> outcomes(result.outcomes);
    for (std::size_t i = 0; i < fixed; ++i) alone.count(system, summarise(outcomes.subspan(i, 1), 0.95));
    three.count(system, summarise(outcomes.subspan(0, 3), 0.95));
    three.count(system, summarise(outcomes.subspan(3, 3), 0.95));
    all.count(system, result.summary);
  });
  control = system.scenario.run;
  control.precision = system.precision;
  Held stopped;
  for_each_seed(system, control, seeds, [&](const Replicated& result) { stopped.count(system, result.summary); });
  for (std::size_t n = 0; n < system.numbers.size(); ++n) {
    std::cout << "| " << (n == 0 ? system.name : "") << " | " << system.numbers[n].name << " | " << alone.share(n)
              << " | " << three.share(n) << " | " << all.share(n) << " | " << stopped.share(n) << " | " << all.bias(n)
              << " | ";
    if (n == 0)
      std::cout << 100 * system.precision << " %, "
                << static_cast<double>(stopped.replications) / static_cast<double>(stopped.of);
    std::cout << " |" << std::endl;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t seeds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
  if (seeds == 0) {
    std::cerr << "usage: saturn-coverage SEEDS [WORDS [CYCLES]]\n";
    return 64;
  }
  std::cout << std::fixed << std::setprecision(1)
            << "| system | number | one | 3 | 8 | until precise | off by [%] | asked, replications "
               "|\n|---|---|---|---|---|---|---|---|\n";
  const std::string words = argc > 2 ? argv[2] : "";
  std::vector<KnownSystem> systems = known_systems();
  for (KnownSystem& system : systems) {
    if (argc > 3) system.scenario.run.cycles = std::strtoull(argv[3], nullptr, 10);
    if (system.name.find(words) != std::string::npos) print(system, seeds);
  }
}
