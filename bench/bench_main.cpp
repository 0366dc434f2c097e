// saturn-bench: requests per second and bytes per client of three engines on the same closed loop, in one run.
// Also: what a request costs saturn when flows of many sites share one saturated link.
//   saturn-bench [--write FILE.md] [Google Benchmark's options]
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "bench/closed_loop.hpp"
#include "bench/performance_page.hpp"
#include "sim/run/process_pool.hpp"

namespace {

using namespace saturn;
using namespace saturn::bench;

constexpr double actors_limit_s = 20.0;  // wall time after which an actors' run is stopped
constexpr double run_limit_s = 600.0;    // wall time after which any other run has failed

/// Simulated time that lets each engine answer some 10^6 requests, the actors as many as they can in their time; at
/// least 20 event times, so that the answers are those of the steady state.
double horizon_s(const std::string& engine, const ClosedLoop& loop) {
  const double requests = engine == "actors" ? 40000.0 : 2e6;
  return std::max(requests / static_cast<double>(loop.clients), 20.0) * ClosedLoop::think_s;
}

/// Every run in a process of its own: SimGrid's engine exists once a process, and memory is measured from fresh.
LoopResult in_a_process(const std::function<LoopResult()>& run, double limit_s = run_limit_s) {
  ProcessPool pool(1, {.time = Seconds{limit_s}, .memory_bytes = 20ull << 30});
  pool.submit([&] {
    const LoopResult result = run();
    return std::string(reinterpret_cast<const char*>(&result), sizeof result);
  });
  const auto ended = pool.wait();
  if (const auto* failure = std::get_if<TaskFailure>(&ended->result)) throw std::runtime_error(failure->message);
  LoopResult result;
  std::memcpy(&result, std::get<std::string>(ended->result).data(), sizeof result);
  return result;
}

LoopResult run_forked(const std::string& engine, const ClosedLoop& loop, double horizon) {
  return in_a_process([&] {
    if (engine == "actors") return run_actors(loop, horizon, actors_limit_s);
    return engine == "bare" ? run_bare(loop, horizon) : run_saturn(loop, horizon);
  });
}

/// The names under which saturn runs with a batching server.
Batching batching_of(const std::string& engine) {
  if (engine == "saturn-batching") return Batching::idle;
  return engine == "saturn-batching-delay" ? Batching::delay : Batching::off;
}

/// Memory that a run needs however few its clients are: the simulator's code, tables and histograms [byte].
double fixed_bytes(const std::string& engine) {
  static std::map<std::string, double> known;
  const auto [place, added] = known.try_emplace(engine, 0.0);
  if (added) place->second = run_forked(engine, {.clients = 1}, 100.0).grown_bytes;
  return place->second;
}

LoopResult median(std::vector<LoopResult> results) {
  std::sort(results.begin(), results.end(), [](const LoopResult& a, const LoopResult& b) {
    return static_cast<double>(a.requests) / a.wall_s < static_cast<double>(b.requests) / b.wall_s;
  });
  return results[results.size() / 2];
}

void register_all(std::map<std::tuple<std::string, std::uint64_t, std::string>, std::vector<LoopResult>>& runs) {
  for (const char* link : {"idle", "saturated"}) {
    for (const std::uint64_t clients : {100u, 1000u, 10000u, 100000u}) {
      for (const char* engine : {"saturn", "saturn-batching", "saturn-batching-delay", "bare", "actors"}) {
        const std::string name = std::string("closed_loop/") + engine + "/" + std::to_string(clients) + "/" + link;
        const ClosedLoop loop{
            .clients = clients, .batching = batching_of(engine), .saturated = std::strcmp(link, "saturated") == 0};
        auto* benchmark = benchmark::RegisterBenchmark(
            name.c_str(),
            [&runs, loop, engine = std::string(engine), link = std::string(link)](benchmark::State& state) {
              LoopResult last;
              for (auto _ : state) {
                try {
                  last = run_forked(engine, loop, horizon_s(engine, loop));
                  last.bytes_per_client = (last.grown_bytes - fixed_bytes(engine)) / static_cast<double>(loop.clients);
                } catch (const std::exception& failure) {
                  state.SkipWithError(failure.what());
                  return;
                }
                state.SetIterationTime(last.wall_s);
                runs[{engine, loop.clients, link}].push_back(last);
              }
              if (!last.finished) state.SetLabel("stopped at the time limit");
              state.counters["requests_per_s"] = static_cast<double>(last.requests) / last.wall_s;
              state.counters["bytes_per_client"] = last.bytes_per_client;
            });
        benchmark->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
        benchmark->Repetitions(std::strcmp(engine, "actors") == 0 ? 1 : 5);
      }
    }
  }
}

/// For saturn some 2·10^6 requests, and at least 20 event times, of which each is ten times the computing time. For the
/// stock network model some 2,000, and at least two event times: the card is full after a tenth of the first.
double horizon_s(const std::string& engine, const SharedLoop& shared) {
  const bool stock = engine == "stock";
  const double events = std::max((stock ? 2e3 : 2e6) / static_cast<double>(shared.clients), stock ? 2.0 : 20.0);
  return events * 10.0 * ClosedLoop::think_s;
}

/// A run that the stock network model does not end in its time has no requests.
LoopResult run_shared(const std::string& engine, const SharedLoop& shared) {
  Scenario scenario = scenario_of(shared);
  const double horizon = horizon_s(engine, shared);
  if (engine != "stock") return in_a_process([&] { return run_scenario(scenario, horizon); });
  scenario.flows = FlowModel::simgrid;
  const auto start = std::chrono::steady_clock::now();
  try {
    return in_a_process([&] { return run_scenario(scenario, horizon); }, stock_limit_s);
  } catch (const std::runtime_error&) {
    LoopResult stopped;
    stopped.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    stopped.finished = false;
    if (stopped.wall_s < stock_limit_s) throw;
    return stopped;
  }
}

void register_shared(std::map<std::tuple<std::string, std::uint64_t, std::uint64_t>, std::vector<LoopResult>>& runs) {
  for (const std::string engine : {"saturn", "stock"}) {
    for (const std::uint64_t clients : shared_clients) {
      for (const std::uint64_t sites : shared_sites) {
        const SharedLoop shared{.clients = clients, .sites = sites};
        const std::string name = "shared_link/" + engine + "/" + std::to_string(clients) + "/" + std::to_string(sites);
        auto* benchmark = benchmark::RegisterBenchmark(name.c_str(), [&runs, engine, shared](benchmark::State& state) {
          LoopResult last;
          for (auto _ : state) {
            try {
              last = run_shared(engine, shared);
            } catch (const std::exception& failure) {
              state.SkipWithError(failure.what());
              return;
            }
            state.SetIterationTime(last.wall_s);
            runs[{engine, shared.clients, shared.sites}].push_back(last);
          }
          if (!last.finished) state.SetLabel("stopped at the time limit");
          state.counters["requests_per_s"] = static_cast<double>(last.requests) / last.wall_s;
        });
        benchmark->UseManualTime()->Iterations(1)->Unit(benchmark::kMillisecond);
        benchmark->Repetitions(engine == "stock" ? 1 : 3);
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::string page;
  // A machine that others use too is faster in some minutes than in others: engines that are compared share them.
  std::string mixed = "--benchmark_enable_random_interleaving=true";
  std::vector<char*> rest{argv[0], mixed.data()};
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--write") == 0 && i + 1 < argc) {
      page = argv[++i];
    } else {
      rest.push_back(argv[i]);
    }
  }
  int count = static_cast<int>(rest.size());
  benchmark::Initialize(&count, rest.data());
  if (benchmark::ReportUnrecognizedArguments(count, rest.data())) return 64;
  std::map<std::tuple<std::string, std::uint64_t, std::string>, std::vector<LoopResult>> runs;
  register_all(runs);
  std::map<std::tuple<std::string, std::uint64_t, std::uint64_t>, std::vector<LoopResult>> shared_runs;
  register_shared(shared_runs);
  benchmark::RunSpecifiedBenchmarks();
  if (page.empty()) return 0;
  Measured measured;
  for (auto& [key, results] : runs) measured[key] = median(results);
  MeasuredShared shared;
  for (auto& [key, results] : shared_runs) shared[key] = median(results);
  std::ifstream former(page);
  const std::string kept = answers_in_seconds(former);
  std::ofstream file(page);
  file << performance_page(measured, shared) << kept;
  if (!file) {
    std::fprintf(stderr, "saturn-bench: cannot write %s\n", page.c_str());
    return 1;
  }
  return 0;
}
