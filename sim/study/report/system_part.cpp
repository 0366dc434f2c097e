#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "models/words/numbers.hpp"
#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/words/number_text.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/scenario_traits.hpp"
#include "scenarios/topology/routes.hpp"
#include "sim/study/report/report_parts.hpp"

namespace saturn {

namespace {

// Links of a platform file that are listed; the others are hardly busy.
constexpr std::size_t most_platform_links = 6;

std::string bandwidth_text(Bandwidth bandwidth) {
  const ShownUnit unit = shown_unit(bandwidth.value, "B/s");
  return compact_number(bandwidth.value * unit.factor, 4) + " " + unit.name;
}

std::string round_trip_text(Seconds time) {
  const ShownUnit unit = shown_unit(time.value, "s");
  return compact_number(time.value * unit.factor, 4) + " " + unit.name;
}

/// The parts of a scenario as boxes and lines.
class DrawnSystem {
 public:
  DrawnSystem(const Scenario& scenario, const Results& own) : scenario_(scenario) {
    for (const ResourceResults& one : own.resources) busy_[one.name] = one["busy_fraction"].mean;
    for (const JobPool& pool : scenario.jobs) site(pool.site).jobs.push_back(pool_text(pool));
    for (const Link& link : scenario.links) add_link(link);
    for (const auto& [name, one] : scenario.sites)
      if (one.uplink && numbers_.contains(name))
        site(name).groups.push_back({.parts = {either(uplink_names(name), "uplink " + bandwidth_text(*one.uplink))}});
    for (const Server& server : scenario.servers) add_server(server);
    if (scenario.platform) add_platform();
  }

  SystemStudy taken() { return std::move(study_); }

 private:
  DrawnSite& site(const std::string& name) { return study_.sites[number_of(name)]; }

  std::size_t number_of(const std::string& name) {
    const auto [entry, is_new] = numbers_.emplace(name, study_.sites.size());
    if (is_new) study_.sites.push_back({.name = name});
    return entry->second;
  }

  std::string pool_text(const JobPool& pool) const {
    const std::string name = scenario_.jobs.size() > 1 ? pool.name + ": " : "";
    if (pool.arrivals) return name + counted(static_cast<double>(stream_count(pool)), "stream") + " for arrivals";
    const std::string jobs = counted(static_cast<double>(pool.count), "job");
    return name + jobs +
           (streams_per_job(pool) > 1 ? " of " + counted(static_cast<double>(streams_per_job(pool)), "stream") : "");
  }

  std::optional<double> busy(const std::string& resource) const {
    const auto found = busy_.find(resource);
    return found == busy_.end() ? std::nullopt : std::optional(found->second);
  }

  DrawnPart either(const DirectionNames& names, std::string text) const {
    const bool back = busy(names.back).value_or(0.0) > busy(names.forth).value_or(0.0);
    const std::string& name = back ? names.back : names.forth;
    return {.resource = name, .text = std::move(text), .busy = busy(name)};
  }

  void add_link(const Link& link) {
    const std::string text = bandwidth_text(link.bandwidth) +
                             (link.round_trip_time.value > 0.0 ? ", " + round_trip_text(link.round_trip_time) : "");
    if (link.site_a == link.site_b) {
      const DrawnPart part = either(link_names(link), "within " + text);
      site(link.site_a).groups.push_back({.parts = {part}});
      return;
    }
    const std::size_t from = number_of(link.site_a);
    study_.links.push_back({.from = from, .to = number_of(link.site_b), .part = either(link_names(link), text)});
  }

  void add_server(const Server& server) {
    const std::uint64_t devices = server.nodes * server.devices.count;
    const std::string resource = server.name + "/" + server.devices.type;
    DrawnGroup group{.name = server.name + (server.nodes > 1 ? ", " + std::to_string(server.nodes) + " nodes" : "")};
    if (const std::optional<Bandwidth> inlet = inlet_of(server))
      group.parts.push_back(either(inlet_names(server), (server.attached ? "bus " : "card ") + bandwidth_text(*inlet)));
    if (const std::string host = server.name + " host"; busy(host))
      group.parts.push_back({.resource = host, .text = "host", .busy = busy(host)});
    group.parts.push_back({.resource = resource,
                           .text = std::to_string(devices) + " " + server.devices.type,
                           .busy = busy(resource),
                           .units = devices});
    DrawnSite& at = site(server.site);
    at.groups.push_back(std::move(group));
    at.serves = true;
  }

  void add_platform() {
    DrawnGroup group;
    for (const PlatformLink& link : scenario_.platform->links)
      if (busy(link.name))
        group.parts.push_back(
            {.resource = link.name, .text = link.name + " " + bandwidth_text(link.bandwidth), .busy = busy(link.name)});
    std::stable_sort(group.parts.begin(), group.parts.end(),
                     [](const DrawnPart& a, const DrawnPart& b) { return *a.busy > *b.busy; });
    if (group.parts.size() > most_platform_links) group.parts.resize(most_platform_links);
    if (!group.parts.empty()) site("links of the platform").groups.push_back(std::move(group));
  }

  const Scenario& scenario_;
  std::map<std::string, double> busy_{};
  std::map<std::string, std::size_t> numbers_{};
  SystemStudy study_{};
};

}  // namespace

SystemStudy system_study(const StudyContext& context, const SystemFacts& facts, const Results& own) {
  const Scenario& scenario = context.scenario();
  SystemStudy study = DrawnSystem(scenario, own).taken();
  if (!facts.knees.empty()) study.binding = facts.knees.front().resource;
  if (facts.knees.size() > 1) study.next = facts.knees[1].resource;
  study.load = any_open(scenario) ? number_text(own.all_jobs["events_per_s"].mean, 3) + " events per second"
                                  : counted(facts.jobs, "job");
  return study;
}

}  // namespace saturn
