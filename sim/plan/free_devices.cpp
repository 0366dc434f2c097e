#include "sim/plan/free_devices.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "models/words/texts.hpp"
#include "scenarios/document.hpp"
#include "scenarios/near_name.hpp"
#include "scenarios/value_range.hpp"
#include "scenarios/value_rules.hpp"
#include "sim/plan/free_pointers.hpp"

namespace saturn {

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
  return {.text = counted_with_commas(nodes * size, noun) + of_nodes,
          .settings = {{at + "/nodes", std::to_string(nodes)}, {at + "/devices/count", std::to_string(size)}}};
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
                                     const Scenario& scenario, OptionComplaints& complaints) {
  FreeDevices devices{.option = "--gpus " + text};
  if (first_invalid_utf8(text) != std::string::npos) {
    complaints.refuse(devices.option, "gpus.bad_range", "The option is not valid UTF-8 text.");
    return std::nullopt;
  }
  const std::size_t equals = text.rfind('=');
  const bool named = equals != std::string::npos;
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
                                      const Scenario& scenario, OptionComplaints& complaints) {
  const std::vector<std::uint64_t> sizes = read_node_sizes(node_sizes, complaints);
  if (gpus.empty() && !node_sizes.empty())
    complaints.refuse("--node-sizes " + node_sizes.front(), "gpus.node_sizes_alone",
                      "Sizes of nodes say how numbers of devices come about; ask for those too, as in --gpus 1:32.");
  std::vector<FreeDevices> all;
  for (const std::string& text : gpus)
    if (std::optional<FreeDevices> devices = read_gpus(text, sizes, scenario, complaints))
      all.push_back(std::move(*devices));
  return all;
}

bool more_devices_never_slow(const Scenario& scenario, std::size_t place) {
  // Other servers count too: answers that come earlier from one reach the next in another order.
  return standing_at(scenario, place).devices.interference == 0.0 &&
         std::all_of(scenario.models.begin(), scenario.models.end(),
                     [](const auto& entry) { return starts_at_once(entry.second); });
}

bool more_nodes_never_slow(const Scenario& scenario, std::size_t place) {
  return standing_at(scenario, place).balancing == Balancing::central_queue && more_devices_never_slow(scenario, place);
}

}  // namespace saturn
