#include "tests/engine/known_systems.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "models/queueing/mva.hpp"
#include "tests/engine/scenarios_for_tests.hpp"

namespace saturn::tests {

namespace {

/// Chances of 0 to all machines broken, by detailed balance.
std::vector<double> broken(const Machines& m) {
  // Those of thousands of machines differ by more than a double holds: in logarithms.
  std::vector<double> p = {0.0};
  for (std::uint64_t n = 0; n < m.machines; ++n) {
    const auto working = static_cast<double>(m.machines - n);
    const auto repaired = static_cast<double>(std::min(n + 1, m.repairers));
    p.push_back(p.back() + std::log(working / m.think_s * m.service_s / repaired));
  }
  const double largest = *std::max_element(p.begin(), p.end());
  double sum = 0.0;
  for (double& x : p) {
    x = std::exp(x - largest);
    sum += x;
  }
  for (double& x : p) x /= sum;
  return p;
}

/// Chances that a Poisson number of mean x is k or more, for k from 0 to n.
std::vector<double> poisson_tails(double x, std::size_t n) {
  // From the smallest up, so that none is lost; beyond twice the mean and n more there is nothing left.
  const auto last = static_cast<std::size_t>(2.0 * x) + n + 100;
  std::vector<double> tails(n + 1);
  double sum = 0.0;
  for (std::size_t j = last + 1; j-- > 0;) {
    const auto k = static_cast<double>(j);
    sum += std::exp((j == 0 ? 0.0 : k * std::log(x)) - x - std::lgamma(k + 1.0));
    if (j <= n) tails[j] = std::min(1.0, sum);
  }
  return tails;
}

/// Chance that a repair and those before it take longer than t: those before it end at the rate of all c repairers, k
/// of them until one is free, the own one at that of one. P(Erlang(k, a) + Exp(b) > t) = P(Erlang(k, a) > t) + (a/(a -
/// b))^k e^(-bt) P(Erlang(k, a - b) <= t).
/// @param seen  chances of what an arriving machine finds before it
double longer_than(double t, const std::vector<double>& seen, const Machines& m) {
  const double own = t / m.service_s;
  const double all = own * static_cast<double>(m.repairers);
  const std::vector<double> by_all = poisson_tails(all, seen.size());
  const std::vector<double> by_others = poisson_tails(all - own, seen.size());
  double longer = 0.0;
  for (std::size_t n = 0; n < seen.size(); ++n) {
    double chance = std::exp(-own);
    if (m.repairers == 1) {
      chance = 1.0 - by_all[n + 1];
    } else if (n >= m.repairers) {
      const std::size_t k = n - m.repairers + 1;
      const double factor = std::exp(static_cast<double>(k) * std::log(all / (all - own)) - own);
      chance = std::min(1.0, 1.0 - by_all[k] + (by_others[k] > 0.0 ? factor * by_others[k] : 0.0));
    }
    longer += seen[n] * chance;
  }
  return longer;
}

/// By bisection [s].
double repair_quantile(const std::vector<double>& seen, const Machines& m, double q) {
  double low = 0.0;
  double high = 100.0 * m.service_s * static_cast<double>(seen.size());
  for (int step = 0; step < 100; ++step) {
    const double t = (low + high) / 2;
    (longer_than(t, seen, m) > 1.0 - q ? low : high) = t;
  }
  return low;
}

constexpr double always = 1.0 - 1e-6;

struct Quantile {
  const char* name;
  double q;
  Key<Subject::model> number;
};

Estimate device_use(const Results& summary, Key<Subject::resource> number) {
  const auto device = std::find_if(summary.resources.begin(), summary.resources.end(),
                                   [](const ResourceResults& one) { return one.kind == ResourceKind::gpu; });
  return (*device)[number];
}

KnownNumber event_time(double value) {
  return {"event time", value, [](const Results& s) { return s.all_jobs["event_time_s"]; }};
}
KnownNumber throughput(double value) {
  return {"throughput", value, [](const Results& s) { return s.all_jobs["events_per_s"]; }};
}
KnownNumber present(double value) {
  return {"events present", value, [](const Results& s) { return s.jobs.front()["present_mean"]; }};
}

/// One stream that takes events as they come.
Scenario queue(double load, const TimeDistribution& service) {
  Scenario scenario = simple_loop({});
  scenario.title = "queue";
  JobPool& pool = scenario.jobs.front();
  pool.arrivals = PoissonArrivals{Rate{load}};
  pool.event = {CpuStage{"work", service, {}}};
  return scenario;
}

std::string at_load(const std::string& name, double load) {
  return name + " at load 0." + std::to_string(static_cast<int>(std::lround(10 * load)));
}

}  // namespace

KnownSystem machine_repairman(const std::string& name, const Machines& m) {
  const std::vector<double> p = broken(m);
  double down = 0.0;
  for (std::size_t n = 0; n < p.size(); ++n) down += static_cast<double>(n) * p[n];
  const double rate = (static_cast<double>(m.machines) - down) / m.think_s;
  const double busy = rate * m.service_s / static_cast<double>(m.repairers);
  const auto latency = [](Key<Subject::model> number) {
    return [number](const Results& s) { return s.models.front()[number]; };
  };
  KnownSystem system{.name = name,
                     .scenario = simple_loop({.clients = m.machines,
                                              .devices = m.repairers,
                                              .think = ExponentialTime{Seconds{m.think_s}},
                                              .service = ExponentialTime{Seconds{m.service_s}},
                                              .start = JobStart::random}),
                     .numbers = {}};
  system.numbers = {event_time(m.think_s + down / rate),
                    throughput(rate),
                    {"requests present", down, [](const Results& s) { return device_use(s, "mean_in_use"); }},
                    {"latency", down / rate, latency("latency_s")}};
  // A repairer who never rests is busy all the time in every run.
  if (busy < always)
    system.numbers.push_back({"utilisation", busy, [](const Results& s) { return device_use(s, "busy_fraction"); }});
  Machines others = m;
  --others.machines;
  const std::vector<double> seen = broken(others);
  for (const auto& [name_of, q, number] : {Quantile{"latency p50", 0.50, "latency_p50_s"},
                                           {"latency p95", 0.95, "latency_p95_s"},
                                           {"latency p99", 0.99, "latency_p99_s"}})
    system.numbers.push_back({name_of, repair_quantile(seen, m, q), latency(number)});
  return system;
}

KnownSystem separate_repairers(const std::string& name, const Machines& m) {
  const double work_s = m.service_s / static_cast<double>(m.repairers);
  const MvaPoint exact = exact_mva(std::vector<MvaStation>(m.repairers, {work_s, 1.0}), m.think_s, m.machines);
  KnownSystem system{.name = name,
                     .scenario = simple_loop({.clients = m.machines,
                                              .nodes = m.repairers,
                                              .think = ExponentialTime{Seconds{m.think_s}},
                                              .service = ExponentialTime{Seconds{m.service_s}},
                                              .start = JobStart::random}),
                     .numbers = {event_time(exact.event_time_s), throughput(exact.events_per_s)}};
  system.scenario.servers.front().dispatch = Dispatch::random;
  return system;
}

KnownSystem computing_jobs(std::uint64_t jobs, double cv) {
  const auto think_s = static_cast<double>(jobs);
  const MvaPoint exact = exact_mva({{1.0, 1.0}}, think_s, jobs);
  return {
      .name = std::to_string(jobs) + " jobs that compute with cv " + std::to_string(cv).substr(0, 3),
      .scenario = simple_loop(
          {.clients = jobs, .think = LognormalTime{Seconds{think_s}, cv}, .service = ExponentialTime{Seconds{1.0}}}),
      .numbers = {event_time(exact.event_time_s), throughput(exact.events_per_s)}};
}

KnownSystem mm1(double load) {
  const double mean_s = 1.0 / (1.0 - load);
  const auto quantile = [&](const std::string& name, double q, Key<Subject::jobs> number) {
    return KnownNumber{name, -std::log(1.0 - q) * mean_s, [number](const Results& s) { return s.all_jobs[number]; }};
  };
  return {.name = at_load("M/M/1", load),
          .scenario = queue(load, ExponentialTime{Seconds{1.0}}),
          .precision = 0.0005 * std::pow(1.0 - load, -2) + 0.008,
          .numbers = {event_time(mean_s), throughput(load), present(load * mean_s),
                      quantile("event time p50", 0.50, "event_time_p50_s"),
                      quantile("event time p95", 0.95, "event_time_p95_s"),
                      quantile("event time p99", 0.99, "event_time_p99_s")}};
}

KnownSystem md1(double load) {
  const double mean_s = 1.0 + load / (2.0 * (1.0 - load));
  return {.name = at_load("M/D/1", load),
          .scenario = queue(load, ConstantTime{Seconds{1.0}}),
          .precision = 0.015,
          .numbers = {event_time(mean_s), throughput(load), present(load * mean_s)}};
}

KnownSystem mg1(double load, double cv) {
  const double mean_s = 1.0 + load * (1.0 + cv * cv) / (2.0 * (1.0 - load));
  return {.name = at_load("M/G/1", load),
          .scenario = queue(load, LognormalTime{Seconds{1.0}, cv}),
          .precision = 0.03,
          .numbers = {event_time(mean_s), throughput(load), present(load * mean_s)}};
}

std::vector<KnownSystem> known_systems() {
  return {machine_repairman("20 machines, half busy", {20, 1, 10.0, 0.25}),
          machine_repairman("20 machines, 99 % busy", {20, 1, 10.0, 0.8}),
          machine_repairman("200 machines", {200, 1, 100.0, 0.48}),
          machine_repairman("2,000 machines, half busy", {2000, 1, 2000.0, 0.5}),
          machine_repairman("2,000 machines, at saturation", {2000, 1, 2000.0, 1.0}),
          machine_repairman("2,000 machines, past saturation", {2000, 1, 2000.0, 1.5}),
          machine_repairman("2,000 machines, 8 repairers", {2000, 8, 2000.0, 7.2}),
          machine_repairman("20,000 machines, half busy", {20'000, 1, 20'000.0, 0.5}),
          machine_repairman("20,000 machines, 90 % busy", {20'000, 1, 20'000.0, 0.9}),
          machine_repairman("20,000 machines, at saturation", {20'000, 1, 20'000.0, 1.0}),
          machine_repairman("20,000 machines, past saturation", {20'000, 1, 20'000.0, 1.5}),
          separate_repairers("2,000 machines, 20 separate repairers, at saturation", {2000, 20, 1980.0, 20.0}),
          separate_repairers("2,000 machines, 20 separate repairers, 1.1 times saturation", {2000, 20, 1800.0, 20.0}),
          computing_jobs(20, 1.0),
          computing_jobs(20, 2.5),
          computing_jobs(20, 4.0),
          computing_jobs(2000, 4.0),
          computing_jobs(20'000, 4.0),
          mm1(0.5),
          mm1(0.8),
          mm1(0.9),
          md1(0.7),
          mg1(0.7, 1.5)};
}

}  // namespace saturn::tests
