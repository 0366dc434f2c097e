#include "sim/plan/question/free_options.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>

#include "models/queueing/closed_formulas.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/checks/cross_checks.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/fields/quantity_text.hpp"
#include "scenarios/fields/value_range.hpp"
#include "scenarios/fields/value_rules.hpp"
#include "scenarios/inputs/named_fields.hpp"
#include "scenarios/inputs/scenario_places.hpp"
#include "sim/plan/question/free_pointers.hpp"
#include "sim/plan/question/requirement.hpp"
#include "sim/plan/question/search_goal.hpp"

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

/// With what stands in the scenario among them, so that an answer is never worse than what there is.
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

std::string example_range(const PlaceType& type) {
  switch (type.kind) {
    case PlaceKind::whole:
      return "1:8";
    case PlaceKind::number:
      return "0.5:2:0.5";
    case PlaceKind::ratio:
      return "10%:50%:10%";
    case PlaceKind::quantity: {
      const std::string unit = usual_unit(type.dimension);
      return "1" + unit + ":16" + unit + ":x2";
    }
    default:
      return "one,another";
  }
}

namespace {

/// The free variables of all options, and what each of them frees.
class FreeVariables {
 public:
  FreeVariables(const SearchOptions& options, const ReadScenario& read, OptionComplaints& complaints)
      : read_(read),
        places_(read.resolved),
        with_absent_(places_.tried({}).scenario.value_or(read.scenario)),
        complaints_(complaints) {
    for (const std::string& text : options.free)
      if (std::optional<FreePointer> found = find_free_places(text, places_, complaints)) pointers_.push_back(*found);
    devices_ = free_devices(options.gpus, options.node_sizes, read.scenario, with_absent_, complaints);
    note_what_is_freed();
    for (std::size_t i = 0; i < pointers_.size(); ++i) variables_.emplace_back();
    for (const bool last : {false, true})
      for (std::size_t i = 0; i < pointers_.size(); ++i)
        if ((!pointers_[i].range && needs_reach(pointers_[i])) == last) make(i);
    for (const FreeDevices& devices : devices_) variables_.push_back(devices.variable);
    for (std::size_t i = 0; i < pointers_.size(); ++i) check_values(i);
    say_what_is_faster();
  }

  std::vector<FreeVariable> take() && { return std::move(variables_); }

 private:
  /// Two options for one field leave open which of them sets it.
  void note_what_is_freed() {
    std::map<std::string, std::string> owners;
    const auto note = [&](const std::string& pointer, const std::string& option) {
      freed_.insert(pointer);
      const auto [owner, is_new] = owners.emplace(pointer, option);
      return is_new ? std::string() : owner->second;
    };
    const auto refuse = [&](const std::string& option, const std::string& pointer, const std::string& other) {
      complaints_.refuse(option, "free.twice",
                         pointer + " is already chosen by \"" + other + "\"; leave one of the two out.");
    };
    for (const FreePointer& pointer : pointers_)
      for (const NamedPlace& place : pointer.places)
        if (const std::string other = note(place.pointer, pointer.option); !other.empty()) {
          refuse(pointer.option, place.pointer, other);
          break;
        }
    for (const FreeDevices& devices : devices_)
      for (const Override& setting :
           devices.variable.values.empty() ? std::vector<Override>{} : devices.variable.values.front().settings)
        if (const std::string other = note(setting.pointer, devices.option); !other.empty()) {
          refuse(devices.option, setting.pointer, other);
          break;
        }
  }

  void make(std::size_t i) {
    FreePointer& pointer = pointers_[i];
    std::vector<std::string> texts;
    if (pointer.range) {
      texts = listed_values(pointer, complaints_);
    } else {
      texts = default_values(pointer, read_, reach());
      if (texts.empty())
        complaints_.refuse(pointer.option, "free.no_range",
                           "For " + pointer.pattern + " no range goes without saying; write one, as in --free " +
                               pointer.pattern + "=" + example_range(pointer.places.front().type) + ".");
    }
    if (!texts.empty()) drop_impossible_places(pointer, texts.front(), read_, freed_);
    if (texts.size() * pointer.places.size() > most_candidates) {
      complaints_.refuse(pointer.option, "free.too_many",
                         with_commas(texts.size()) + " values for " + with_commas(pointer.places.size()) +
                             " places are more than " + with_commas(most_candidates) +
                             " settings; take fewer values, or name single places.");
      texts.clear();
    }
    variables_[i] = variable_of(pointer, texts, read_.scenario, freed_);
  }

  /// The scenario with everything else at its first value, or at its last.
  Scenario with_others(bool last) const {
    std::vector<Override> settings;
    const auto add = [&](const FreeVariable& variable) {
      if (variable.values.empty()) return;
      const FreeValue& value = last ? variable.values.back() : variable.values.front();
      settings.insert(settings.end(), value.settings.begin(), value.settings.end());
    };
    for (const FreeVariable& variable : variables_) add(variable);
    for (const FreeDevices& devices : devices_) add(devices.variable);
    try {
      return read_.again(settings);
    } catch (const InputError&) {
      return read_.scenario;
    }
  }
  FreeReach reach() const { return {with_others(false), with_others(true)}; }

  void check_values(std::size_t i) {
    if (variables_[i].values.empty()) return;
    OtherFreedom others{.any = pointers_.size() + devices_.size() > 1};
    for (std::size_t k = 0; k < pointers_.size(); ++k)
      others.names = others.names || (k != i && is_word(pointers_[k].places.front().type.kind));
    refuse_impossible_values(pointers_[i], variables_[i], read_, places_, others, complaints_);
  }

  /// Places of the servers whose devices, or nodes, a variable counts with nothing else beside them.
  std::vector<std::size_t> servers_counted(const FreeVariable& variable, const std::string& key) const {
    std::vector<std::size_t> servers;
    for (const Override& setting : variable.values.front().settings) {
      const auto counted = std::find_if(
          read_.scenario.servers.begin(), read_.scenario.servers.end(),
          [&](const Server& server) { return setting.pointer == "/servers/" + std::to_string(server.place) + key; });
      if (counted == read_.scenario.servers.end()) return {};
      servers.push_back(counted->place);
    }
    return servers;
  }

  /// True where it holds for the scenario and with every value that anything else may take.
  bool holds_whatever_else(const std::function<bool(const Scenario&)>& condition) const {
    // At most one number of any field that matters is harmless, so that of many values a few tell.
    constexpr std::size_t most_tried = 64;
    if (!condition(with_absent_)) return false;
    for (const FreeVariable& variable : variables_) {
      const std::size_t tried = std::min(variable.values.size(), most_tried);
      for (std::size_t i = 0; i < tried; ++i) {
        const TriedSettings with = places_.tried(variable.values[variable.values.size() - 1 - i].settings);
        if (!with.scenario || !condition(*with.scenario)) return false;
      }
    }
    return true;
  }

  void say_what_is_faster() {
    if (!complaints_.empty()) return;
    for (FreeVariable& variable : variables_) {
      using Rule = bool (*)(const Scenario&, std::size_t);
      const auto holds = [&](const std::string& key, Rule rule) {
        const std::vector<std::size_t> servers = servers_counted(variable, key);
        return !servers.empty() && holds_whatever_else([&](const Scenario& scenario) {
          return std::all_of(servers.begin(), servers.end(), [&](std::size_t s) { return rule(scenario, s); });
        });
      };
      variable.more_is_faster =
          holds("/devices/count", more_devices_never_slow) || holds("/nodes", more_nodes_never_slow);
      if (!variable.more_is_faster) continue;
      std::sort(variable.values.begin(), variable.values.end(), [](const FreeValue& a, const FreeValue& b) {
        return std::stoull(a.settings.front().value) < std::stoull(b.settings.front().value);
      });
    }
    for (const FreeDevices& devices : devices_) say_what_is_faster(devices);
  }

  /// In nodes of one size more devices are more nodes; with several sizes hosts and network cards differ too, and the
  /// first node of a server may be slower than those that there are.
  void say_what_is_faster(const FreeDevices& devices) {
    const auto found = std::find_if(variables_.begin(), variables_.end(), [&](const FreeVariable& variable) {
      return variable.name == devices.variable.name;
    });
    const bool one_size = std::all_of(found->values.begin(), found->values.end(), [&](const FreeValue& value) {
      return value.node_size == found->values.front().node_size && value.nodes != 0;
    });
    found->more_is_faster = one_size && holds_whatever_else([&](const Scenario& scenario) {
                              return more_nodes_never_slow(scenario, devices.server);
                            });
  }

  const ReadScenario& read_;
  ScenarioPlaces places_;
  Scenario with_absent_;  ///< servers of which none is bought, too
  OptionComplaints& complaints_;
  std::vector<FreePointer> pointers_;
  std::vector<FreeDevices> devices_;
  std::vector<FreeVariable> variables_;
  std::set<std::string> freed_;
};

void refuse_too_many(const CandidateSpace& space, OptionComplaints& complaints) {
  if (space.size() <= most_candidates) return;
  std::string factors;
  const FreeVariable* longest = nullptr;
  double candidates = 1.0;
  for (const FreeVariable& variable : space.variables()) {
    append_part(factors, std::to_string(variable.values.size()), " x ");
    candidates *= static_cast<double>(variable.values.size());
    if (longest == nullptr || variable.values.size() > longest->values.size()) longest = &variable;
  }
  const std::string count =
      candidates < 1e15 ? with_commas(static_cast<std::uint64_t>(candidates)) : shortest(candidates);
  complaints.refuse("--free", "free.too_many",
                    "The free variables have " + factors + " = " + count + " combinations; at most " +
                        with_commas(most_candidates) + " are searched. " + longest->name + " has the most values, " +
                        with_commas(longest->values.size()) + ": take a larger step, or a factor such as \"x2\".");
}

/// The requirements, each with the option that it came from.
struct Required {
  std::vector<Requirement> requirements{};
  std::vector<std::string> options{};

  void add(std::optional<Requirement> requirement, const std::string& option) {
    if (!requirement) return;
    requirements.push_back(std::move(*requirement));
    options.push_back(option);
  }
};

/// Whether a requirement says how fast events or requests have to be, in place of the tolerated slowdown. Shares of
/// calls, as those that are late, do so where jobs wait for their calls; of events that come from outside they speak
/// only where the events were not lost.
bool is_about_speed(const Requirement& requirement, bool open) {
  const Subject subject = requirement.figure->subject;
  const bool of_calls = subject == Subject::jobs && requirement.figure->unit != MeasureUnit::seconds;
  return (subject == Subject::jobs && !(of_calls && open)) || subject == Subject::model ||
         is_one_of(requirement.figure,
                   {measure("slowdown"), measure("throughput"), measure("lost_share"), measure("campaign_time")});
}

Required read_requirements(const SearchOptions& options, const Scenario& scenario, OptionComplaints& complaints) {
  Required required;
  for (const std::string& text : options.require)
    required.add(read_requirement(text, scenario, complaints), "--require " + text);
  if (options.slowdown)
    required.add(read_slowdown(*options.slowdown, complaints), "--slowdown " + *options.slowdown);
  else if (std::any_of(required.requirements.begin(), required.requirements.end(),
                       [&](const Requirement& one) { return is_about_speed(one, all_open(scenario)); }))
    return required;
  else if (all_open(scenario))
    // Events that arrive from outside wait for nobody's core: what counts is that none is lost.
    required.add(Requirement{.figure = measure("lost_share"), .limit = 0.001, .text = "lost_share <= 0.1 %"},
                 "--require");
  else
    required.add(Requirement{.figure = measure("slowdown"), .limit = 0.01, .text = "slowdown <= 1 %"}, "--slowdown");
  return required;
}

}  // namespace

SearchQuestion understand(const SearchOptions& options, const ReadScenario& read) {
  OptionComplaints complaints;
  SearchQuestion question;
  question.space = CandidateSpace(FreeVariables(options, read, complaints).take());
  refuse_too_many(question.space, complaints);
  if (options.events) question.campaign_events = read_events(*options.events, complaints);

  Required required = read_requirements(options, read.scenario, complaints);
  refuse_contradictions(required.requirements, required.options, question.campaign_events, complaints);
  const bool has_events = options.events.has_value();
  for (std::size_t i = 0; i < required.requirements.size(); ++i)
    refuse_unknowable(required.options[i], required.requirements[i].figure, question.space, read, has_events,
                      complaints);
  question.requirements = std::move(required.requirements);

  if (const auto objective = read_objective(options.objective, question.space.size() > 1, complaints)) {
    question.objective = *objective;
    if (options.objective)
      refuse_unknowable("--objective " + *options.objective, objective->figure, question.space, read, has_events,
                        complaints);
  }
  complaints.stop_if_any();
  return question;
}

}  // namespace saturn
