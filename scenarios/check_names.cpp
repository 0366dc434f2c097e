#include <algorithm>
#include <set>

#include "models/words/texts.hpp"
#include "scenarios/cross_checks.hpp"
#include "scenarios/near_name.hpp"

namespace saturn {

namespace {

template <class T>
std::vector<std::string> keys_of(const std::map<std::string, T>& entries) {
  std::vector<std::string> keys;
  for (const auto& entry : entries) keys.push_back(entry.first);
  return keys;
}

std::string hint(const std::string& wrong, const std::vector<std::string>& known, const std::string& place) {
  if (known.empty()) return place + " is empty.";
  const std::string nearest = nearest_name(wrong, known);
  return nearest.empty() ? place + " has " + listed(known) + "." : "Did you mean \"" + nearest + "\"?";
}

template <class T>
void check_unique(const CheckedScenario& checked, const std::vector<T>& entries, const std::string& list) {
  std::map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string pointer = list + "/" + std::to_string(i) + "/name";
    if (!checked.complaints.sound(pointer)) continue;
    const auto [before, is_new] = first.emplace(entries[i].name, i);
    if (is_new) continue;
    checked.refuse(pointer, "scenario.duplicate_name",
                   pointer + " is " + shown(entries[i].name) + ", as is " + list + "/" +
                       std::to_string(before->second) + "/name; give each its own name.");
  }
}

// True when the model exists, or when nothing can be said about it.
bool check_model(const CheckedScenario& checked, const std::string& pointer, const std::string& model) {
  if (!checked.complaints.sound(pointer) || !checked.complaints.complete("/models")) return true;
  if (checked.scenario.models.contains(model)) return true;
  checked.refuse(pointer, "scenario.unknown_model",
                 pointer + " names the model " + shown(model) + ", which is not in /models. " +
                     hint(model, keys_of(checked.scenario.models), "/models"));
  return false;
}

bool is_held(const Scenario& scenario, const std::string& model) {
  return std::any_of(scenario.servers.begin(), scenario.servers.end(), [&](const Server& server) {
    return std::find(server.models.begin(), server.models.end(), model) != server.models.end();
  });
}

void check_stage(const CheckedScenario& checked, const Stage& stage, const std::string& pointer,
                 const std::set<std::string>& served) {
  if (const auto* cpu = std::get_if<CpuStage>(&stage)) {
    if (cpu->part_of) check_model(checked, pointer + "/part_of", *cpu->part_of);
    return;
  }
  const std::string& model = std::get<InferStage>(stage).model;
  const std::string where = pointer + "/infer";
  if (!check_model(checked, where, model) || !checked.complaints.sound(where)) return;
  // A server whose list of models could not be read may be the one.
  if (served.contains(model) || !checked.complaints.sound("/servers")) return;
  checked.refuse(where, "scenario.unserved_model",
                 where + " calls " + shown(model) + ", which no server " +
                     (is_held(checked.scenario, model) ? "with nodes holds; give one that holds it a node."
                                                       : "holds; add it to the \"models\" of a server."));
}

void check_server(const CheckedScenario& checked, const Server& server, const std::string& pointer) {
  const Scenario& scenario = checked.scenario;
  const std::string type_at = pointer + "/devices/type";
  const bool type_known = checked.complaints.sound(type_at) && scenario.devices.contains(server.devices.type);
  if (!type_known && checked.complaints.sound(type_at) && checked.complaints.complete("/devices"))
    checked.refuse(type_at, "scenario.unknown_device",
                   type_at + " names the device type " + shown(server.devices.type) + ", which is not in /devices. " +
                       hint(server.devices.type, keys_of(scenario.devices), "/devices"));
  std::set<std::string> seen;
  for (std::size_t i = 0; i < server.models.size(); ++i) {
    const std::string& name = server.models[i];
    const std::string at = pointer + "/models/" + std::to_string(i);
    if (!checked.complaints.sound(at)) continue;
    if (!seen.insert(name).second)
      checked.refuse(at, "scenario.duplicate_name", at + " names " + shown(name) + " a second time; name it once.");
    if (!check_model(checked, at, name) || !scenario.models.contains(name)) continue;
    const std::string service_at = "/models/" + escape_pointer(name) + "/service";
    const Model& model = scenario.models.at(name);
    if (!type_known || !checked.complaints.sound(service_at) || !model.ensemble.empty() ||
        model.service.contains(server.devices.type))
      continue;
    checked.refuse(at, "scenario.missing_service_law",
                   at + " places " + shown(name) + " on devices of type " + shown(server.devices.type) + ", but " +
                       service_at + " says nothing about that type; add { " + shown(server.devices.type) +
                       ": { \"per_item\": \"...\" } } there.");
  }
}

}  // namespace

void check_names(const CheckedScenario& checked) {
  const Scenario& scenario = checked.scenario;
  check_unique(checked, scenario.jobs, "/jobs");
  check_unique(checked, scenario.servers, "/servers");
  check_unique(checked, scenario.alternatives, "/alternatives");
  std::set<std::string> served;
  for (const Server& server : scenario.servers)
    if (server.nodes > 0) served.insert(server.models.begin(), server.models.end());
  for (std::size_t i = 0; i < scenario.jobs.size(); ++i)
    for (std::size_t k = 0; k < scenario.jobs[i].event.size(); ++k)
      check_stage(checked, scenario.jobs[i].event[k], "/jobs/" + std::to_string(i) + "/event/" + std::to_string(k),
                  served);
  for (std::size_t i = 0; i < scenario.servers.size(); ++i)
    check_server(checked, scenario.servers[i], "/servers/" + std::to_string(i));
}

}  // namespace saturn
