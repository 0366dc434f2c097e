#include "reports/deployment/client_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/deployment/batch_files.hpp"
#include "reports/words/escaped_text.hpp"

namespace saturn {

namespace {

bool has_rules(const InferStage& stage) {
  const CallRules& rules = stage.rules;
  return rules.deadline || rules.retries || rules.fallback || !rules.servers.empty();
}

std::vector<const InferStage*> ruled_stages(const JobPool& pool) {
  std::vector<const InferStage*> stages;
  for (const Stage& stage : pool.event)
    if (const auto* infer = std::get_if<InferStage>(&stage); infer != nullptr && has_rules(*infer))
      stages.push_back(infer);
  return stages;
}

/// The servers that a stage's calls go to, the preferred one first, its fallback last.
std::vector<std::string> servers_of_stage(const Scenario& scenario, const InferStage& stage) {
  std::vector<std::string> names = stage.rules.servers;
  if (names.empty())
    for (const Server& server : scenario.servers)
      if (!server.standby && std::find(server.models.begin(), server.models.end(), stage.model) != server.models.end())
        names.push_back(server.name);
  const std::optional<Fallback>& fallback = stage.rules.fallback;
  if (fallback && fallback->server && std::find(names.begin(), names.end(), *fallback->server) == names.end())
    names.push_back(*fallback->server);
  return names;
}

std::vector<std::string> servers_of_pool(const Scenario& scenario, const JobPool& pool) {
  std::vector<std::string> names;
  for (const InferStage* stage : ruled_stages(pool))
    for (const std::string& name : servers_of_stage(scenario, *stage))
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

/// "1-near", "2-far": in the order of their names, which is CMSSW's, as in that of their preference.
std::vector<std::string> numbered_names(const std::vector<std::string>& servers) {
  const std::size_t digits = std::to_string(servers.size()).size();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < servers.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    names.push_back(std::string(digits - number.size(), '0') + number + "-" + servers[i]);
  }
  return names;
}

std::string python_name(const std::string& name, std::set<std::string>& taken) {
  std::string wanted = "customise_";
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    wanted += letter ? c : '_';
  }
  std::string free = wanted;
  for (std::size_t number = 2; !taken.insert(free).second; ++number) free = wanted + "_" + std::to_string(number);
  return free;
}

/// A deadline as CMSSW has it: a whole number of a unit.
struct ClientTimeout {
  std::uint64_t number = 0;  ///< 0: none
  std::string unit{"seconds"};
};

ClientTimeout timeout_of(const std::optional<Seconds>& deadline) {
  if (!deadline) return {};
  constexpr double most = 4294967295.0;  // an unsigned of 32 bits
  ClientTimeout timeout;
  for (const auto& [unit, parts] : {std::pair{"seconds", 1.0}, {"milliseconds", 1e3}, {"microseconds", 1e6}}) {
    const double number = parts * deadline->value;
    if (number > most) break;
    timeout = {.number = static_cast<std::uint64_t>(std::max(1.0, std::round(number))), .unit = unit};
    if (std::abs(number - std::round(number)) < 1e-9 * number) break;
  }
  return timeout;
}

void say_retries(std::string& text, const RetryRule& retries) {
  if (mean(retries.first).value > 0.0)
    text += yaml_comment("Planned with pauses before retries (mean of the first: " +
                             exact_seconds(mean(retries.first).value) + "). CMSSW makes none: a retry follows at once.",
                         4);
  if (retries.on == RetryOn::other_node)
    text += yaml_comment(
        "Planned with retries on another node. CMSSW asks the same server again; which replica answers, Envoy decides.",
        4);
}

void say_fallback(std::string& text, const CallRules& rules) {
  if (!rules.fallback) return;
  if (rules.fallback->server)
    text += yaml_comment("Planned with the server " + *rules.fallback->server +
                             " for calls that have failed. CMSSW turns to it only where the servers before it do not "
                             "answer when the job begins.",
                         4);
  else
    text += yaml_comment(
        "Planned with the job's own core for each call that has failed. CMSSW's fallback server, on the job's cores, "
        "starts before the first event, and only if no server has the model then.",
        4);
}

/// What CMSSW does otherwise than the stage was planned.
std::string remarks_on(const InferStage& stage) {
  const CallRules& rules = stage.rules;
  std::string text = yaml_comment("Stage " + (stage.label.empty() ? stage.model : stage.label) + ".", 4);
  text += rules.deadline ? yaml_comment("Deadline of each try: " + exact_seconds(rules.deadline->value) + ".", 4)
                         : yaml_comment("No deadline was planned: 0 means none.", 4);
  const std::uint64_t retries = rules.retries ? rules.retries->count : 0;
  text += yaml_comment("Tries in all: the first and " + std::to_string(retries) +
                           (retries == 1 ? " retry" : " retries") + ". For CMSSW 0 and 1 both mean one try.",
                       4);
  if (rules.retries) say_retries(text, *rules.retries);
  say_fallback(text, rules);
  if (!rules.servers.empty() && rules.discovery == Discovery::per_call)
    text += yaml_comment(
        "Planned with a choice of the server at every try. CMSSW chooses when the job begins, and the job stays there.",
        4);
  if (rules.when_failed == FailedCall::event_goes_on && !(rules.fallback && !rules.fallback->server))
    text += yaml_comment(
        "Planned with events that go on without an answer. In CMSSW the exception of a failed call ends the job.", 4);
  if (!stage.asynchronous)
    text += yaml_comment(
        "Planned with events that wait here. CMSSW runs other modules meanwhile, if they need no answer.", 4);
  return text;
}

std::string stage_text(const Scenario& scenario, const InferStage& stage, const std::vector<std::string>& servers) {
  const ClientTimeout timeout = timeout_of(stage.rules.deadline);
  const std::vector<std::string> own = servers_of_stage(scenario, stage);
  std::string preferred;
  // The first of the pool is taken anyway.
  if (!own.empty() && own.front() != servers.front()) {
    const auto at = std::find(servers.begin(), servers.end(), own.front()) - servers.begin();
    preferred = "        client.preferredServer = cms.untracked.string(" +
                yaml_text(numbered_names(servers)[static_cast<std::size_t>(at)]) + ")\n";
  }
  return filled_template("client-stage.py",
                         {{"remarks", remarks_on(stage)},
                          {"model", yaml_text(stage.model)},
                          {"mode", yaml_text(stage.asynchronous ? "Async" : "PseudoAsync")},
                          {"timeout", std::to_string(timeout.number)},
                          {"unit", yaml_text(timeout.unit)},
                          {"tries", std::to_string(1 + (stage.rules.retries ? stage.rules.retries->count : 0))},
                          {"preferred", preferred}});
}

std::string pool_text(const Scenario& scenario, const JobPool& pool, std::set<std::string>& taken) {
  const std::vector<std::string> servers = servers_of_pool(scenario, pool);
  std::string stages;
  bool on_own_cores = false;
  for (const InferStage* stage : ruled_stages(pool)) {
    stages += stage_text(scenario, *stage, servers);
    on_own_cores = on_own_cores || (stage->rules.fallback && !stage->rules.fallback->server);
  }
  const std::string fallback = std::string("    process.TritonService.fallback.enable = ") +
                               (on_own_cores ? "True" : "False") +
                               (on_own_cores ? "\n    process.TritonService.fallback.device = \"cpu\"\n" : "\n");
  return filled_template("client-pool.py", {{"function", python_name(pool.name, taken)},
                                            {"purpose", yaml_comment("Jobs " + pool.name + " at " + pool.site, 4)},
                                            {"servers", joined(texts_of(numbered_names(servers), yaml_text))},
                                            {"fallback", fallback},
                                            {"stages", stages}});
}

}  // namespace

bool has_client_rules(const Scenario& scenario) {
  return std::any_of(scenario.jobs.begin(), scenario.jobs.end(),
                     [](const JobPool& pool) { return !ruled_stages(pool).empty(); });
}

std::string client_configuration(const Scenario& scenario) {
  std::set<std::string> taken;
  std::set<std::string> named;
  std::string addresses;
  std::string functions;
  for (const JobPool& pool : scenario.jobs) {
    if (ruled_stages(pool).empty()) continue;
    for (const std::string& name : numbered_names(servers_of_pool(scenario, pool)))
      if (named.insert(name).second)
        addresses += "    " + yaml_text(name) + ": (" + yaml_text("ADDRESS") + ", 8001),\n";
    functions += pool_text(scenario, pool, taken);
  }
  return filled_template("client.py",
                         {{"about", scenario.title.empty() ? "" : yaml_comment("Scenario: " + scenario.title)},
                          {"addresses", addresses},
                          {"functions", functions}});
}

}  // namespace saturn
