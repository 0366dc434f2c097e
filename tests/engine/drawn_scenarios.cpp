#include "tests/engine/drawn_scenarios.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>
#include <variant>

#include "scenarios/demands/demands.hpp"
#include "tests/engine/scenarios_for_tests.hpp"

namespace saturn::tests {

namespace {

bool coin() {
  return *rc::gen::arbitrary<bool>();
}
bool seldom() {
  return *rc::gen::inRange(0, 4) == 0;
}
std::uint64_t count(std::uint64_t least, std::uint64_t most) {
  return *rc::gen::inRange<std::uint64_t>(least, most + 1);
}
double between(double least, double most) {
  return least + (most - least) * *rc::gen::inRange(0, 1000) / 1000.0;
}

/// Points as far as `largest` items, times rising by steps of any steepness, none included.
std::vector<MeasuredPoint> any_points(double largest, bool with_device) {
  std::vector<MeasuredPoint> points;
  double items = static_cast<double>(count(1, 3));
  double time_s = between(0.002, 0.02);
  double device_s = time_s * between(0.3, 1.0);
  do {
    points.push_back({.items = items, .time = Seconds{time_s}});
    if (with_device) points.back().device = Seconds{device_s};
    items += static_cast<double>(count(1, 12));
    const double step_s = *rc::gen::element(0.0, 0.002, 0.02);
    time_s += step_s;
    device_s += step_s * between(0.0, 1.0);
  } while (points.size() < 2 || 2 * points.back().items < largest);
  return points;
}

ServiceLaw any_law(const DrawnScenario& may_have, double largest) {
  ServiceLaw law{.per_batch = any_time(0.001, 0.02, may_have.random_times),
                 .per_item = any_time(0.0, 0.003, may_have.random_times)};
  const bool measured = coin();
  const bool with_device = measured && coin();
  if (measured) law.points = any_points(largest, with_device);
  if (may_have.random_times && coin()) law.scatter = between(0.05, 1.0);
  if (!with_device && coin()) {
    // Less than T(b) for every b: a share of the shortest batch, and with it of the longest.
    law.host.per_batch = between(0.1, 0.9) * Seconds{measured ? mean(law, 0.25).value : mean(law.per_batch).value};
    if (!measured) law.host.per_item = between(0.0, 0.9) * mean(law.per_item);
  }
  if (seldom()) law.per_request = Seconds{between(0.0, 0.003)};
  law.turns = count(1, 3);
  // Every batch finds a size that holds it.
  if (seldom()) law.padded_to = {1.0, 2.0, 4.0, 8.0, 16.0, std::max(32.0, largest)};
  return law;
}

QueuePolicy any_policy() {
  QueuePolicy policy;
  if (coin()) policy.max_queue_size = count(1, 20);
  if (coin()) policy.timeout = Seconds{between(0.001, 0.1)};
  policy.timeout_action = coin() ? TimeoutAction::reject : TimeoutAction::delay;
  return policy;
}

Model any_model(const DrawnScenario& may_have, const std::vector<std::string>& types) {
  Model model;
  model.input = Bytes{*rc::gen::element(0.0, 1e3, 1e5)};
  model.output = Bytes{*rc::gen::element(0.0, 1e2, 1e4)};
  model.max_batch_size = *rc::gen::element<std::uint64_t>(8, 9, 16, 64);
  model.instances = count(1, 3);
  if (seldom()) model.execution = ExecutionPolicy::one_per_device;
  model.dynamic_batching = *rc::gen::inRange(0, 4) > 0;
  if (model.dynamic_batching) {
    for (std::uint64_t size = 0; coin();) {
      size += count(1, 6);
      if (size <= model.max_batch_size) model.preferred_batch_size.push_back(size);
    }
    if (coin()) model.max_queue_delay = Seconds{*rc::gen::element(1e-6, 1e-3, 2e-2)};
    model.forming = seldom() ? BatchForming::ahead : BatchForming::when_idle;
    model.priority_levels = count(1, 3);
    if (coin()) model.default_priority_level = count(1, model.priority_levels);
  }
  model.lengths = coin() ? LengthRule::ragged : LengthRule::padded;
  if (may_have.refusals && coin()) model.queue_policy = any_policy();
  if (!may_have.refusals && model.dynamic_batching && coin())
    model.queue_policy = {.max_queue_size = {}, .timeout = Seconds{0.01}, .timeout_action = TimeoutAction::delay};
  for (const std::string& type : types)
    model.service[type] = any_law(may_have, 3.0 * static_cast<double>(model.max_batch_size));
  return model;
}

Server any_server(const std::string& name, const std::string& type) {
  Server server;
  server.name = name;
  server.nodes = count(1, 3);
  if (seldom()) server.nic = Bandwidth{2e7};
  server.devices = {.type = type, .count = count(1, 3), .mig = {}, .interference = 0.0};
  if (seldom())
    server.devices.mig = *rc::gen::elementOf(std::vector<std::vector<double>>{{0.5, 0.5}, {0.25, 0.5}, {0.5}});
  if (seldom()) server.devices.interference = between(0.1, 1.0);
  if (seldom()) server.batch_workers = *rc::gen::element(1.0, 1.5, 4.0);
  if (coin())
    server.host = HostStage{.per_request = Seconds{between(0.0, 0.005)},
                            .per_item = Seconds{between(0.0, 0.001)},
                            .workers = *rc::gen::element(0.5, 1.0, 2.5),
                            .scatter = 0.0};
  return server;
}

/// As many as the requests of the stage were drawn for, at most.
CountDistribution any_items() {
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      return CountDistribution::poisson(between(0.5, 12.0));
    case 1:
      return CountDistribution::geometric(between(0.5, 5.0));
    case 2:
      return CountDistribution::lognormal(between(2.0, 15.0), 0.5);
    default:
      return CountDistribution::values({0, 1, 5});
  }
}

ArrivalLaw any_arrivals(double rate) {
  switch (*rc::gen::inRange(0, 5)) {
    case 0:
      return ConstantArrivals{Rate{rate}};
    case 3:
      return OnOffArrivals{
          .rate = Rate{2.0 * rate}, .on = ExponentialTime{Seconds{2.0}}, .off = GammaTime{Seconds{2.0}, 0.5}};
    case 1:
      return GammaArrivals{Rate{rate}, 2.0};
    case 2:
      return ProfileArrivals{.points = {{Seconds{0.0}, Rate{0.0}}, {Seconds{4.0}, Rate{2.0 * rate}}},
                             .period = Seconds{5.0}};
    default:
      return PoissonArrivals{Rate{rate}};
  }
}

InferStage any_call(const DrawnScenario& may_have, const std::string& model) {
  InferStage infer;
  infer.label = "infer " + model;
  infer.model = model;
  infer.items = count(1, 20);
  infer.request_batch = std::min(infer.items.largest(), count(1, 8));
  infer.in_flight = *rc::gen::element<std::uint64_t>(1, 1, 2, 4);
  if (coin()) infer.priority = 1;
  if (coin()) infer.cpu_alternative = Seconds{between(0.01, 1.0)};
  if (seldom()) infer.item_lengths = {2.0};
  if (may_have.random_times && seldom()) infer.item_lengths = {0.5, 1.0, 3.0};
  infer.asynchronous = coin();
  if (seldom())
    infer.client_cost = {.per_request = Seconds{between(0.0, 0.01)}, .per_item = Seconds{between(0.0, 0.001)}};
  if (may_have.random_times && seldom()) infer.items = any_items();
  return infer;
}

/// Sites "near" and "far", joined directly or by a chain, of links that may be slower one way, behind uplinks or not.
void draw_network(Scenario& scenario) {
  const auto link = [](const std::string& a, const std::string& b) {
    const bool asymmetric = seldom();
    return Link{.site_a = a,
                .site_b = b,
                .bandwidth = Bandwidth{*rc::gen::element(2e7, 2e7, 2e6)},
                .round_trip_time = Seconds{0.01},
                .per_flow = coin() ? std::optional(Bandwidth{5e6}) : std::nullopt,
                .bandwidth_back = asymmetric ? std::optional(Bandwidth{3e6}) : std::nullopt};
  };
  std::vector<std::string> chain{"near"};
  if (seldom()) chain.emplace_back("first");
  if (seldom()) chain.emplace_back("second");
  chain.emplace_back("far");
  for (std::size_t i = 0; i + 1 < chain.size(); ++i)
    scenario.links.push_back(coin() ? link(chain[i], chain[i + 1]) : link(chain[i + 1], chain[i]));
  scenario.links.push_back(link("other", chain[chain.size() - 2]));
  if (coin()) scenario.links.push_back({"near", "near", Bandwidth{1e8}, Seconds{0.001}, {}});
  for (const char* site : {"near", "far", "other"})
    if (seldom()) scenario.sites[site].uplink = Bandwidth{*rc::gen::element(1e7, 2e6)};
}

WorkerSpeed any_speed() {
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
      return ListedSpeeds{{0.5, 1.0, 1.75}};
    case 1:
      return LognormalSpeed{1.1, 0.3};
    case 2:
      return UniformSpeed{0.8, 1.2};
    default:
      return ConstantSpeed{*rc::gen::element(0.5, 1.0, 1.0)};
  }
}

/// What the pool's jobs do beside running one event after the other.
void vary_jobs(JobPool& pool) {
  if (coin()) pool.streams = count(1, 5);
  pool.speed = any_speed();
  // Jobs whose events arrive from outside begin at once and never end.
  if (pool.arrivals) return;
  if (seldom()) pool.start_over = Seconds{between(0.0, 0.5)};
  if (seldom()) {
    pool.events_per_job = count(1, 12);
    pool.job_setup = between(0.0, 1.0) * mean(std::get<CpuStage>(pool.event.front()).time);
  }
}

/// A last stage that waits for some of the asynchronous ones.
void add_needs(JobPool& pool, bool random_times) {
  CpuStage last{"last", any_time(0.0, 0.05, random_times), {}};
  for (const Stage& stage : pool.event) {
    const auto* infer = std::get_if<InferStage>(&stage);
    if (infer != nullptr && infer->asynchronous && coin()) last.needs.push_back(infer->label);
  }
  pool.event.emplace_back(last);
}

void keep_state(Model& model) {
  if (!model.ensemble.empty()) return;
  model.dynamic_batching = false;
  model.max_batch_size = *rc::gen::element<std::uint64_t>(1, 2, 5, 16);
  model.execution = ExecutionPolicy::per_instance;
  model.forming = BatchForming::when_idle;
  model.priority_levels = 1;
  model.default_priority_level.reset();
  model.queue_policy = {};
  model.sequence_batching = SequenceBatching{};
  std::erase_if(model.preferred_batch_size, [&](std::uint64_t size) { return size > model.max_batch_size; });
  if (coin()) {
    model.sequence_batching->strategy = SequenceStrategy::oldest;
    model.sequence_batching->candidates = count(1, 12);
  } else {
    model.preferred_batch_size.clear();
    model.max_queue_delay = {};
  }
}

/// Makes all models stateful, and the first calls of each pool sequences. One server is left, and no call but those.
void keep_state(Scenario& scenario) {
  for (auto& [name, model] : scenario.models) keep_state(model);
  scenario.servers.resize(1);
  Server& server = scenario.servers.front();
  if (server.balancing != Balancing::per_connection && server.nodes > 1) server.balancing = Balancing::per_connection;
  server.devices.dispatch = DeviceDispatch::shared_queue;
  for (JobPool& pool : scenario.jobs) {
    pool.event.resize(2);
    auto& call = std::get<InferStage>(pool.event.back());
    call.request_batch = 1;
    call.in_flight = 1;
    call.asynchronous = false;
    call.priority.reset();
    call.sequence = pool.arrivals || coin() ? SequenceScope::event : SequenceScope::job;
    if (call.sequence == SequenceScope::job && !pool.events_per_job) pool.events_per_job = count(1, 12);
  }
}

}  // namespace

TimeDistribution any_time(double least_s, double most_s, bool random) {
  const double mean_s = between(least_s, most_s);
  switch (random ? *rc::gen::inRange(0, 5) : 0) {
    case 0:
      return ConstantTime{Seconds{mean_s}};
    case 1:
      return ExponentialTime{Seconds{mean_s}};
    case 2:
      return LognormalTime{Seconds{mean_s}, 0.5};
    case 3:
      return UniformTime{Seconds{0.5 * mean_s}, Seconds{1.5 * mean_s}};
    default:
      return GammaTime{Seconds{mean_s}, 0.3};
  }
}

Scenario any_serving_scenario(const DrawnScenario& may_have) {
  Scenario scenario;
  scenario.title = "drawn";
  const std::vector<std::string> types = {"big", "small"};
  for (const std::string& type : types)
    scenario.devices[type] = {.sharing = coin() ? DeviceSharing::exclusive : DeviceSharing::processor_sharing,
                              .contention = coin() ? 0.0 : between(0.0, 0.5),
                              .contention_per_batch = Seconds{coin() ? 0.0 : between(0.0, 0.01)},
                              .price = {},
                              .power = {}};
  std::vector<std::string> callable;
  const std::uint64_t models = count(1, 3);
  for (std::uint64_t m = 0; m < models; ++m) {
    callable.push_back("m" + std::to_string(m));
    scenario.models[callable.back()] = any_model(may_have, types);
  }
  if (coin()) {
    Model chain;
    chain.input = Bytes{1e3};
    chain.output = Bytes{1e2};
    for (std::uint64_t step = 0; step < models; ++step)
      if (chain.ensemble.empty() || coin()) chain.ensemble.push_back(callable[step]);
    callable.push_back("chain");
    scenario.models["chain"] = chain;
  }
  const std::uint64_t servers = seldom() ? 2 : 1;
  const auto dispatch =
      *rc::gen::element(Dispatch::round_robin, Dispatch::random, Dispatch::least_outstanding, Dispatch::power_of_two);
  const auto balancing =
      servers > 1 ? *rc::gen::element(Balancing::per_request, Balancing::per_connection)
                  : *rc::gen::element(Balancing::per_request, Balancing::per_connection, Balancing::central_queue);
  for (std::uint64_t s = 0; s < servers; ++s) {
    Server server = any_server("server" + std::to_string(s), types[s]);
    server.site = coin() ? "near" : "far";
    server.models = callable;
    server.dispatch = dispatch;
    server.balancing = balancing;
    if (balancing == Balancing::central_queue) server.nic.reset();
    if (balancing != Balancing::central_queue && seldom()) server.devices.dispatch = DeviceDispatch::per_device_queue;
    if (server.host && may_have.random_times && coin()) server.host->scatter = between(0.1, 1.0);
    scenario.servers.push_back(server);
  }
  draw_network(scenario);
  // All servers of a model with one that is attached have their jobs at hand.
  const bool attached = balancing == Balancing::per_connection && dispatch == Dispatch::round_robin && coin();
  for (Server& server : scenario.servers) {
    if (!attached) continue;
    server.site = "near";
    server.nic.reset();
    server.attached = Attachment{.bus = Bandwidth{*rc::gen::element(1e9, 5e6)}, .latency = Seconds{0.0005}};
  }
  const std::uint64_t pools = may_have.several_pools ? count(1, 2) : 1;
  for (std::uint64_t p = 0; p < pools; ++p) {
    JobPool pool{.name = "pool" + std::to_string(p),
                 .site = attached || coin() ? "near" : "other",
                 .count = *rc::gen::element<std::uint64_t>(1, 3, 10, 40),
                 .threads = count(1, 2),
                 .start = coin() ? JobStart::random : JobStart::staggered,
                 .event = {CpuStage{"cpu", any_time(0.001, 0.2, may_have.random_times), {}}}};
    if (may_have.random_times && seldom()) {
      pool.start = JobStart::staggered;
      pool.arrivals = any_arrivals(between(1.0, 60.0));
      if (coin()) pool.buffer = count(1, 20);
    }
    const std::uint64_t calls = count(1, 2);
    for (std::uint64_t c = 0; c < calls; ++c)
      pool.event.emplace_back(any_call(may_have, *rc::gen::elementOf(callable)));
    for (std::size_t s = 1; s < pool.event.size(); ++s)
      std::get<InferStage>(pool.event[s]).label += " " + std::to_string(s);
    vary_jobs(pool);
    if (coin()) add_needs(pool, may_have.random_times);
    scenario.jobs.push_back(pool);
  }
  if (may_have.sequences && *rc::gen::inRange(0, 6) == 0) keep_state(scenario);
  scenario.run.seed = count(0, 1000000);
  return scenario;
}

Replica short_run(const Scenario& scenario, double events, bool drain) {
  RunLength length = run_length_for(scenario);
  constexpr std::uint32_t period = 16;  // two cycles of eight slices
  constexpr double streams = 33.0;      // of which each ends some events at least
  const auto cycles = static_cast<std::uint32_t>(std::max(events / streams, events / stream_count(scenario)));
  length.aligned_slices = length.least_warm_up = period;
  length.slices = std::min(length.slices / period, cycles / 2) * period;
  return {.seed = scenario.run.seed, .index = 0, .length = length, .drain = drain};
}

std::optional<RunOutcome> outcome_of(const Scenario& scenario, const Replica& replica) {
  try {
    return simulate_forked(scenario, replica);
  } catch (const std::runtime_error& error) {
    if (std::string(error.what()).find("no event of the jobs") == std::string::npos) throw;
    return std::nullopt;
  }
}

void expect_lawful(const RunOutcome& outcome) {
  for (const Check& check : outcome.checks)
    if (!check.passed) RC_FAIL(check.name + ": " + check.detail);
}

std::string described(const Scenario& scenario) {
  std::ostringstream text;
  for (const auto& [name, model] : scenario.models) {
    text << "model " << name << ": max " << model.max_batch_size << ", instances " << model.instances << ", at once "
         << batches_at_once(model) << ", dynamic " << model.dynamic_batching << ", delay "
         << model.max_queue_delay.value << ", ahead " << (model.forming == BatchForming::ahead) << ", padded "
         << (model.lengths == LengthRule::padded) << ", preferred";
    for (const std::uint64_t size : model.preferred_batch_size) text << ' ' << size;
    for (const std::string& step : model.ensemble) text << ", step " << step;
    for (const auto& [type, law] : model.service) {
      text << "\n  " << type << ": T(1) " << mean(law, 1.0).value << ", T(8) " << mean(law, 8.0).value << ", scatter "
           << law.scatter << ", turns " << law.turns << ", padding " << law.padded_to.size() << ", points";
      for (const MeasuredPoint& point : law.points)
        text << " (" << point.items << ", " << point.time.value << ", " << point.device.value_or(Seconds{}).value
             << ")";
    }
    text << '\n';
  }
  for (const Server& server : scenario.servers)
    text << "server " << server.name << " at " << server.site << ": nodes " << server.nodes << ", devices "
         << server.devices.count << " " << server.devices.type << ", slices " << server.devices.mig.size()
         << ", interference " << server.devices.interference << ", a queue for each "
         << (server.devices.dispatch == DeviceDispatch::per_device_queue) << ", batch workers "
         << server.batch_workers.value_or(0.0) << ", host " << server.host.has_value() << ", balancing "
         << static_cast<int>(server.balancing) << ", dispatch " << static_cast<int>(server.dispatch) << ", attached "
         << server.attached.has_value() << '\n';
  for (const Link& link : scenario.links)
    text << "link " << link.site_a << " to " << link.site_b << ": " << link.bandwidth.value << ", back "
         << link.bandwidth_back.value_or(link.bandwidth).value << ", per flow "
         << link.per_flow.value_or(link.bandwidth).value << '\n';
  for (const auto& [name, site] : scenario.sites)
    text << "site " << name << ": uplink " << site.uplink.value_or(Bandwidth{}).value << '\n';
  for (const JobPool& pool : scenario.jobs) {
    text << "pool of " << pool.count << " x " << pool.threads << " at " << pool.site << ", streams "
         << streams_per_job(pool) << ", speeds " << pool.speed.index() << ", events a job "
         << pool.events_per_job.value_or(0) << ", set-up " << pool.job_setup.value;
    if (pool.arrivals)
      text << ", arrivals " << pool.arrivals->index() << " at " << mean_rate(*pool.arrivals).value << " Hz, buffer "
           << pool.buffer.value_or(0);
    for (const Stage& stage : pool.event) {
      if (const auto* infer = std::get_if<InferStage>(&stage))
        text << ", " << infer->items.mean() << " items of " << infer->model << " in " << infer->request_batch << "s, "
             << infer->in_flight << " in flight, lengths " << infer->item_lengths.size() << ", asynchronous "
             << infer->asynchronous << ", cost " << infer->client_cost.per_request.value;
    }
    text << '\n';
  }
  return text.str();
}

}  // namespace saturn::tests
