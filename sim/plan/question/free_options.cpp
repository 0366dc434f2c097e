#include "sim/plan/question/free_options.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/checks/cross_checks.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/fields/value_range.hpp"
#include "scenarios/fields/value_rules.hpp"
#include "scenarios/inputs/named_fields.hpp"
#include "scenarios/inputs/scenario_places.hpp"
#include "sim/plan/question/free_pointers.hpp"
#include "sim/plan/question/requirement.hpp"
#include "sim/plan/question/search_goal.hpp"

namespace saturn {

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

  if (const auto objective = options.objective
                                 ? read_objective(*options.objective, complaints)
                                 : usual_objective(question.space, read, !options.gpus.empty(), complaints)) {
    question.objective = *objective;
    if (options.objective)
      refuse_unknowable("--objective " + *options.objective, objective->figure, question.space, read, has_events,
                        complaints);
  }
  complaints.stop_if_any();
  return question;
}

}  // namespace saturn
