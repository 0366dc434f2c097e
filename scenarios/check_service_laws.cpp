#include <algorithm>

#include "models/words/numbers.hpp"
#include "scenarios/cross_checks.hpp"
#include "scenarios/value_rules.hpp"

namespace saturn {

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
  for (std::size_t i = 0; i < checked.scenario.jobs.size(); ++i) {
    const std::vector<Stage>& event = checked.scenario.jobs[i].event;
    for (std::size_t k = 0; k < event.size(); ++k) {
      const auto* stage = std::get_if<InferStage>(&event[k]);
      const std::string pointer = "/jobs/" + std::to_string(i) + "/event/" + std::to_string(k);
      if (stage == nullptr || !checked.complaints.sound(pointer)) continue;
      called[stage->model].include(requests_of(checked, *stage, pointer));
    }
  }
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
  if (!model.dynamic_batching) return sizes;
  sizes.largest = static_cast<double>(model.max_batch_size) * requests.longest;
  sizes.guilty = "/models/" + escape_pointer(name) + "/max_batch_size";
  sizes.reason = sizes.guilty + " is " + with_commas(model.max_batch_size) +
                 (requests.longest != 1.0 ? ", of items of length up to " + shortest(requests.longest) : "");
  return sizes;
}

void check_reach(const CheckedScenario& checked, const ServiceLaw& law, const std::string& law_at, const Sizes& sizes) {
  const double point = law.points.back().items;
  checked.refuse(sizes.guilty, "scenario.law_extrapolated",
                 sizes.reason + ", more than twice the largest measured point of " + law_at + ", " + shortest(point) +
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

void check_host(const CheckedScenario& checked, const ServiceLaw& law, const std::string& law_at, const Sizes& sizes) {
  // Host part and T(b) are straight between the measured points, so that the first is as large as the second somewhere
  // only if it is so at an end or at a point.
  std::vector<double> corners{1.0, sizes.smallest, sizes.largest};
  for (const MeasuredPoint& point : law.points)
    if (point.items < sizes.largest) corners.push_back(point.items);
  for (const double items : corners) {
    const double host_s = (law.host.per_batch + items * law.host.per_item).value;
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
    check_range(checked, law_at, sizes);
    if (sizes.largest > largest_batch(law))
      check_reach(checked, law, law_at, sizes);
    else
      check_host(checked, law, law_at, sizes);
  }
}

}  // namespace

void check_service_laws(const CheckedScenario& checked) {
  const std::map<std::string, Requests> requests = requests_by_model(checked);
  for (const auto& [name, model] : checked.scenario.models) {
    const auto found = requests.find(name);
    check_model(checked, name, model, found == requests.end() ? Requests{} : found->second);
  }
}

}  // namespace saturn
