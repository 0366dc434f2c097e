#include "sim/plan/question/free_pointers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <stdexcept>

#include "models/words/texts.hpp"
#include "scenarios/checks/cross_checks.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/fields/table_walk.hpp"
#include "scenarios/fields/value_range.hpp"
#include "scenarios/fields/value_rules.hpp"
#include "scenarios/inputs/named_fields.hpp"
#include "scenarios/scenario_traits.hpp"

namespace saturn {

namespace {

/// True where nobody chooses: how a scenario is simulated, what things are called, where prices are from.
bool is_no_choice(const std::string& pattern) {
  const std::vector<TablePlace> places = places_along(pattern);
  return std::any_of(places.begin(), places.end(),
                     [](const TablePlace& place) { return place.field != nullptr && !place.field->chosen; });
}

/// Fields that somebody may have meant who did not write a pointer.
std::string likely_pointers(const std::string& wrong, const ScenarioPlaces& places) {
  if (wrong == "gpus" || wrong == "gpu") return "; for devices write --gpus 1:8.";
  const std::string meant =
      suggest_pointers(wrong, places, [](const std::string& pattern) { return !is_no_choice(pattern); });
  return meant.empty() ? "; write a field such as /jobs/0/count." : meant;
}

/// As an override spells it, so that a name like "1" stays a text.
std::string as_setting(const std::string& text, PlaceKind kind) {
  if (kind != PlaceKind::text && kind != PlaceKind::choice) return text;
  const bool is_json = text.find_first_not_of("-0123456789.eE+") == std::string::npos || text == "true" ||
                       text == "false" || text == "null";
  return is_json ? "\"" + text + "\"" : text;
}

bool sends_to(const Scenario& scenario, const InferStage& stage, const std::string& model) {
  const std::vector<std::string> reached = executed_models(scenario, stage.model);
  return std::find(reached.begin(), reached.end(), model) != reached.end();
}

/// True where the requests that reach the model are chosen too.
bool has_free_requests(const Scenario& scenario, const std::string& model, const std::set<std::string>& freed) {
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j)
    for (std::size_t k = 0; k < scenario.jobs[j].event.size(); ++k) {
      const auto* stage = std::get_if<InferStage>(&scenario.jobs[j].event[k]);
      const std::string at = "/jobs/" + std::to_string(j) + "/event/" + std::to_string(k);
      if (stage != nullptr && freed.contains(at + "/request_batch") && sends_to(scenario, *stage, model)) return true;
    }
  return false;
}

/// True where a value means nothing unless the model's dynamic batcher, which is off, is switched on.
bool needs_batcher(const std::string& pointer, const std::string& value, const Scenario& scenario,
                   const std::set<std::string>& freed) {
  const std::vector<std::string> keys = split_pointer(pointer);
  if (keys.size() != 3 || keys[0] != "models") return false;
  const auto model = scenario.models.find(keys[1]);
  if (model == scenario.models.end() || joins_requests(model->second) || !model->second.ensemble.empty()) return false;
  if (keys[2] == "max_queue_delay" || keys[2] == "batch_forming") return true;
  if (keys[2] != "max_batch_size") return false;
  return has_free_requests(scenario, keys[1], freed) || as_count(value) > largest_request(scenario, keys[1]);
}

FreeValue value_of(const FreePointer& pointer, const std::string& text, const Scenario& scenario,
                   const std::set<std::string>& freed) {
  FreeValue value{.text = text};
  for (const NamedPlace& place : pointer.places) {
    value.settings.push_back({place.pointer, as_setting(text, place.type.kind)});
    const std::string batcher = place.pointer.substr(0, place.pointer.rfind('/')) + "/dynamic_batching";
    if (needs_batcher(place.pointer, text, scenario, freed) && !freed.contains(batcher))
      value.settings.push_back({batcher, "true"});
  }
  return value;
}

/// Complaints that only another name would heal, and those that nothing does.
bool is_final(const std::string& code, bool only_names) {
  constexpr std::array never{"scenario.unknown_site", "scenario.unknown_device", "scenario.unknown_model",
                             "scenario.ensemble_with_own"};
  constexpr std::array by_names{"scenario.missing_link", "scenario.missing_service_law", "scenario.unserved_model",
                                "scenario.attached_elsewhere"};
  return std::find(never.begin(), never.end(), code) != never.end() ||
         (only_names && std::find(by_names.begin(), by_names.end(), code) != by_names.end());
}

/// How many of a variable's values are refused, and why the first of them is.
struct Refusals {
  std::size_t count = 0;
  std::string first{};

  void add(const std::string& why) {
    if (!why.empty() && count++ == 0) first = why;
  }
  /// @param all  every value was looked at
  std::string text(bool all) const {
    if (count == 1) return first;
    if (!all) return first + " (More values are refused too.)";
    const std::string others = std::to_string(count - 1) + (count == 2 ? " more value is" : " more values are");
    return first + " (" + others + " refused too.)";
  }
};

}  // namespace

std::uint64_t as_count(const std::string& text) {
  std::uint64_t count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return count;
}

std::optional<FreePointer> find_free_places(const std::string& text, const ScenarioPlaces& places,
                                            OptionComplaints& complaints) {
  const std::size_t equals = text.find('=');
  FreePointer pointer{.option = "--free " + text, .pattern = text.substr(0, equals)};
  if (equals != std::string::npos) pointer.range = text.substr(equals + 1);
  const auto refuse = [&](const char* code, const std::string& sentence) {
    complaints.refuse(pointer.option, code, sentence);
    return std::nullopt;
  };
  if (first_invalid_utf8(text) != std::string::npos)
    return refuse("free.unknown_pointer", "The option is not valid UTF-8 text.");
  if (!pointer.pattern.starts_with('/') || pointer.pattern == "/")
    return refuse("free.unknown_pointer",
                  shown(pointer.pattern) + " is no JSON pointer" +
                      (pointer.pattern.empty() || pointer.pattern == "/" ? "; write a field such as /jobs/0/count."
                                                                         : likely_pointers(pointer.pattern, places)));
  if (is_no_choice(pointer.pattern))
    return refuse("free.not_allowed", pointer.pattern +
                                          " is a name, or says how the scenario is simulated; nothing is "
                                          "gained by another one. Use --set to change it.");
  NamedPlaces named = places.named(pointer.pattern);
  if (named.places.empty()) return refuse("free.unknown_pointer", named.fault);
  if (named.places.front().type.kind == PlaceKind::structure)
    return refuse("free.not_numeric",
                  pointer.pattern + " holds a list or an object; name a field in it, as in /jobs/0/count.");
  pointer.places = std::move(named.places);
  return pointer;
}

std::vector<std::string> listed_values(const FreePointer& pointer, OptionComplaints& complaints) {
  const PlaceType& type = pointer.places.front().type;
  const bool has_range = pointer.range->find(':') != std::string::npos && pointer.range->find(',') == std::string::npos;
  if (is_word(type.kind) && has_range) {
    complaints.refuse(pointer.option, "free.not_numeric",
                      pointer.pattern + " is not numeric, so that it has no range; list its values, as in " +
                          pointer.pattern + "=" +
                          (type.kind == PlaceKind::flag     ? "false,true"
                           : type.kind == PlaceKind::choice ? type.choices.front() + "," + type.choices.back()
                                                            : "one,another") +
                          ".");
    return {};
  }
  const ValueRange range =
      read_value_range(*pointer.range, type.kind == PlaceKind::whole, dimension_of(type), most_free_values);
  if (!range.fault.empty())
    complaints.refuse(pointer.option, range.empty ? "free.empty_range" : "free.bad_range", range.fault);
  return range.values;
}

FreeVariable variable_of(const FreePointer& pointer, const std::vector<std::string>& texts, const Scenario& scenario,
                         const std::set<std::string>& freed) {
  FreeVariable variable{.name = pointer.pattern};
  for (const std::string& text : texts) variable.values.push_back(value_of(pointer, text, scenario, freed));
  return variable;
}

void drop_impossible_places(FreePointer& pointer, const std::string& value, const ReadScenario& read,
                            const std::set<std::string>& freed) {
  if (pointer.pattern.find('*') == std::string::npos) return;
  const auto impossible = [&](const NamedPlace& place) {
    const FreePointer alone{pointer.option, pointer.pattern, pointer.range, {place}};
    return can_never_stand(place, read, value_of(alone, value, read.scenario, freed).settings);
  };
  std::erase_if(pointer.places, impossible);
}

void refuse_impossible_values(const FreePointer& pointer, const FreeVariable& variable, const ReadScenario& read,
                              const ScenarioPlaces& places, const OtherFreedom& others, OptionComplaints& complaints) {
  // The range of a field of numbers has no gaps, so that of many values the least and the greatest tell.
  const std::size_t most_tried = is_word(pointer.places.front().type.kind) ? most_free_values : 32;
  const bool only_names = is_word(pointer.places.front().type.kind) && !others.names;
  Refusals never;
  Refusals alone;
  std::size_t tried_values = 0;
  const std::size_t values = variable.values.size();
  for (std::size_t i = 0; i < values; ++i, ++tried_values) {
    if (values > 2 * most_tried && i == most_tried) i = values - most_tried;
    const std::vector<Override>& settings = variable.values[i].settings;
    const TriedSettings tried = places.tried(settings);
    if (!tried.complaints.empty()) {
      never.add(tried.complaints.front());
      continue;
    }
    const std::vector<Complaint> complaints_about = refused_settings(read, settings);
    const auto final = std::find_if(complaints_about.begin(), complaints_about.end(),
                                    [&](const Complaint& one) { return is_final(one.code, only_names); });
    if (final != complaints_about.end()) never.add(final->text);
    if (!complaints_about.empty()) alone.add(complaints_about.front().text);
  }
  if (never.count > 0)
    complaints.refuse(pointer.option, "free.not_allowed", never.text(tried_values == values));
  else if (!others.any && alone.count == tried_values)
    complaints.refuse(pointer.option, "free.not_allowed", alone.text(tried_values == values));
}

std::uint64_t largest_request(const Scenario& scenario, const std::string& model) {
  std::uint64_t largest = 0;
  for (const JobPool& pool : scenario.jobs)
    for (const Stage& stage : pool.event)
      if (const auto* infer = std::get_if<InferStage>(&stage); infer != nullptr && sends_to(scenario, *infer, model))
        largest = std::max(largest, infer->request_batch);
  return largest;
}

namespace {

std::vector<std::uint64_t> as_counts(const std::vector<std::string>& texts) {
  std::vector<std::uint64_t> counts;
  for (const std::string& text : texts) counts.push_back(as_count(text));
  return counts;
}

/// Numbers of devices, each at least so many; nothing after a complaint.
std::vector<std::uint64_t> read_counts(const std::string& text, const std::string& option, const char* code,
                                       std::uint64_t least, OptionComplaints& complaints) {
  const ValueRange range = read_value_range(text, true, std::nullopt, most_free_values);
  if (!range.fault.empty()) {
    complaints.refuse(option, code, range.fault);
    return {};
  }
  const auto below = std::find_if(range.values.begin(), range.values.end(), [&](const std::string& value) {
    return value.starts_with('-') || as_count(value) < least;
  });
  if (below == range.values.end()) return as_counts(range.values);
  complaints.refuse(option, code,
                    "It contains " + *below + "; devices are counted from " + std::to_string(least) + " on.");
  return {};
}

std::vector<std::uint64_t> read_node_sizes(std::span<const std::string> texts, OptionComplaints& complaints) {
  constexpr std::uint64_t largest_node = 1024;
  std::vector<std::uint64_t> sizes;
  for (const std::string& text : texts) {
    const std::string option = "--node-sizes " + text;
    for (const std::uint64_t size : read_counts(text, option, "gpus.bad_node_sizes", 1, complaints)) {
      if (size > largest_node) {
        complaints.refuse(option, "gpus.bad_node_sizes",
                          "It contains nodes of " + with_commas(size) + " devices; a node has 1 to 1,024.");
        break;
      }
      sizes.push_back(size);
    }
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

std::vector<std::string> names_of(const std::vector<Server>& servers) {
  std::vector<std::string> names;
  for (const Server& server : servers) names.push_back(server.name);
  return names;
}

/// Index of the server that the option means; nothing after a complaint.
std::optional<std::size_t> server_of(const std::string& option, const std::string& name, bool named,
                                     const Scenario& scenario, OptionComplaints& complaints) {
  const std::vector<std::string> names = names_of(scenario.servers);
  const auto refuse = [&](const char* code, const std::string& text) {
    complaints.refuse(option, code, text);
    return std::nullopt;
  };
  if (names.empty())
    return refuse("gpus.no_server", "The scenario has no server, so that there are no devices to choose.");
  if (!named && names.size() == 1) return 0;
  if (!named)
    return refuse("gpus.which_server", "The scenario has " + with_commas(names.size()) + " servers; say which one, " +
                                           listed(names) + ", as in --gpus " + names.front() + "=1:8.");
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string nearest = nearest_name(name, names);
  return refuse("gpus.unknown_server",
                "There is no server " + shown(name) + "; " +
                    (nearest.empty() ? "there are " + listed(names) + "." : "did you mean \"" + nearest + "\"?"));
}

FreeValue value_of(std::uint64_t nodes, std::uint64_t size, const Server& server, const std::string& noun) {
  const std::string at = "/servers/" + std::to_string(server.place);
  const std::string of_nodes = nodes == 0 ? "" : ": " + counted_with_commas(nodes, "node") + " of " + with_commas(size);
  FreeValue value{.text = counted_with_commas(nodes * size, noun) + of_nodes, .nodes = nodes, .node_size = size};
  const auto set = [&](const char* key, const std::string& text) { value.settings.push_back({at + key, text}); };
  // Of servers that scale it is the most that there may be; `nodes` are those of the beginning.
  const std::optional<Autoscaler>& scaling = server.autoscaler;
  set("/nodes", std::to_string(scaling ? std::min(scaling->begin, nodes) : nodes));
  set("/devices/count", std::to_string(size));
  if (scaling && nodes == 0) set("/autoscaler", "null");
  if (scaling && nodes > 0) set("/autoscaler/max", std::to_string(nodes));
  if (scaling && nodes > 0 && scaling->least > nodes) set("/autoscaler/min", std::to_string(nodes));
  return value;
}

/// A number that somebody lists means that number; that nodes skip some numbers of a range is no surprise.
void refuse_impossible_counts(const std::string& option, bool is_list, const std::vector<std::uint64_t>& counts,
                              const std::vector<std::uint64_t>& sizes, OptionComplaints& complaints) {
  const auto possible = [&](std::uint64_t count) {
    return std::any_of(sizes.begin(), sizes.end(), [&](std::uint64_t size) { return count % size == 0; });
  };
  const auto bad = std::find_if_not(counts.begin(), counts.end(), possible);
  const bool any = std::any_of(counts.begin(), counts.end(), possible);
  if (bad == counts.end() || (any && !is_list)) return;
  const std::uint64_t size = sizes.front();
  const std::uint64_t next = (*bad / size + 1) * size;
  const std::string fewer = *bad > size ? with_commas(next - size) + " or " : "";
  complaints.refuse(option, "gpus.no_nodes",
                    counted_with_commas(*bad, "device") + " in nodes of " + joined_or(texts_of(sizes, with_commas)) +
                        (*bad == 1 ? " is" : " are") + " not possible; ask for " + fewer + with_commas(next) +
                        ", or for other --node-sizes.");
}

std::optional<FreeDevices> read_gpus(const std::string& text, const std::vector<std::uint64_t>& node_sizes,
                                     const Scenario& present, const Scenario& with_absent,
                                     OptionComplaints& complaints) {
  FreeDevices devices{.option = "--gpus " + text};
  if (first_invalid_utf8(text) != std::string::npos) {
    complaints.refuse(devices.option, "gpus.bad_range", "The option is not valid UTF-8 text.");
    return std::nullopt;
  }
  const std::size_t equals = text.rfind('=');
  const bool named = equals != std::string::npos;
  const Scenario& scenario = named ? with_absent : present;
  const std::string range = named ? text.substr(equals + 1) : text;
  const std::optional<std::size_t> server =
      server_of(devices.option, named ? text.substr(0, equals) : "", named, scenario, complaints);
  const std::vector<std::uint64_t> counts = read_counts(range, devices.option, "gpus.bad_range", 0, complaints);
  if (!server || counts.empty()) return std::nullopt;

  const Server& chosen = scenario.servers[*server];
  const std::vector<std::uint64_t> sizes =
      node_sizes.empty() ? std::vector<std::uint64_t>{chosen.devices.count} : node_sizes;
  const bool is_list = range.find(':') == std::string::npos;
  refuse_impossible_counts(devices.option, is_list, counts, sizes, complaints);
  const auto type = scenario.devices.find(chosen.devices.type);
  const bool are_gpus = type != scenario.devices.end() && type->second.kind == ResourceKind::gpu;
  devices.server = chosen.place;
  devices.variable.name = std::string(are_gpus ? "gpus" : "devices") + " of " + chosen.name;
  for (const std::uint64_t size : sizes)
    for (const std::uint64_t count : counts) {
      // None is the same in nodes of any size.
      if (count % size != 0 || (count == 0 && size != sizes.front())) continue;
      devices.variable.values.push_back(value_of(count / size, size, chosen, are_gpus ? "GPU" : "device"));
    }
  return devices;
}

const Server& standing_at(const Scenario& scenario, std::size_t place) {
  const auto found = std::find_if(scenario.servers.begin(), scenario.servers.end(),
                                  [&](const Server& server) { return server.place == place; });
  if (found == scenario.servers.end()) throw std::logic_error("a search asks about a server that is not there");
  return *found;
}

/// True where a batch starts as soon as an instance is free and something waits, and nobody is turned away.
bool starts_at_once(const Model& model) {
  return model.max_queue_delay == Seconds{0.0} && model.preferred_batch_size.empty() &&
         model.forming == BatchForming::when_idle && !model.queue_policy.max_queue_size && !model.queue_policy.timeout;
}

}  // namespace

std::vector<FreeDevices> free_devices(std::span<const std::string> gpus, std::span<const std::string> node_sizes,
                                      const Scenario& present, const Scenario& with_absent,
                                      OptionComplaints& complaints) {
  const std::vector<std::uint64_t> sizes = read_node_sizes(node_sizes, complaints);
  if (gpus.empty() && !node_sizes.empty())
    complaints.refuse("--node-sizes " + node_sizes.front(), "gpus.node_sizes_alone",
                      "Sizes of nodes say how numbers of devices come about; ask for those too, as in --gpus 1:32.");
  std::vector<FreeDevices> all;
  for (const std::string& text : gpus)
    if (std::optional<FreeDevices> devices = read_gpus(text, sizes, present, with_absent, complaints))
      all.push_back(std::move(*devices));
  return all;
}

bool more_devices_never_slow(const Scenario& scenario, std::size_t place) {
  // Other servers count too: answers that come earlier from one reach the next in another order.
  const DevicePool& devices = standing_at(scenario, place).devices;
  const bool sags = std::any_of(scenario.servers.begin(), scenario.servers.end(),
                                [](const Server& server) { return server.sag.has_value(); });
  return !sags && !follows_calls(scenario) && devices.interference == 0.0 &&
         devices.dispatch == DeviceDispatch::shared_queue &&
         std::all_of(scenario.models.begin(), scenario.models.end(),
                     [](const auto& entry) { return starts_at_once(entry.second); });
}

bool more_nodes_never_slow(const Scenario& scenario, std::size_t place) {
  return standing_at(scenario, place).balancing == Balancing::central_queue && more_devices_never_slow(scenario, place);
}

}  // namespace saturn
