#include "scenarios/demands/ideal_event.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "scenarios/demands/slow_start_waits.hpp"
#include "scenarios/demands/stage_demand.hpp"
#include "scenarios/scenario_traits.hpp"
#include "scenarios/topology/routes.hpp"

namespace saturn {

namespace {

/// Follows an event from stage to stage.
class EventPath {
 public:
  EventPath(const JobPool& pool, const std::vector<std::optional<StageDemand>>& demands, double slowness)
      : pool_(pool), demands_(demands), slowness_(slowness) {
    event_.stages.resize(pool.event.size());
    ends_.resize(pool.event.size());
  }

  IdealEvent followed() {
    for (std::size_t s = 0; s < pool_.event.size(); ++s) {
      for (const std::size_t needed : needed_stages(pool_.event, s)) join(needed);
      if (const auto* cpu = std::get_if<CpuStage>(&pool_.event[s])) {
        compute(s, slowness_ * mean(cpu->time).value);
      } else {
        call(s, std::get<InferStage>(pool_.event[s]).asynchronous);
      }
    }
    for (std::size_t s = 0; s < pool_.event.size(); ++s) join(s);
    const double events = static_cast<double>(events_per_stream(pool_));
    if (events > 0.0) event_.set_up_s = slowness_ * pool_.job_setup.value / events;
    event_.core_s += event_.set_up_s;
    event_.event_s = now_;
    return std::move(event_);
  }

 private:
  void compute(std::size_t s, double seconds) {
    event_.stages[s].of(StagePart::cpu) += seconds;
    event_.core_s += seconds;
    now_ += seconds;
  }

  void call(std::size_t s, bool asynchronous) {
    const double duration = stage_duration_s(*demands_[s], slowness_);
    if (!asynchronous) {
      wait(s, duration, slowness_ * demands_[s]->serialisation.value);
      event_.core_s += duration;
      return;
    }
    ends_[s] = now_ + duration;
    const double sending = loop_serialisation_s(*demands_[s], slowness_);
    event_.stages[s].of(StagePart::serialisation) += sending;
    event_.core_s += sending;
    now_ += sending;
  }

  void join(std::size_t s) {
    if (ends_[s] <= now_) return;
    const double sent = loop_serialisation_s(*demands_[s], slowness_);
    wait(s, ends_[s] - now_, std::max(0.0, slowness_ * demands_[s]->serialisation.value - sent));
  }

  /// Calls that overlap take less time than one by one; each of their parts keeps its share of it.
  void wait(std::size_t s, double seconds, double serialisation_s) {
    const StageDemand& demand = *demands_[s];
    const double one_by_one = (demand.travel + demand.bandwidth + demand.device).value + serialisation_s;
    const double share = one_by_one > 0.0 ? seconds / one_by_one : 0.0;
    // In the order of StagePart.
    event_.stages[s].add({{0.0, serialisation_s, demand.bandwidth.value, demand.travel.value, demand.device.value}},
                         share);
    now_ += seconds;
  }

  const JobPool& pool_;
  const std::vector<std::optional<StageDemand>>& demands_;
  double slowness_;
  IdealEvent event_;
  std::vector<double> ends_;  // of asynchronous stages; 0 of the others
  double now_ = 0.0;
};

}  // namespace

std::vector<std::size_t> needed_stages(const std::vector<Stage>& event, std::size_t stage) {
  std::vector<std::size_t> needed;
  for (const std::string& label : needs_of(event[stage])) {
    std::size_t found = 0;
    for (; found < stage; ++found) {
      const auto* infer = std::get_if<InferStage>(&event[found]);
      if (infer != nullptr && infer->asynchronous && infer->label == label) break;
    }
    if (found == stage) throw std::invalid_argument("needed_stages: no earlier asynchronous stage is called " + label);
    needed.push_back(found);
  }
  std::sort(needed.begin(), needed.end());
  return needed;
}

std::vector<std::optional<StageDemand>> stage_demands(const Scenario& scenario, const RoutedResources& routed,
                                                      const JobPool& pool) {
  std::vector<std::optional<StageDemand>> demands;
  for (std::size_t s = 0; s < pool.event.size(); ++s) {
    const auto* infer = std::get_if<InferStage>(&pool.event[s]);
    demands.push_back(infer == nullptr
                          ? std::nullopt
                          : std::optional(stage_demand(scenario, routed, pool.site, *infer, certain_pause(pool, s))));
  }
  return demands;
}

IdealEvent ideal_event(const JobPool& pool, const std::vector<std::optional<StageDemand>>& demands, double slowness) {
  return EventPath(pool, demands, slowness).followed();
}

IdealEvent mean_ideal_event(const JobPool& pool, const std::vector<std::optional<StageDemand>>& demands) {
  const std::vector<SpeedClass> classes = speed_classes(pool.speed, pool.count);
  if (classes.size() == 1) return ideal_event(pool, demands, 1.0 / classes.front().speed);
  IdealEvent mean;
  mean.stages.resize(pool.event.size());
  double rates = 0.0;
  double core_rates = 0.0;
  for (const SpeedClass& one : classes) {
    const IdealEvent event = ideal_event(pool, demands, 1.0 / one.speed);
    const double cycle_s = event.event_s + event.set_up_s;
    // Events that take no time at all have no rate; who asks for the mean complains of them.
    const double rate = cycle_s > 0.0 ? static_cast<double>(one.jobs) / cycle_s : 1.0;
    rates += rate;
    core_rates +=
        event.core_s > 0.0 ? static_cast<double>(one.jobs) / event.core_s : std::numeric_limits<double>::infinity();
    mean.event_s += rate * event.event_s;
    mean.set_up_s += rate * event.set_up_s;
    for (std::size_t s = 0; s < mean.stages.size(); ++s) mean.stages[s].add(event.stages[s], rate);
  }
  mean.event_s /= rates;
  mean.set_up_s /= rates;
  mean.core_s = static_cast<double>(pool.count) / core_rates;
  for (IdealStage& stage : mean.stages) {
    IdealStage scaled;
    scaled.add(stage, 1.0 / rates);
    stage = scaled;
  }
  return mean;
}

namespace {

struct Moments {
  double mean = 0.0;
  double variance = 0.0;
};

double relative_variance_of(const ServiceLaw& law, double items) {
  const double mean_s = mean(law, items).value;
  return mean_s > 0.0 ? variance(law, items) / (mean_s * mean_s) : 0.0;
}

/// Of what one full request takes in an instance, alone, over the lengths that it may have. Requests of a batch share
/// what was drawn for it: their mean over many scatters as if the variance of each were so many times as large.
Moments request_moments(const Model& model, const ServiceLaw& law, const InferStage& stage) {
  const auto items = static_cast<double>(stage.request_batch);
  const auto most = static_cast<double>(std::max(batch_limit(model), stage.request_batch));
  const double together = joins_requests(model) ? std::floor(most / items) : 1.0;
  const std::vector<double> lengths = stage.item_lengths.empty() ? std::vector<double>{1.0} : stage.item_lengths;
  double mean_sum = 0.0;
  double square_sum = 0.0;
  double drawn_sum = 0.0;
  for (const double length : lengths) {
    const double mean_s = mean(law, items * length).value;
    const double relative_variance =
        std::max(relative_variance_of(law, items * length), relative_variance_of(law, together * items * length));
    mean_sum += mean_s;
    square_sum += mean_s * mean_s;
    drawn_sum += mean_s * mean_s * relative_variance;
  }
  const auto kinds = static_cast<double>(lengths.size());
  const double mean_s = mean_sum / kinds;
  const double of_lengths = std::max(0.0, square_sum / kinds - mean_s * mean_s);
  return {mean_s, together * (drawn_sum / kinds + of_lengths)};
}

/// Of the handling of one full request by a host.
Moments host_moments(const HostStage& host, const InferStage& stage) {
  const double work_s = host.per_request.value + static_cast<double>(stage.request_batch) * host.per_item.value;
  return {work_s, host.scatter * host.scatter * work_s * work_s};
}

/// Of what an event needs at a stage, whatever resource it needs it of: requests and items vary together.
double relative_variance_of_counts(const InferStage& stage) {
  double items = 0.0;
  double item_squares = 0.0;
  double requests = 0.0;
  double request_squares = 0.0;
  for (const CountWeight& entry : stage.items.table()) {
    const auto count = static_cast<double>(entry.count);
    const auto sent = static_cast<double>(split_requests(entry.count, stage.request_batch).requests);
    items += entry.weight * count;
    item_squares += entry.weight * count * count;
    requests += entry.weight * sent;
    request_squares += entry.weight * sent * sent;
  }
  const double of_items = item_squares / (items * items) - 1.0;
  return std::max({0.0, of_items, request_squares / (requests * requests) - 1.0});
}

/// Of how many of an event's requests go to the server that is drawn least often, whatever its load.
double relative_variance_of_choice(const Scenario& scenario, const InferStage& stage) {
  const std::vector<std::size_t> holders = servers_of(scenario, stage.model);
  const double requests = mean_requests(stage);
  if (holders.size() < 2 || requests == 0.0) return 0.0;
  const Server& first = scenario.servers[holders.front()];
  const bool twice = first.dispatch == Dispatch::power_of_two;
  if (!chooses_for_requests(first.balancing) || (!twice && first.dispatch != Dispatch::random)) return 0.0;
  double nodes = 0.0;
  double fewest = std::numeric_limits<double>::infinity();
  for (const std::size_t s : holders) {
    const auto here = static_cast<double>(scenario.servers[s].nodes);
    nodes += here;
    fewest = std::min(fewest, here);
  }
  // Of two draws both are its own: what no rule can send elsewhere.
  const double share = twice ? std::pow(fewest / nodes, 2) : fewest / nodes;
  return (1.0 - share) / (share * requests);
}

}  // namespace

double relative_scatter(const Scenario& scenario, const JobPool& pool) {
  double event_mean_s = 0.0;
  double longest_stage_s = 0.0;
  double of_counts = 0.0;
  bool overlaps = false;
  double event_variance = 0.0;
  double service_only = 0.0;
  for (const Stage& stage : pool.event) {
    if (const auto* cpu = std::get_if<CpuStage>(&stage)) {
      event_mean_s += mean(cpu->time).value;
      longest_stage_s = std::max(longest_stage_s, mean(cpu->time).value);
      event_variance += variance(cpu->time);
      continue;
    }
    const auto& infer = std::get<InferStage>(stage);
    const double requests = mean_requests(infer);
    overlaps = overlaps || infer.asynchronous;
    of_counts = std::max(of_counts, relative_variance_of_counts(infer) + relative_variance_of_choice(scenario, infer));
    // Whichever server answers: as short as at the fastest, and scattering as at the one that scatters most.
    Moments at_server{.mean = std::numeric_limits<double>::infinity()};
    double longest_at_server_s = std::numeric_limits<double>::infinity();
    for (const std::size_t server : servers_of(scenario, infer.model)) {
      Moments here;
      double longest_s = 0.0;
      const auto add = [&](const Moments& request) {
        const double stage_mean_s = requests * request.mean;
        const double stage_variance = requests * request.variance;
        here.mean += stage_mean_s;
        longest_s = std::max(longest_s, stage_mean_s);
        here.variance += stage_variance;
        if (stage_mean_s > 0.0) service_only = std::max(service_only, std::sqrt(stage_variance) / stage_mean_s);
      };
      if (scenario.servers[server].host) add(host_moments(*scenario.servers[server].host, infer));
      for (const std::string& step : model_steps(scenario.models, infer.model)) {
        const Model& model = scenario.models.at(step);
        add(request_moments(model, model.service.at(scenario.servers[server].devices.type), infer));
      }
      at_server = {std::min(at_server.mean, here.mean), std::max(at_server.variance, here.variance)};
      longest_at_server_s = std::min(longest_at_server_s, longest_s);
    }
    event_mean_s += at_server.mean;
    longest_stage_s = std::max(longest_stage_s, longest_at_server_s);
    event_variance += at_server.variance;
  }
  // Stages that overlap add their variances, but not their means.
  const double least_mean_s = overlaps ? longest_stage_s : event_mean_s;
  const double whole = least_mean_s > 0.0 ? std::sqrt(event_variance) / least_mean_s : 0.0;
  const double of_times = std::max(whole, service_only);
  const double stages = overlaps ? static_cast<double>(pool.event.size()) : 1.0;
  return std::sqrt(of_times * of_times + stages * of_counts);
}

namespace {

/// True when all requests for the model are of one job pool and ask the same.
bool has_equal_requests(const Scenario& scenario, const std::string& model) {
  const JobPool* caller = nullptr;
  const InferStage* first = nullptr;
  for (const ModelCall& call : model_calls(scenario)) {
    const InferStage& infer = call.infer;
    if (infer.model != model) continue;
    if (!sends_full_requests_only(infer) || infer.item_lengths.size() > 1) return false;
    if (first != nullptr && (caller != &call.pool || infer.request_batch != first->request_batch ||
                             infer.item_lengths != first->item_lengths))
      return false;
    caller = &call.pool;
    first = &infer;
  }
  return true;
}

}  // namespace

std::string why_average_shares(const Scenario& scenario, const std::string& model) {
  const std::vector<std::size_t> holders = servers_of(scenario, model);
  if (holders.size() < 2 || load_chooses_server(scenario, model)) return "";
  // Each request is drawn for itself, or dealt to every node in turn, whatever the load.
  if (scenario.servers[holders.front()].dispatch == Dispatch::random) return "";
  if (on_alike_servers(scenario, model) || has_equal_requests(scenario, model)) return "";
  return "for requests of every size and job dealt out to unlike servers by their nodes; a pattern that repeats may "
         "send "
         "those that ask most to the fastest";
}

std::string bound_caveat(const Scenario& scenario) {
  if (any_open(scenario))
    return "as if the streams that arriving events go to were never idle; the others can do better while they are";
  if (may_refuse(scenario)) return "as if no request were refused: events do not wait for those that are";
  if (may_give_up(scenario))
    return "as if every call were waited for to its end: events go on without those that are given up";
  for (const auto& [name, model] : scenario.models)
    if (std::string why = why_average_shares(scenario, name); !why.empty()) return why;
  return "";
}

}  // namespace saturn
