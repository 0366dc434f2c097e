#include "scenarios/checks/cross_checks.hpp"

#include <algorithm>
#include <set>

#include "models/words/numbers.hpp"
#include "scenarios/demands/stage_demand.hpp"
#include "scenarios/fields/scenario_fields.hpp"

namespace saturn {

void CheckedScenario::refuse(const std::string& pointer, const char* code, const std::string& text) const {
  complaints.refuse(document.nearest(pointer).place, pointer, code, text);
}

void CheckedScenario::warn(const std::string& pointer, const char* code, const std::string& text) const {
  complaints.warn(document.nearest(pointer).place, pointer, code, text);
}

void check_scenario(const CheckedScenario& checked) {
  check_names(checked);
  check_site_spelling(checked);
  check_sites(checked);
  check_routes(checked);
  check_links(checked);
  check_amounts(checked);
  check_jobs(checked);
  check_batching(checked);
  check_sequences(checked);
  check_service_laws(checked);
  check_ensembles(checked);
  check_balancing(checked);
  check_attached(checked);
  check_costs(checked);
  check_living(checked);
  check_idle_sequences(checked);
  check_platform(checked);
}

std::string model_at(const std::string& name) {
  return "/models/" + escape_pointer(name);
}

namespace {

bool can_take_time(const TimeDistribution& time) {
  return mean(time) > Seconds{0.0};
}

/// The models that limit the requests of ensembles; each ensemble is looked through once.
class SmallestSteps {
 public:
  explicit SmallestSteps(const Scenario& scenario) : scenario_(scenario) {}

  /// Of the models that a request for this one reaches, one with the smallest max_batch_size; itself if it is unknown.
  const std::string& smallest_of(const std::string& model) {
    const auto [entry, is_new] = known_.emplace(model, model);
    if (!is_new) return entry->second;
    const std::vector<std::string> steps = executed_models(scenario_, model);
    const auto least = std::min_element(steps.begin(), steps.end(), [&](const std::string& a, const std::string& b) {
      return scenario_.models.at(a).max_batch_size < scenario_.models.at(b).max_batch_size;
    });
    if (least != steps.end()) entry->second = *least;
    return entry->second;
  }

 private:
  const Scenario& scenario_;
  std::map<std::string, std::string> known_;
};

void check_request(const CheckedScenario& checked, const InferStage& stage, const std::string& pointer,
                   SmallestSteps& steps) {
  const std::string batch_at = pointer + "/request_batch";
  if (!checked.complaints.sound(batch_at) || !checked.complaints.sound(pointer + "/items")) return;
  // Refused with the jobs: a stage that never sends anything.
  if (stage.items.largest() == 0) return;
  const bool given = checked.document.nearest(pointer).find("request_batch") != nullptr;
  const std::string batch = with_commas(stage.request_batch);
  const std::string guilty = given ? batch_at : pointer + "/items";
  const bool varies = !stage.items.is_constant();
  if (stage.request_batch > stage.items.largest()) {
    checked.refuse(batch_at, "scenario.batch_above_items",
                   batch_at + " is " + batch + ", more than the " + with_commas(stage.items.largest()) +
                       (varies ? " items that an event may have" : " items of an event") +
                       "; lower it, or leave it out for one request an event.");
    return;
  }
  const auto requests = static_cast<double>(most_requests(stage));
  if (requests > most_requests_per_event)
    checked.refuse(guilty, "scenario.too_many_requests",
                   pointer + " sends " + (varies ? "up to " : "") + with_commas(static_cast<std::uint64_t>(requests)) +
                       " requests an event; at most " +
                       with_commas(static_cast<std::uint64_t>(most_requests_per_event)) +
                       " are simulated. Raise \"request_batch\".");
  for (const std::string& name : {stage.model, steps.smallest_of(stage.model)}) {
    const auto model = checked.scenario.models.find(name);
    if (model == checked.scenario.models.end()) continue;
    const std::string limit_at = "/models/" + escape_pointer(name) + "/max_batch_size";
    if (!checked.complaints.sound(limit_at) || stage.request_batch <= model->second.max_batch_size) continue;
    checked.refuse(guilty, "scenario.batch_too_large",
                   guilty + " puts " + (varies && !given ? "up to " : "") + batch + " items into a request, but " +
                       limit_at + " is " + with_commas(model->second.max_batch_size) +
                       (given ? "; lower \"request_batch\" or raise that." : "; set \"request_batch\" or raise that."));
    return;
  }
}

void check_event(const CheckedScenario& checked, const JobPool& pool, const std::string& pointer,
                 SmallestSteps& steps) {
  bool takes_time = false;
  double requests = 0.0;
  for (std::size_t k = 0; k < pool.event.size(); ++k) {
    const std::string stage_at = pointer + "/event/" + std::to_string(k);
    if (const auto* cpu = std::get_if<CpuStage>(&pool.event[k])) {
      takes_time = takes_time || can_take_time(cpu->time);
      continue;
    }
    const auto& infer = std::get<InferStage>(pool.event[k]);
    // Every service law takes time, which is checked with the models.
    takes_time = true;
    check_request(checked, infer, stage_at, steps);
    requests += static_cast<double>(most_requests(infer));
  }
  if (!checked.complaints.sound(pointer + "/event")) return;
  if (!takes_time)
    checked.refuse(pointer + "/event", "scenario.no_time",
                   pointer + "/event takes no time at all; give a stage a duration above 0 s.");
  if (requests > most_requests_per_event)
    checked.refuse(pointer + "/event", "scenario.too_many_requests",
                   pointer + "/event sends " + with_commas(static_cast<std::uint64_t>(requests)) +
                       " requests in all; at most " + with_commas(static_cast<std::uint64_t>(most_requests_per_event)) +
                       " are simulated.");
}

void check_totals(const CheckedScenario& checked) {
  double streams = 0.0;
  for (std::size_t i = 0; i < checked.scenario.jobs.size(); ++i) {
    const JobPool& pool = checked.scenario.jobs[i];
    const std::string pointer = "/jobs/" + std::to_string(i);
    if (!checked.complaints.sound(pointer + "/count") || !checked.complaints.sound(pointer + "/threads") ||
        !checked.complaints.sound(pointer + "/streams"))
      continue;
    streams += static_cast<double>(stream_count(pool));
    if (streams <= most_streams_in_all) continue;
    checked.refuse(pointer + "/count", "scenario.too_many_jobs",
                   pointer + " brings the streams (count times " + (pool.streams ? "streams" : "threads") + ") to " +
                       with_commas(static_cast<std::uint64_t>(streams)) + "; at most " +
                       with_commas(static_cast<std::uint64_t>(most_streams_in_all)) + " are allowed.");
    break;
  }
  double devices = 0.0;
  double instances = 0.0;
  for (std::size_t i = 0; i < checked.scenario.servers.size(); ++i) {
    const Server& server = checked.scenario.servers[i];
    const std::string pointer = "/servers/" + std::to_string(i);
    if (!checked.complaints.sound(pointer)) continue;
    const double slices = static_cast<double>(std::max<std::size_t>(server.devices.mig.size(), 1));
    const double added = static_cast<double>(server.nodes) * static_cast<double>(server.devices.count) * slices;
    devices += added;
    for (const std::string& name : server.models)
      if (const auto model = checked.scenario.models.find(name); model != checked.scenario.models.end())
        instances += added * static_cast<double>(model->second.instances);
    if (devices <= most_devices && instances > most_instances) {
      checked.refuse(pointer + "/nodes", "scenario.too_many_instances",
                     pointer + " brings the instances of models to " +
                         with_commas(static_cast<std::uint64_t>(instances)) + "; at most " +
                         with_commas(static_cast<std::uint64_t>(most_instances)) + " are allowed.");
      break;
    }
    if (devices <= most_devices) continue;
    checked.refuse(pointer + "/nodes", "scenario.too_many_devices",
                   pointer + " brings the devices to " + with_commas(static_cast<std::uint64_t>(devices)) +
                       "; at most " + with_commas(static_cast<std::uint64_t>(most_devices)) + " are allowed.");
    break;
  }
}

void check_run_control(const CheckedScenario& checked) {
  const RunControl& run = checked.scenario.run;
  if (!checked.complaints.sound("/run") || run.min_replications <= run.max_replications) return;
  const Node* control = checked.document.root.find("run");
  const bool given = control != nullptr && control->find("min_replications") != nullptr;
  checked.refuse(given ? "/run/min_replications" : "/run/max_replications", "scenario.replications_order",
                 "/run/min_replications is " + with_commas(run.min_replications) +
                     ", above max_replications, which is " + with_commas(run.max_replications) + "; " +
                     (given ? "lower the first or raise the second." : "set min_replications as well."));
}

}  // namespace

void check_amounts(const CheckedScenario& checked) {
  SmallestSteps steps(checked.scenario);
  for (std::size_t i = 0; i < checked.scenario.jobs.size(); ++i)
    check_event(checked, checked.scenario.jobs[i], "/jobs/" + std::to_string(i), steps);
  check_totals(checked);
  check_run_control(checked);
}

void check_costs(const CheckedScenario& checked) {
  if (!checked.scenario.costs.electricity) return;
  std::set<std::string> used;
  for (const Server& server : checked.scenario.servers) used.insert(server.devices.type);
  for (const auto& [name, type] : checked.scenario.devices) {
    const std::string pointer = "/devices/" + escape_pointer(name);
    if (!used.contains(name) || type.power || !checked.complaints.sound(pointer + "/power")) continue;
    checked.refuse(pointer, "scenario.power_unknown",
                   pointer +
                       " has no \"power\", but /costs/electricity is to be paid for what the devices use; give it its "
                       "power, or leave \"electricity\" out.");
  }
}

}  // namespace saturn
