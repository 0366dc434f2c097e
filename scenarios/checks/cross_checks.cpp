#include "scenarios/checks/cross_checks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/demands/stage_demand.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/fields/scenario_fields.hpp"
#include "scenarios/inputs/named_fields.hpp"
#include "scenarios/sweep/sweep_axes.hpp"
#include "scenarios/sweep/sweep_columns.hpp"

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
  check_service_laws(checked);
  check_ensembles(checked);
  check_balancing(checked);
  check_attached(checked);
  check_costs(checked);
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
                       with_commas(static_cast<std::uint64_t>(most_streams_in_all)) + " are simulated.");
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
                         with_commas(static_cast<std::uint64_t>(most_instances)) + " are simulated.");
      break;
    }
    if (devices <= most_devices) continue;
    checked.refuse(pointer + "/nodes", "scenario.too_many_devices",
                   pointer + " brings the devices to " + with_commas(static_cast<std::uint64_t>(devices)) +
                       "; at most " + with_commas(static_cast<std::uint64_t>(most_devices)) + " are simulated.");
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

namespace {

// Values tried from each end of an axis, and those that are named.
constexpr std::size_t most_tried = 100;
constexpr std::size_t most_named = 5;

std::string refused_words(const SweptColumn& column) {
  const PlaceType& type = column.places.front().type;
  const std::vector<std::string> words =
      type.kind == PlaceKind::flag ? std::vector<std::string>{"true", "false"} : type.choices;
  for (const std::string& value : column.values) {
    if (std::find(words.begin(), words.end(), value) != words.end()) continue;
    const std::string nearest = nearest_name(value, words);
    return column.pointer + " is never " + shown(value) + "; allowed is " + listed(words) +
           (nearest.empty() ? "." : ". Did you mean \"" + nearest + "\"?");
  }
  return {};
}

/// What the field says of one value; empty when it takes it.
std::string complaint_of(const SweptColumn& column, const std::string& value, const ScenarioPlaces& places) {
  for (const NamedPlace& place : column.places) {
    const std::vector<Override> setting{{place.pointer, value}};
    const TriedSettings tried = places.tried(setting);
    if (!tried.complaints.empty()) return tried.complaints.front();
  }
  return {};
}

}  // namespace

std::string refused_values(const SweptColumn& column, const ScenarioPlaces& places) {
  const PlaceType& type = column.places.front().type;
  if (is_word(type.kind)) return refused_words(column);
  // The range of a field of numbers has no gaps: what it refuses lies at the ends.
  std::vector<std::size_t> ascending(column.values.size());
  std::iota(ascending.begin(), ascending.end(), std::size_t{0});
  std::vector<double> numbers;
  for (const std::string& value : column.values) numbers.push_back(cell_of(value, type).number.value_or(0.0));
  std::stable_sort(ascending.begin(), ascending.end(),
                   [&](std::size_t a, std::size_t b) { return numbers[a] < numbers[b]; });
  std::string first_complaint;
  std::vector<std::size_t> refused;
  const auto try_from_an_end = [&](auto begin, auto end) {
    for (std::size_t tried = 0; begin != end && tried < most_tried; ++begin, ++tried) {
      const std::string complaint = complaint_of(column, column.values[*begin], places);
      if (complaint.empty()) return;
      if (first_complaint.empty()) first_complaint = complaint;
      refused.push_back(*begin);
    }
  };
  try_from_an_end(ascending.begin(), ascending.end());
  if (refused.size() < ascending.size())
    try_from_an_end(ascending.rbegin(), ascending.rend() - static_cast<std::ptrdiff_t>(refused.size()));
  if (refused.size() < 2) return first_complaint;
  std::vector<std::string> others;
  for (std::size_t i = 1; i < std::min(refused.size(), most_named); ++i) others.push_back(column.values[refused[i]]);
  return first_complaint + " Refused too: " + joined(others) + (refused.size() > most_named ? " and others." : ".");
}

}  // namespace saturn
