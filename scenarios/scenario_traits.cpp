#include "scenarios/scenario_traits.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <fmt/core.h>

#include "models/words/texts.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/topology/routes.hpp"

namespace saturn {

namespace {

bool same_host(const std::optional<HostStage>& a, const std::optional<HostStage>& b) {
  if (!a || !b) return !a && !b;
  return a->per_request == b->per_request && a->per_item == b->per_item && a->workers == b->workers;
}

bool same_bus(const std::optional<Attachment>& a, const std::optional<Attachment>& b) {
  if (!a || !b) return !a && !b;
  return a->bus == b->bus && a->latency == b->latency;
}

}  // namespace

bool alike(const Server& a, const Server& b) {
  return a.site == b.site && a.nic == b.nic && a.devices.type == b.devices.type && a.devices.count == b.devices.count &&
         a.devices.mig == b.devices.mig && a.devices.interference == b.devices.interference &&
         a.devices.dispatch == b.devices.dispatch &&
         std::is_permutation(a.models.begin(), a.models.end(), b.models.begin(), b.models.end()) &&
         a.balancing == b.balancing && same_host(a.host, b.host) && a.batch_workers == b.batch_workers &&
         same_bus(a.attached, b.attached);
}

bool on_alike_servers(const Scenario& scenario, const std::string& model) {
  const std::vector<std::size_t> holders = servers_of(scenario, model);
  return std::all_of(holders.begin(), holders.end(),
                     [&](std::size_t s) { return alike(scenario.servers[s], scenario.servers[holders.front()]); });
}

std::vector<ModelCall> model_calls(const Scenario& scenario) {
  std::vector<ModelCall> calls;
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    const JobPool& pool = scenario.jobs[j];
    for (std::size_t k = 0; k < pool.event.size(); ++k)
      if (const auto* infer = std::get_if<InferStage>(&pool.event[k])) calls.push_back({pool, *infer, j, k});
  }
  return calls;
}

std::vector<const InferStage*> model_calls(const JobPool& pool) {
  std::vector<const InferStage*> calls;
  for (const Stage& stage : pool.event)
    if (const auto* infer = std::get_if<InferStage>(&stage)) calls.push_back(infer);
  return calls;
}

std::vector<CallingSites> calling_sites(const Scenario& scenario) {
  std::vector<CallingSites> pairs;
  std::set<CallingSites> seen;
  for (const ModelCall& call : model_calls(scenario))
    for (const std::size_t s : holders_of(scenario, call.infer.model))
      if (const Server& server = scenario.servers[s]; !server.attached)
        if (const CallingSites pair{call.pool.site, server.site}; seen.insert(pair).second) pairs.push_back(pair);
  return pairs;
}

std::set<std::string> called_models(const Scenario& scenario) {
  std::set<std::string> called;
  for (const ModelCall& call : model_calls(scenario)) called.insert(call.infer.model);
  return called;
}

std::set<std::string> models_that_spoil(const Scenario& scenario, std::span<const JobPool> pools) {
  std::set<std::string> models;
  for (const JobPool& pool : pools) {
    for (const Stage& stage : pool.event) {
      const auto* infer = std::get_if<InferStage>(&stage);
      if (infer == nullptr || infer->cpu_alternative) continue;
      models.insert(infer->model);
      for (const std::string& step : model_steps(scenario.models, infer->model)) models.insert(step);
    }
  }
  return models;
}

bool may_refuse(const Scenario& scenario) {
  return std::any_of(scenario.models.begin(), scenario.models.end(), [](const auto& named) {
    const QueuePolicy& policy = named.second.queue_policy;
    return policy.max_queue_size || (policy.timeout && policy.timeout_action == TimeoutAction::reject);
  });
}

bool may_give_up(const Scenario& scenario) {
  const std::vector<ModelCall> calls = model_calls(scenario);
  return std::any_of(calls.begin(), calls.end(),
                     [](const ModelCall& call) { return call.infer.rules.deadline.has_value(); });
}

bool has_constant_times(const Scenario& scenario) {
  if (follows_calls(scenario)) return false;
  for (const JobPool& pool : scenario.jobs) {
    // Jobs of different speed have no common period.
    if (!is_constant(pool.speed)) return false;
    if (pool.arrivals && !std::holds_alternative<ConstantArrivals>(*pool.arrivals)) return false;
    for (const Stage& stage : pool.event) {
      const auto* cpu = std::get_if<CpuStage>(&stage);
      if (cpu != nullptr && !is_constant(cpu->time)) return false;
      const auto* infer = std::get_if<InferStage>(&stage);
      if (infer != nullptr && (infer->item_lengths.size() > 1 || !infer->items.is_constant())) return false;
    }
  }
  for (const auto& [name, model] : scenario.models) {
    for (const auto& [type, law] : model.service) {
      if (!is_constant(law)) return false;
    }
  }
  for (const Server& server : scenario.servers)
    if (server.host && server.host->scatter > 0.0) return false;
  return true;
}

namespace {

/// A trace is not even, but the same in every replication.
bool nothing_drawn_but_traces(Scenario scenario) {
  for (JobPool& pool : scenario.jobs)
    if (pool.arrivals && !is_drawn(*pool.arrivals)) pool.arrivals.reset();
  return has_constant_times(scenario);
}

/// Requests of a model go to nodes by lot, or ties are broken by lot.
bool chosen_by_lot(const Scenario& scenario) {
  for (const Server& server : scenario.servers) {
    if (server.dispatch == Dispatch::random || server.dispatch == Dispatch::power_of_two) return true;
    if (server.dispatch == Dispatch::round_robin || server.balancing == Balancing::central_queue) continue;
    for (const std::string& model : server.models) {
      std::uint64_t nodes = 0;
      for (const std::size_t s : servers_of(scenario, model)) nodes += scenario.servers[s].nodes;
      if (nodes > 1) return true;
    }
  }
  return false;
}

}  // namespace

bool is_deterministic(const Scenario& scenario) {
  const bool staggered = std::all_of(scenario.jobs.begin(), scenario.jobs.end(),
                                     [](const JobPool& pool) { return pool.start == JobStart::staggered; });
  return staggered && !chosen_by_lot(scenario) && nothing_drawn_but_traces(scenario);
}

std::string outage_words(const Outage& outage) {
  if (outage.server)
    return outage.nodes ? counted(*outage.nodes, "node") + " of " + *outage.server : "server " + *outage.server;
  return "link " + outage.link[0] + " to " + outage.link[1];
}

std::string device_word_of(const Scenario& scenario) {
  std::set<ResourceKind> kinds;
  for (const Server& server : scenario.servers) {
    const auto device = scenario.devices.find(server.devices.type);
    if (device != scenario.devices.end()) kinds.insert(device->second.kind);
  }
  if (kinds.size() != 1 || !is_device(*kinds.begin())) return "device";
  std::string word = name_of(*kinds.begin());
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return word;
}

std::string stream_word(double jobs, double streams) {
  return jobs == streams ? "job" : "stream";
}

std::string stream_word_of(const Scenario& scenario) {
  return stream_word(job_count(scenario), stream_count(scenario));
}

std::string fingerprint_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3;
  }
  return fmt::format("{} bytes, FNV-1a {:x}", text.size(), hash);
}

bool keeps_state(const Scenario& scenario, const std::string& model) {
  const std::vector<std::string> steps = model_steps(scenario.models, model);
  return std::any_of(steps.begin(), steps.end(),
                     [&](const std::string& step) { return scenario.models.at(step).sequence_batching.has_value(); });
}

bool has_rules(const CallRules& rules) {
  return rules.deadline || rules.retries || rules.fallback || rules.when_failed != FailedCall::event_goes_on ||
         !rules.servers.empty();
}

bool changes_over_time(const Scenario& scenario) {
  const auto server = [](const Server& one) { return one.failures || one.devices.failures || one.autoscaler; };
  return !scenario.outages.empty() || std::any_of(scenario.servers.begin(), scenario.servers.end(), server) ||
         std::any_of(scenario.links.begin(), scenario.links.end(),
                     [](const Link& link) { return link.failures.has_value(); });
}

bool has_no_steady_state(const Scenario& scenario) {
  const auto ends = [](const JobPool& pool) { return !pool.replaced; };
  return scenario.run.horizon && (changes_over_time(scenario) || std::ranges::any_of(scenario.jobs, ends));
}

bool follows_calls(const Scenario& scenario) {
  const std::vector<ModelCall> calls = model_calls(scenario);
  return changes_over_time(scenario) ||
         std::any_of(scenario.servers.begin(), scenario.servers.end(),
                     [](const Server& server) { return server.rate_limit || server.admission; }) ||
         std::any_of(calls.begin(), calls.end(), [](const ModelCall& call) { return has_rules(call.infer.rules); });
}

}  // namespace saturn
