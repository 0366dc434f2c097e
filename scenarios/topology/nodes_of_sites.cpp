#include "scenarios/topology/nodes_of_sites.hpp"

#include <nlohmann/json.hpp>

#include <set>
#include <utility>

#include "models/words/texts.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/scenario_traits.hpp"

namespace saturn {

namespace {

using Json = nlohmann::json;

/// A model, and what it chains where it is an ensemble.
void add_with_steps(const Scenario& scenario, const std::string& model, std::set<std::string>& models) {
  if (!models.insert(model).second) return;
  for (const std::string& step : scenario.models.at(model).ensemble) add_with_steps(scenario, step, models);
}

/// Jobs call every server that has a model, so that nodes of several sites need models of their own.
class SettingsOfSites {
 public:
  SettingsOfSites(const Scenario& scenario, const std::string& resolved, const std::string& attached)
      : scenario_(scenario), document_(Json::parse(resolved)), attached_(Json::parse(attached)) {}

  void add(const NodesOfSite& own) {
    const std::string& site = own.site;
    Json server = document_["servers"][own.like];
    for (const char* key : {"nic", "host_price", "dispatch", "balancing", "autoscaler", "failures", "start_up",
                            "standby", "rate_limit", "admission"})
      server.erase(key);
    server["name"] = "worker nodes at " + site;
    server["site"] = site;
    server["nodes"] = own.nodes;
    server["devices"]["count"] = 1;
    server["attached"] = attached_;
    server["models"] = Json::array();
    std::set<std::string> models;
    for (const ModelCall& call : model_calls(scenario_)) {
      if (call.pool.site != site) continue;
      add_with_steps(scenario_, call.infer.model, models);
      settings_.push_back({call.pointer() + "/infer", escaped_in_quotes(own_name(call.infer.model, site))});
    }
    for (const std::string& model : models) {
      server["models"].push_back(own_name(model, site));
      add_model(model, document_["models"][model], site);
    }
    servers_.push_back(std::move(server));
  }

  std::vector<Override> taken() {
    settings_.push_back({"/servers", servers_.dump()});
    return std::move(settings_);
  }

 private:
  static std::string own_name(const std::string& model, const std::string& site) { return model + " at " + site; }

  void add_model(const std::string& model, Json copy, const std::string& site) {
    if (copy.contains("ensemble"))
      for (Json& step : copy["ensemble"]) step = own_name(step.get<std::string>(), site);
    settings_.push_back({"/models/" + escape_pointer(own_name(model, site)), copy.dump()});
  }

  const Scenario& scenario_;
  Json document_;
  Json attached_;
  Json servers_ = Json::array();
  std::vector<Override> settings_{};
};

}  // namespace

std::vector<Override> with_nodes_of_sites(const Scenario& scenario, const std::string& resolved,
                                          const std::vector<NodesOfSite>& nodes, const std::string& attached) {
  SettingsOfSites settings(scenario, resolved, attached);
  for (const NodesOfSite& one : nodes) settings.add(one);
  return settings.taken();
}

}  // namespace saturn
