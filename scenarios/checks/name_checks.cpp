#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "models/words/texts.hpp"
#include "scenarios/checks/cross_checks.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/fields/value_rules.hpp"
#include "scenarios/scenario_traits.hpp"

namespace saturn {

namespace {

template <class T>
std::vector<std::string> keys_of(const std::map<std::string, T>& entries) {
  std::vector<std::string> keys;
  for (const auto& entry : entries) keys.push_back(entry.first);
  return keys;
}

std::string hint(const std::string& wrong, const std::vector<std::string>& known, const std::string& place) {
  return known.empty() ? place + " is empty." : name_meant(wrong, known, "Did you mean", place + " has");
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

}  // namespace

bool check_model_name(const CheckedScenario& checked, const std::string& pointer, const std::string& model) {
  if (!checked.complaints.sound(pointer) || !checked.complaints.complete("/models")) return true;
  if (checked.scenario.models.contains(model)) return true;
  checked.refuse(pointer, "scenario.unknown_model",
                 pointer + " names the model " + shown(model) + ", which is not in /models. " +
                     hint(model, keys_of(checked.scenario.models), "/models"));
  return false;
}

namespace {

bool is_held(const Scenario& scenario, const std::string& model) {
  return std::any_of(scenario.servers.begin(), scenario.servers.end(), [&](const Server& server) {
    return std::find(server.models.begin(), server.models.end(), model) != server.models.end();
  });
}

void check_stage(const CheckedScenario& checked, const Stage& stage, const std::string& pointer,
                 const std::set<std::string>& served) {
  if (const auto* cpu = std::get_if<CpuStage>(&stage)) {
    if (cpu->part_of) check_model_name(checked, pointer + "/part_of", *cpu->part_of);
    return;
  }
  const std::string& model = std::get<InferStage>(stage).model;
  const std::string where = pointer + "/infer";
  if (!check_model_name(checked, where, model) || !checked.complaints.sound(where)) return;
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
    if (!check_model_name(checked, at, name) || !scenario.models.contains(name)) continue;
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

namespace {

/// Where each site is named, in the order of the file's sections.
std::map<std::string, std::vector<std::string>> places_of_sites(const CheckedScenario& checked) {
  std::map<std::string, std::vector<std::string>> places;
  const Scenario& scenario = checked.scenario;
  const auto add = [&](const std::string& site, const std::string& pointer) {
    if (checked.complaints.sound(pointer)) places[site].push_back(pointer);
  };
  for (std::size_t i = 0; i < scenario.jobs.size(); ++i)
    add(scenario.jobs[i].site, "/jobs/" + std::to_string(i) + "/site");
  for (std::size_t i = 0; i < scenario.servers.size(); ++i)
    add(scenario.servers[i].site, "/servers/" + std::to_string(i) + "/site");
  for (std::size_t i = 0; i < scenario.links.size(); ++i) {
    const std::string between = "/network/links/" + std::to_string(i) + "/between/";
    add(scenario.links[i].site_a, between + "0");
    add(scenario.links[i].site_b, between + "1");
  }
  for (const auto& entry : scenario.sites) add(entry.first, "/network/sites/" + escape_pointer(entry.first));
  return places;
}

/// Groups of sites between which links lead.
class LinkedSites {
 public:
  explicit LinkedSites(const Scenario& scenario) {
    for (const Link& link : scenario.links) join(link.site_a, link.site_b);
  }
  void join(const std::string& a, const std::string& b) { group_of_[root(a)] = root(b); }
  bool are_joined(const CallingSites& sites) { return root(sites.first) == root(sites.second); }

 private:
  std::string root(const std::string& site) {
    std::string at = site;
    for (auto up = group_of_.find(at); up != group_of_.end() && up->second != at; up = group_of_.find(at))
      at = up->second;
    return at;
  }

  std::map<std::string, std::string> group_of_;
};

/// Sites of jobs and of servers that they call, with no path of links between them.
std::set<CallingSites> unjoined_calls(const Scenario& scenario) {
  std::set<CallingSites> ruled;  // explicit routes have complaints of their own
  for (const RouteRule& route : scenario.routes) ruled.insert(std::minmax(route.site_a, route.site_b));
  LinkedSites linked(scenario);
  std::set<CallingSites> unjoined;
  for (const CallingSites& call : calling_sites(scenario))
    if (!ruled.contains(std::minmax(call.first, call.second)) && !linked.are_joined(call)) unjoined.insert(call);
  return unjoined;
}

/// A name that stands for another one by mistake.
struct Misspelling {
  std::string wrong{};
  std::string right{};
};

/// Whether a name that stands at some places is rather the mistake than a near one that stands at others. Two names
/// that stand once each, and in no link, may well be two sites.
bool is_likelier_wrong(const std::vector<std::string>& at, const std::vector<std::string>& near_at) {
  const auto in_links = [](const std::vector<std::string>& pointers) {
    return std::any_of(pointers.begin(), pointers.end(),
                       [](const std::string& pointer) { return pointer.starts_with("/network/links/"); });
  };
  return at.size() == near_at.size() ? in_links(near_at) && !in_links(at) : at.size() < near_at.size();
}

/// The two near names that, taken for one, join the most calls; nothing where none joins any.
std::optional<Misspelling> likely_misspelling(const Scenario& scenario, const std::set<CallingSites>& unjoined,
                                              const std::map<std::string, std::vector<std::string>>& places) {
  std::optional<Misspelling> best;
  std::size_t most = 0;
  for (const auto& [site, at] : places) {
    std::vector<std::string> others;
    for (const auto& entry : places)
      if (entry.first != site) others.push_back(entry.first);
    const std::string near = nearest_name(site, others);
    if (near.empty() || !is_likelier_wrong(at, places.at(near))) continue;
    LinkedSites linked(scenario);
    linked.join(site, near);
    const auto joined = static_cast<std::size_t>(std::count_if(
        unjoined.begin(), unjoined.end(), [&](const CallingSites& call) { return linked.are_joined(call); }));
    if (joined <= most) continue;
    most = joined;
    best = {.wrong = site, .right = near};
  }
  return best;
}

}  // namespace

void check_site_spelling(const CheckedScenario& checked) {
  const ComplaintList& complaints = checked.complaints;
  if (checked.scenario.platform_file || !complaints.sound("/network") || !complaints.complete("/servers")) return;
  const std::set<CallingSites> unjoined = unjoined_calls(checked.scenario);
  if (unjoined.empty()) return;
  const auto places = places_of_sites(checked);
  const std::optional<Misspelling> found = likely_misspelling(checked.scenario, unjoined, places);
  if (!found) return;
  const std::vector<std::string>& wrong_at = places.at(found->wrong);
  checked.refuse(wrong_at.front(), "scenario.unknown_site",
                 wrong_at.front() + " names the site " + shown(found->wrong) +
                     ", and calls find no path of links since it is not " + shown(found->right) + ", as in " +
                     places.at(found->right).front() + ". Did you mean \"" + found->right +
                     "\"? If it is a site of its own, add a link to it to /network/links.");
  for (const std::string& pointer : wrong_at) checked.complaints.distrust(pointer);
}

}  // namespace saturn
