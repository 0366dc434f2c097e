#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "models/words/numbers.hpp"
#include "scenarios/checks/cross_checks.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/fields/quantity_text.hpp"
#include "scenarios/fields/value_range.hpp"
#include "sim/formula/system.hpp"
#include "sim/plan/question/free_options.hpp"
#include "sim/plan/question/free_pointers.hpp"

namespace saturn {

namespace {

using Values = std::vector<std::string>;

std::size_t index_in(const std::string& pointer, std::size_t key) {
  return read_count(split_pointer(pointer)[key]).value_or(0);
}

Values range(const std::string& text) {
  return read_value_range(text, true, std::nullopt, most_free_values).values;
}

std::uint64_t power_of_two_above(std::uint64_t least) {
  std::uint64_t power = 1;
  while (power < least) power *= 2;
  return power;
}

std::vector<std::string> models_of(const FreePointer& pointer) {
  std::vector<std::string> models;
  for (const NamedPlace& place : pointer.places) models.push_back(split_pointer(place.pointer)[1]);
  return models;
}

/// Largest batch that the model's laws are trusted for, fitted ones as far as the reader lets them go.
double trusted_batch(const ReadScenario& read, const std::string& model) {
  double largest = 1e9;
  for (const auto& [type, law] : read.scenario.models.at(model).service) {
    largest = std::min(largest, largest_batch(law));
    const std::string place = "/models/" + escape_pointer(model) + "/service/" + escape_pointer(type);
    for (const UsedFit& fit : read.fits)
      if (fit.batch_items && std::find(fit.places.begin(), fit.places.end(), place) != fit.places.end())
        largest = std::min(largest, 2.0 * fit.batch_items->high);
  }
  return largest;
}

/// Powers of two from the largest request up to 64 times it, as far as the service laws are trusted.
Values batch_sizes(const FreePointer& pointer, const ReadScenario& read) {
  std::uint64_t request = 1;
  double trusted = 1e9;
  for (const std::string& model : models_of(pointer)) {
    request = std::max(request, largest_request(read.scenario, model));
    trusted = std::min(trusted, trusted_batch(read, model));
  }
  const std::uint64_t least = power_of_two_above(request);
  Values values{std::to_string(least)};
  for (std::uint64_t size = 2 * least; size <= 64 * request && static_cast<double>(size) <= trusted; size *= 2)
    values.push_back(std::to_string(size));
  return values;
}

/// The largest power of two that a request may carry and the seven below it, and all that it may carry.
Values request_sizes(const FreePointer& pointer, const Scenario& scenario) {
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  for (const NamedPlace& place : pointer.places) {
    const JobPool& pool = scenario.jobs[index_in(place.pointer, 1)];
    const auto& stage = std::get<InferStage>(pool.event[index_in(place.pointer, 3)]);
    most = std::min(most, std::max<std::uint64_t>(1, stage.items.largest()));
    for (const std::string& model : executed_models(scenario, stage.model))
      most = std::min(most, scenario.models.at(model).max_batch_size);
  }
  std::uint64_t top = power_of_two_above(most);
  if (top > most) top /= 2;
  Values values;
  for (std::uint64_t size = std::max<std::uint64_t>(1, top / 128); size <= top; size *= 2)
    values.push_back(std::to_string(size));
  if (top < most) values.push_back(std::to_string(most));
  return values;
}

/// "8.1 ms": two digits.
std::string as_duration(double seconds) {
  const auto [size, unit] = seconds < 1e-3  ? std::pair{1e-6, " us"}
                            : seconds < 1.0 ? std::pair{1e-3, " ms"}
                                            : std::pair{1.0, " s"};
  const double number = seconds / size;
  const double grid = std::pow(10.0, std::floor(std::log10(number)) - 1.0);
  // Times of a grid below 1 are divided, since tenths are no numbers of a double.
  const double rounded =
      grid < 1.0 ? std::round(number / grid) / std::round(1.0 / grid) : std::round(number / grid) * grid;
  return shortest(rounded) + unit;
}

/// Time of one full batch; of a model that takes batches without limit, of 64 requests [s].
double full_batch_s(const Scenario& scenario, const std::string& name) {
  const Model& model = scenario.models.at(name);
  const double request = static_cast<double>(std::max<std::uint64_t>(1, largest_request(scenario, name)));
  const double most = std::min(static_cast<double>(model.max_batch_size), 64.0 * request);
  double longest = 0.0;
  for (const Server& server : scenario.servers) {
    const auto law = model.service.find(server.devices.type);
    const bool held = std::find(server.models.begin(), server.models.end(), name) != server.models.end();
    if (held && law != model.service.end())
      longest = std::max(longest, mean(law->second, std::min(most, largest_batch(law->second))).value);
  }
  return longest;
}

/// None, and a quarter to four times the time of a full batch.
Values queue_delays(const FreePointer& pointer, const Scenario& scenario) {
  double batch_s = 0.0;
  for (const std::string& model : models_of(pointer)) batch_s = std::max(batch_s, full_batch_s(scenario, model));
  constexpr double longest_s = 1e5;
  if (!(batch_s > 1e-9) || batch_s > longest_s) return {};
  Values values{"0 s"};
  for (const double factor : {0.25, 0.5, 1.0, 2.0, 4.0}) values.push_back(as_duration(factor * batch_s));
  return values;
}

/// Jobs of the freed pools with which the first resource saturates; 0 where none does.
double jobs_at_knee(const FreePointer& pointer, const Scenario& scenario) {
  double jobs = 0.0;
  double streams = 0.0;
  for (const NamedPlace& place : pointer.places) {
    const JobPool& pool = scenario.jobs[index_in(place.pointer, 1)];
    streams += static_cast<double>(stream_count(pool));
    jobs += static_cast<double>(pool.count);
  }
  try {
    const double knee = System(scenario).knee_streams();
    if (!std::isfinite(knee)) return 0.0;
    const double share = streams / stream_count(scenario);
    return knee * share * (jobs / streams) / static_cast<double>(pointer.places.size());
  } catch (const std::invalid_argument&) {
    return 0.0;
  }
}

/// 24 numbers, closer together than a tenth, up to 1.2 times what saturates the first resource.
Values job_counts(const FreePointer& pointer, const FreeReach& reach) {
  constexpr double most_jobs = 2e6;
  constexpr int points = 24;
  const double top = std::min(most_jobs, std::ceil(1.2 * jobs_at_knee(pointer, reach.last)));
  if (top < 1.0) return {};
  if (top <= points) return range("1:" + shortest(top));
  const double low_knee = jobs_at_knee(pointer, reach.first);
  const double low = std::max(1.0, std::floor(std::min(top, 1.2 * (low_knee > 0.0 ? low_knee : top)) / 8.0));
  return range(shortest(low) + ":" + shortest(top) + ":log" + std::to_string(points));
}

/// In the base unit of a quantity; 0 where the text is no number.
double number_of(const std::string& text, const PlaceType& type) {
  return type.kind == PlaceKind::quantity ? read_quantity(text, type.dimension).value
                                          : static_cast<double>(as_count(text));
}

/// Whether what stands in the scenario is a candidate: numbers of jobs follow what saturates, and without the dynamic
/// batcher, which candidates switch on, batch sizes and delays mean something else.
bool is_candidate_as_it_stands(const FreePointer& pointer, const Scenario& scenario) {
  const SearchStart start = pointer.places.front().search;
  if (start == SearchStart::job_counts) return false;
  if (start != SearchStart::batch_sizes && start != SearchStart::queue_delays) return true;
  return std::ranges::all_of(models_of(pointer),
                             [&](const std::string& model) { return scenario.models.at(model).dynamic_batching; });
}

/// With what stands in the scenario among them, so that it is compared with what there is.
Values with_present(Values values, const FreePointer& pointer, const Scenario& scenario) {
  const NamedPlace& first = pointer.places.front();
  const bool alike = std::ranges::all_of(pointer.places, [&](const NamedPlace& p) { return p.text == first.text; });
  if (values.empty() || first.text.empty() || !alike || !is_candidate_as_it_stands(pointer, scenario)) return values;
  const double present = number_of(first.text, first.type);
  const auto place = std::ranges::lower_bound(values, present, {},
                                              [&](const std::string& value) { return number_of(value, first.type); });
  const bool is_new = place == values.end() || number_of(*place, first.type) > present;
  if (present > 0.0 && is_new) values.insert(place, first.text);
  return values;
}

}  // namespace

bool needs_reach(const FreePointer& pointer) {
  const SearchStart start = pointer.places.front().search;
  return start == SearchStart::job_counts || start == SearchStart::request_sizes;
}

Values default_values(const FreePointer& pointer, const ReadScenario& read, const FreeReach& reach) {
  const NamedPlace& place = pointer.places.front();
  if (place.type.kind == PlaceKind::flag) return {"false", "true"};
  if (place.type.kind == PlaceKind::choice) return place.type.choices;
  const auto values = [&]() -> Values {
    switch (place.search) {
      case SearchStart::nothing:
        break;
      case SearchStart::up_to_4:
        return range("1:4");
      case SearchStart::up_to_16:
        return range("1:16");
      case SearchStart::batch_sizes:
        return batch_sizes(pointer, read);
      case SearchStart::queue_delays:
        return queue_delays(pointer, read.scenario);
      case SearchStart::request_sizes:
        return request_sizes(pointer, reach.last);
      case SearchStart::job_counts:
        return job_counts(pointer, reach);
    }
    return {};
  };
  return with_present(values(), pointer, read.scenario);
}

}  // namespace saturn
