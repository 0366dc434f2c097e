#include <algorithm>
#include <numeric>
#include <set>

#include "models/words/numbers.hpp"
#include "scenarios/checks/cross_checks.hpp"
#include "scenarios/fields/value_rules.hpp"
#include "scenarios/scenario_traits.hpp"

namespace saturn {

namespace {

/// Keys that only the dynamic batcher heeds, where they say more than their default.
void check_without_batcher(const CheckedScenario& checked, const std::string& name, const Model& model) {
  const auto refuse = [&](const char* key) {
    const std::string pointer = model_at(name) + "/" + key;
    if (!checked.complaints.sound(pointer)) return;
    checked.refuse(pointer, "scenario.needs_dynamic_batching",
                   pointer +
                       " is for the dynamic batcher, which this model does not use; add \"dynamic_batching\": true "
                       "to the model, or leave \"" +
                       key + "\" out.");
  };
  if (!model.preferred_batch_size.empty()) refuse("preferred_batch_size");
  if (model.max_queue_delay > Seconds{0.0}) refuse("max_queue_delay");
  if (model.forming != BatchForming::when_idle) refuse("batch_forming");
  if (model.priority_levels > 1) refuse("priority_levels");
  if (model.priority_levels <= 1 && model.default_priority_level) refuse("default_priority_level");
  if (model.queue_policy.max_queue_size || model.queue_policy.timeout) refuse("queue_policy");
}

}  // namespace

void check_preferred_sizes(const CheckedScenario& checked, const std::string& name, const Model& model) {
  const std::string list_at = model_at(name) + "/preferred_batch_size";
  std::set<std::uint64_t> seen;
  for (std::size_t i = 0; i < model.preferred_batch_size.size(); ++i) {
    const std::uint64_t size = model.preferred_batch_size[i];
    const std::string pointer = list_at + "/" + std::to_string(i);
    if (!checked.complaints.sound(pointer)) continue;
    if (!seen.insert(size).second)
      checked.refuse(pointer, "scenario.preferred_size_twice",
                     pointer + " is " + with_commas(size) + " a second time; name each size once.");
    else if (checked.complaints.sound(model_at(name) + "/max_batch_size") && size > model.max_batch_size)
      checked.refuse(pointer, "scenario.preferred_size_too_large",
                     pointer + " is " + with_commas(size) + ", above max_batch_size, which is " +
                         with_commas(model.max_batch_size) + "; lower the first or raise the second.");
  }
}

namespace {

void check_levels(const CheckedScenario& checked, const std::string& name, const Model& model) {
  const std::string pointer = model_at(name) + "/default_priority_level";
  if (!model.default_priority_level || !checked.complaints.sound(pointer) ||
      !checked.complaints.sound(model_at(name) + "/priority_levels"))
    return;
  if (*model.default_priority_level <= model.priority_levels) return;
  checked.refuse(pointer, "scenario.level_too_high",
                 pointer + " is " + with_commas(*model.default_priority_level) + ", above priority_levels, which is " +
                     with_commas(model.priority_levels) + "; lower the first or raise the second.");
}

void check_timeout(const CheckedScenario& checked, const std::string& name, const Model& model) {
  const std::string pointer = model_at(name) + "/queue_policy";
  if (model.queue_policy.timeout || model.queue_policy.timeout_action == TimeoutAction::reject) return;
  if (!checked.complaints.sound(pointer)) return;
  checked.refuse(pointer + "/timeout_action", "scenario.no_timeout",
                 pointer +
                     "/timeout_action says what becomes of requests that time out, but there is no \"timeout\"; "
                     "add one, or leave \"timeout_action\" out.");
}

/// What bounds the priority of requests for a model: the fewest levels among the models that they reach and that have
/// levels at all.
struct PriorityBound {
  std::uint64_t levels = 1;
  std::string levels_at;  ///< empty when there are no levels
  bool known = true;      ///< no model's levels were refused
};

PriorityBound priority_bound(const CheckedScenario& checked, const std::string& called) {
  PriorityBound bound;
  for (const std::string& name : executed_models(checked.scenario, called)) {
    const std::uint64_t levels = checked.scenario.models.at(name).priority_levels;
    const std::string levels_at = model_at(name) + "/priority_levels";
    bound.known = bound.known && checked.complaints.sound(levels_at);
    if (levels <= 1 || (!bound.levels_at.empty() && levels >= bound.levels)) continue;
    bound.levels = levels;
    bound.levels_at = levels_at;
  }
  bound.known = bound.known && checked.scenario.models.contains(called);
  return bound;
}

void check_priority(const CheckedScenario& checked, const InferStage& stage, const std::string& pointer,
                    std::map<std::string, PriorityBound>& bounds) {
  const std::string priority_at = pointer + "/priority";
  if (!stage.priority || !checked.complaints.sound(priority_at)) return;
  auto found = bounds.find(stage.model);
  if (found == bounds.end()) found = bounds.emplace(stage.model, priority_bound(checked, stage.model)).first;
  const PriorityBound& bound = found->second;
  if (!bound.known || (!bound.levels_at.empty() && *stage.priority <= bound.levels)) return;
  if (bound.levels_at.empty())
    checked.refuse(priority_at, "scenario.no_priority_levels",
                   priority_at + " is " + with_commas(*stage.priority) + ", but the model " + shown(stage.model) +
                       " has no levels of priority; give it \"priority_levels\", or leave \"priority\" out.");
  else
    checked.refuse(priority_at, "scenario.priority_too_high",
                   priority_at + " is " + with_commas(*stage.priority) + ", but " + bound.levels_at + " is " +
                       with_commas(bound.levels) + "; lower the first or raise the second.");
}

void check_slices(const CheckedScenario& checked, const Server& server, const std::string& pointer) {
  const std::string mig_at = pointer + "/devices/mig";
  if (!checked.complaints.sound(mig_at)) return;
  const double sum = std::accumulate(server.devices.mig.begin(), server.devices.mig.end(), 0.0);
  constexpr double rounding = 1e-9;
  if (sum <= 1.0 + rounding) return;
  checked.refuse(
      mig_at, "scenario.slices_above_device",
      mig_at + " adds up to " + shortest(sum) + "; the slices of a device have at most 1 in sum: lower or drop one.");
}

}  // namespace

void check_batching(const CheckedScenario& checked) {
  const Scenario& scenario = checked.scenario;
  for (const auto& [name, model] : scenario.models) {
    // An ensemble with keys of the batcher is refused as such.
    if (!model.ensemble.empty() || !checked.complaints.complete(model_at(name))) continue;
    if (model.sequence_batching || !checked.complaints.sound(model_at(name) + "/sequence_batching")) continue;
    if (!model.dynamic_batching && checked.complaints.sound(model_at(name) + "/dynamic_batching")) {
      check_without_batcher(checked, name, model);
    } else {
      check_preferred_sizes(checked, name, model);
      check_levels(checked, name, model);
      check_timeout(checked, name, model);
    }
  }
  std::map<std::string, PriorityBound> bounds;
  for (const ModelCall& call : model_calls(scenario)) check_priority(checked, call.infer, call.pointer(), bounds);
  for (std::size_t i = 0; i < scenario.servers.size(); ++i)
    check_slices(checked, scenario.servers[i], "/servers/" + std::to_string(i));
}

namespace {

std::string server_at(std::size_t i) {
  return "/servers/" + std::to_string(i);
}

/// Servers that share a model form one balancer's pool.
void check_agreement(const CheckedScenario& checked) {
  std::map<std::string, std::size_t> first;
  const std::vector<Server>& servers = checked.scenario.servers;
  for (std::size_t i = 0; i < servers.size(); ++i) {
    if (!checked.complaints.sound(server_at(i))) continue;
    for (const std::string& model : servers[i].models) {
      const std::size_t before = first.emplace(model, i).first->second;
      const bool same_dispatch = servers[before].dispatch == servers[i].dispatch;
      if (same_dispatch && servers[before].balancing == servers[i].balancing) continue;
      const std::string key = same_dispatch ? "balancing" : "dispatch";
      checked.refuse(server_at(i) + "/" + key,
                     same_dispatch ? "scenario.balancing_disagrees" : "scenario.dispatch_disagrees",
                     server_at(i) + " and " + server_at(before) + " both hold " + shown(model) +
                         " but spread its requests differently; give both the same \"" + key + "\".");
      break;
    }
  }
}

void check_central_queue(const CheckedScenario& checked, std::size_t i) {
  const std::vector<Server>& servers = checked.scenario.servers;
  const Server& server = servers[i];
  const std::string pointer = server_at(i);
  if (server.nic)
    checked.refuse(pointer + "/nic", "scenario.central_queue_with_nic",
                   pointer +
                       "/nic limits each node, but with \"balancing\": \"central_queue\" a request has reached no "
                       "node while it waits; leave \"nic\" out, or balance per request.");
  if (server.devices.interference > 0.0 && server.nodes > 1)
    checked.refuse(pointer + "/devices/interference", "scenario.central_queue_with_interference",
                   pointer +
                       "/devices/interference is between the devices of one node, but with \"balancing\": "
                       "\"central_queue\" the devices of all nodes serve one queue and are not told apart by nodes; "
                       "leave it out, or balance per request.");
  if (server.devices.dispatch == DeviceDispatch::per_device_queue)
    checked.refuse(pointer + "/devices/dispatch", "scenario.central_queue_with_device_queues",
                   pointer +
                       "/devices/dispatch gives each device a queue, but with \"balancing\": \"central_queue\" the "
                       "devices of all nodes serve one queue; leave one of the two out.");
  if (checked.document.nearest(pointer).find("dispatch") != nullptr)
    checked.warn(pointer + "/dispatch", "scenario.central_queue_with_dispatch",
                 pointer +
                     "/dispatch has no meaning with \"balancing\": \"central_queue\", where the next free "
                     "instance takes a request.");
  for (std::size_t k = 0; k < servers.size(); ++k) {
    const bool said_there = k < i && servers[k].balancing == Balancing::central_queue;
    if (k == i || said_there || !checked.complaints.sound(server_at(k))) continue;
    const auto shared = std::find_first_of(server.models.begin(), server.models.end(), servers[k].models.begin(),
                                           servers[k].models.end());
    if (shared == server.models.end()) continue;
    checked.refuse(pointer + "/balancing", "scenario.central_queue_shared",
                   pointer + " and " + server_at(k) + " both hold " + shown(*shared) +
                       ", but a central queue joins the nodes of one server only; make one server of them, or balance "
                       "per request.");
    return;
  }
}

}  // namespace

void check_balancing(const CheckedScenario& checked) {
  const std::vector<Server>& servers = checked.scenario.servers;
  for (std::size_t i = 0; i < servers.size(); ++i) {
    const DevicePool& devices = servers[i].devices;
    if (devices.interference == 0.0 || devices.mig.empty() || !checked.complaints.sound(server_at(i))) continue;
    checked.refuse(server_at(i) + "/devices/interference", "scenario.interference_with_slices",
                   server_at(i) +
                       "/devices/interference is measured between whole devices and says nothing of slices; leave it "
                       "or \"mig\" out.");
  }
  for (std::size_t i = 0; i < servers.size(); ++i)
    if (servers[i].balancing == Balancing::central_queue && checked.complaints.sound(server_at(i)))
      check_central_queue(checked, i);
  check_agreement(checked);
}

namespace {

/// The requests that a model has to serve, for itself or as an ensemble's step.
struct Requests {
  double shortest = 1.0;  ///< length of items
  double longest = 1.0;
  double largest = 1.0;  ///< items times length
  std::string guilty;    ///< the key that makes the largest so large; empty when there are no requests
  std::string reason;

  void include(const Requests& others) {
    shortest = std::min(shortest, others.shortest);
    longest = std::max(longest, others.longest);
    if (!guilty.empty() && others.largest <= largest) return;
    largest = others.largest;
    guilty = others.guilty;
    reason = others.reason;
  }
};

Requests requests_of(const CheckedScenario& checked, const InferStage& stage, const std::string& pointer) {
  Requests requests;
  if (!stage.item_lengths.empty()) {
    const auto [least, most] = std::minmax_element(stage.item_lengths.begin(), stage.item_lengths.end());
    requests.shortest = *least;
    requests.longest = *most;
  }
  const bool given = checked.document.nearest(pointer).find("request_batch") != nullptr;
  requests.largest = std::max(1.0, static_cast<double>(stage.request_batch) * requests.longest);
  requests.guilty = pointer + (given ? "/request_batch" : "/items");
  requests.reason = requests.guilty + " makes requests of " + with_commas(stage.request_batch) + " items" +
                    (requests.longest != 1.0 ? " of length up to " + shortest(requests.longest) : "");
  return requests;
}

std::map<std::string, Requests> requests_by_model(const CheckedScenario& checked) {
  std::map<std::string, Requests> called;
  for (const ModelCall& call : model_calls(checked.scenario))
    if (checked.complaints.sound(call.pointer()))
      called[call.infer.model].include(requests_of(checked, call.infer, call.pointer()));
  std::map<std::string, Requests> executed;
  for (const auto& [name, requests] : called)
    for (const std::string& model : executed_models(checked.scenario, name)) executed[model].include(requests);
  return executed;
}

/// The sizes that the batches of a model have, in items of length 1, and what makes the largest so large.
struct Sizes {
  double smallest = 1.0;
  double largest = 1.0;
  std::string guilty;
  std::string reason;
};

Sizes sizes_of(const std::string& name, const Model& model, const Requests& requests) {
  Sizes sizes{requests.shortest, requests.largest, requests.guilty, requests.reason};
  if (!joins_requests(model)) return sizes;
  sizes.largest = static_cast<double>(batch_limit(model)) * requests.longest;
  const bool by_slots = batch_limit(model) < model.max_batch_size;
  sizes.guilty = "/models/" + escape_pointer(name) + (by_slots ? "/sequence_batching/candidates" : "/max_batch_size");
  sizes.reason = sizes.guilty + " is " + with_commas(batch_limit(model)) +
                 (requests.longest != 1.0 ? ", of items of length up to " + shortest(requests.longest) : "");
  return sizes;
}

void check_reach(const CheckedScenario& checked, const ServiceLaw& law, const std::string& law_at, const Sizes& sizes) {
  const double point = law.points.back().items;
  const double executed = padded_items(law, sizes.largest);
  checked.refuse(sizes.guilty, "scenario.law_extrapolated",
                 sizes.reason + (executed > sizes.largest ? ", padded to " + shortest(executed) : "") +
                     ", more than twice the largest measured point of " + law_at + ", " + shortest(point) +
                     " items; what a batch above " + shortest(largest_batch(law)) +
                     " takes is not known: measure a larger one, or lower the size.");
}

/// The range that a fit stands for, where the law is one.
std::optional<ParameterInterval> fitted_range(const CheckedScenario& checked, const std::string& law_at) {
  for (const UsedFit& fit : checked.fits)
    if (std::find(fit.places.begin(), fit.places.end(), law_at) != fit.places.end()) return fit.batch_items;
  return std::nullopt;
}

/// A fit is trusted as far as measured points are: with a warning up to twice the largest size, and no further.
void check_range(const CheckedScenario& checked, const std::string& law_at, const Sizes& sizes) {
  const std::optional<ParameterInterval> range = fitted_range(checked, law_at);
  if (!range || sizes.guilty.empty() || (sizes.largest >= range->low && sizes.largest <= range->high)) return;
  const std::string fitted_sizes = range->low == range->high
                                       ? shortest(range->low) + " alone"
                                       : shortest(range->low) + " to " + shortest(range->high) + " items";
  const std::string fitted = law_at + " was fitted to batches of " + fitted_sizes;
  if (sizes.largest < range->low)
    checked.warn(sizes.guilty, "scenario.extrapolated",
                 sizes.reason + ", but " + fitted +
                     ": what smaller ones take is EXTRAPOLATED; measure batches as small as those.");
  else if (sizes.largest > 2.0 * range->high)
    checked.refuse(sizes.guilty, "scenario.law_extrapolated",
                   sizes.reason + ", more than twice the largest size of the fit: " + fitted + "; what a batch above " +
                       shortest(2.0 * range->high) +
                       " takes is not known: measure a larger one and fit again, or lower the size.");
  else
    checked.warn(
        sizes.guilty, "scenario.extrapolated",
        sizes.reason + ", but " + fitted +
            ": what larger ones take is EXTRAPOLATED; measure larger batches and fit again, or lower the size.");
}

/// Every batch has a size that it is padded to, each size once.
void check_padding(const CheckedScenario& checked, const ServiceLaw& law, const std::string& law_at,
                   const Sizes& sizes) {
  const std::string pointer = law_at + "/padded_to";
  if (law.padded_to.empty() || !checked.complaints.sound(pointer)) return;
  const auto twice = std::adjacent_find(law.padded_to.begin(), law.padded_to.end());
  if (twice != law.padded_to.end())
    checked.refuse(pointer, "scenario.padded_size_twice",
                   pointer + " names " + shortest(*twice) + " items twice; name each size once.");
  else if (law.padded_to.back() < sizes.largest)
    checked.refuse(pointer, "scenario.padding_too_small",
                   pointer + " ends at " + shortest(law.padded_to.back()) + " items, but " + sizes.reason +
                       ": what such a batch is padded to is not known; add a size that holds it, or lower that.");
}

void check_host(const CheckedScenario& checked, const ServiceLaw& law, const std::string& law_at, const Sizes& sizes) {
  // Host part and T(b) are straight between the measured points, so that the first is as large as the second somewhere
  // only if it is so at an end or at a point.
  std::vector<double> corners{1.0, sizes.smallest, padded_items(law, sizes.largest)};
  for (const MeasuredPoint& point : law.points)
    if (point.items < sizes.largest) corners.push_back(point.items);
  for (const double items : corners) {
    const double host_s = (law.host.per_batch + padded_items(law, items) * law.host.per_item).value;
    const double whole_s = mean(law, items).value;
    constexpr double rounding = 1e-9;
    if (host_s < whole_s * (1.0 - rounding)) continue;
    checked.refuse(law_at + "/host", "scenario.host_above_law",
                   law_at + "/host takes " + quantity_text(host_s, Dimension::duration) + " of a batch of " +
                       shortest(items) + ", but the whole batch takes " + quantity_text(whole_s, Dimension::duration) +
                       "; the host part is contained in T(b) and leaves the device a part: lower it.");
    return;
  }
}

void check_model(const CheckedScenario& checked, const std::string& name, const Model& model,
                 const Requests& requests) {
  const std::string model_at = "/models/" + escape_pointer(name);
  const std::string service_at = model_at + "/service";
  if (checked.complaints.sound(service_at) && model.service.empty() && model.ensemble.empty())
    checked.refuse(service_at, "scenario.missing_service_law",
                   service_at +
                       " is empty; say how long a batch takes on a device type, for example { \"t4\": { "
                       "\"per_item\": \"32.2 us\" } }.");
  const Sizes sizes = sizes_of(name, model, requests);
  for (const auto& [type, law] : model.service) {
    const std::string law_at = service_at + "/" + escape_pointer(type);
    if (!checked.complaints.sound(law_at)) continue;
    if (mean(law, 1.0) == Seconds{0.0}) {
      checked.refuse(law_at, "scenario.no_time",
                     law_at + " takes no time; give \"per_batch\" or \"per_item\" a duration above 0 s.");
      continue;
    }
    if (!checked.complaints.sound(model_at + "/max_batch_size") ||
        !checked.complaints.sound(model_at + "/dynamic_batching"))
      continue;
    if (law.per_request > Seconds{0.0} && !joins_requests(model))
      checked.warn(law_at + "/per_request", "scenario.nobody_joins",
                   law_at +
                       "/per_request is for requests that join a batch, but the model does not batch: give it "
                       "\"dynamic_batching\": true, or leave the key out.");
    check_range(checked, law_at, sizes);
    check_padding(checked, law, law_at, sizes);
    if (padded_items(law, sizes.largest) > largest_batch(law))
      check_reach(checked, law, law_at, sizes);
    else
      check_host(checked, law, law_at, sizes);
  }
}

/// Workers have host parts to share.
void check_batch_workers(const CheckedScenario& checked, const Server& server, const std::string& pointer) {
  const std::string workers_at = pointer + "/batch_workers";
  if (!server.batch_workers || !checked.complaints.sound(workers_at)) return;
  for (const std::string& name : server.models) {
    const auto model = checked.scenario.models.find(name);
    // What was refused may have one.
    if (model == checked.scenario.models.end() || !checked.complaints.sound(model_at(name))) return;
    const auto law = model->second.service.find(server.devices.type);
    if (law != model->second.service.end() && has_host_part(law->second)) return;
  }
  checked.refuse(workers_at, "scenario.batch_workers_without_host_part",
                 workers_at + " is for the host parts of batches, but no model of this server has one on " +
                     shown(server.devices.type) +
                     "; give a service law \"host\", or points with \"device\", or leave \"batch_workers\" out.");
}

/// Where every model has its device for itself, one batch at a time, nobody contends.
void check_contention(const CheckedScenario& checked, const std::string& type, const DeviceType& device) {
  if (device.contention == 0.0 && device.contention_per_batch == Seconds{0.0}) return;
  const std::string pointer = "/devices/" + escape_pointer(type);
  if (!checked.complaints.sound(pointer)) return;
  bool used = false;
  for (const Server& server : checked.scenario.servers) {
    if (server.devices.type != type) continue;
    used = true;
    std::size_t executed = 0;
    for (const std::string& name : server.models) {
      const auto model = checked.scenario.models.find(name);
      if (model == checked.scenario.models.end()) return;
      if (!model->second.ensemble.empty()) continue;
      if (model->second.execution == ExecutionPolicy::per_instance) return;
      ++executed;
    }
    if (executed > 1) return;
  }
  if (!used) return;
  const std::string key = device.contention > 0.0 ? "/contention" : "/contention_per_batch";
  checked.warn(pointer + key, "scenario.never_contended",
               pointer + key +
                   " is for batches that find others at their device, but its only model has \"execution\": "
                   "\"one_per_device\", so that none ever does; leave one of the two out.");
}

}  // namespace

void check_service_laws(const CheckedScenario& checked) {
  const std::map<std::string, Requests> requests = requests_by_model(checked);
  for (const auto& [name, model] : checked.scenario.models) {
    const auto found = requests.find(name);
    check_model(checked, name, model, found == requests.end() ? Requests{} : found->second);
  }
  for (std::size_t i = 0; i < checked.scenario.servers.size(); ++i)
    check_batch_workers(checked, checked.scenario.servers[i], server_at(i));
  for (const auto& [type, device] : checked.scenario.devices) check_contention(checked, type, device);
}

}  // namespace saturn
