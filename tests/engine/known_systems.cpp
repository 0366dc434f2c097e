#include "tests/engine/known_systems.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/queueing/mva.hpp"
#include "tests/engine/scenarios_for_tests.hpp"

namespace saturn::tests {

namespace {

/// Chances of 0 to `machines` broken ones, by detailed balance.
std::vector<double> broken(std::uint64_t machines, double think_s, double service_s) {
  std::vector<double> p = {1.0};
  for (std::uint64_t n = 0; n < machines; ++n)
    p.push_back(p.back() * static_cast<double>(machines - n) / think_s * service_s);
  double sum = 0.0;
  for (const double x : p) sum += x;
  for (double& x : p) x /= sum;
  return p;
}

/// Chance that n + 1 exponential services take longer than t.
double longer_than(double t, std::size_t n, double service_s) {
  double term = std::exp(-t / service_s);
  double sum = term;
  for (std::size_t k = 1; k <= n; ++k) {
    term *= t / service_s / static_cast<double>(k);
    sum += term;
  }
  return sum;
}

/// @param seen  chances of what an arriving machine finds before it
double repair_quantile(const std::vector<double>& seen, double service_s, double q) {
  double low = 0.0;
  double high = 100.0 * service_s * static_cast<double>(seen.size());
  for (int step = 0; step < 100; ++step) {
    const double t = (low + high) / 2;
    double longer = 0.0;
    for (std::size_t n = 0; n < seen.size(); ++n) longer += seen[n] * longer_than(t, n, service_s);
    (longer > 1.0 - q ? low : high) = t;
  }
  return low;
}

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

KnownSystem machine_repairman(const std::string& name, std::uint64_t machines, double think_s, double service_s) {
  const std::vector<double> p = broken(machines, think_s, service_s);
  const std::vector<double> seen = broken(machines - 1, think_s, service_s);
  const double rate = (1.0 - p[0]) / service_s;
  double down = 0.0;
  for (std::size_t n = 0; n < p.size(); ++n) down += static_cast<double>(n) * p[n];
  const auto latency = [](Key<Subject::model> number) {
    return [number](const Results& s) { return s.models.front()[number]; };
  };
  KnownSystem system{.name = name,
                     .scenario = simple_loop({.clients = machines,
                                              .think = ExponentialTime{Seconds{think_s}},
                                              .service = ExponentialTime{Seconds{service_s}},
                                              .start = JobStart::random}),
                     .numbers = {}};
  system.numbers = {event_time(think_s + down / rate),
                    throughput(rate),
                    {"utilisation", rate * service_s, [](const Results& s) { return device_use(s, "busy_fraction"); }},
                    {"requests present", down, [](const Results& s) { return device_use(s, "mean_in_use"); }},
                    {"latency", down / rate, latency("latency_s")},
                    {"latency p50", repair_quantile(seen, service_s, 0.50), latency("latency_p50_s")},
                    {"latency p95", repair_quantile(seen, service_s, 0.95), latency("latency_p95_s")},
                    {"latency p99", repair_quantile(seen, service_s, 0.99), latency("latency_p99_s")}};
  return system;
}

KnownSystem computing_jobs(std::uint64_t jobs, double cv) {
  const MvaPoint exact = exact_mva({{1.0, 1.0}}, 20.0, jobs);
  return {.name = std::to_string(jobs) + " jobs that compute with cv " + std::to_string(cv).substr(0, 3),
          .scenario = simple_loop(
              {.clients = jobs, .think = LognormalTime{Seconds{20.0}, cv}, .service = ExponentialTime{Seconds{1.0}}}),
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
  return {machine_repairman("20 machines, half busy", 20, 10.0, 0.25),
          machine_repairman("20 machines, 99 % busy", 20, 10.0, 0.8),
          machine_repairman("200 machines", 200, 100.0, 0.48),
          computing_jobs(20, 1.0),
          computing_jobs(20, 2.5),
          computing_jobs(20, 4.0),
          mm1(0.5),
          mm1(0.8),
          mm1(0.9),
          md1(0.7),
          mg1(0.7, 1.5)};
}

}  // namespace saturn::tests
