#include "reports/deployment_text.hpp"
#include "reports/falsification_report.hpp"
#include "reports/fenced_text.hpp"
#include "models/words/texts.hpp"
#include "reports/number_text.hpp"

namespace saturn {

namespace {

std::string purpose_of(const std::string& file) {
  if (file.ends_with("config.pbtxt")) return "Triton's configuration of the model, as it was planned with";
  return "values for the Helm chart of SuperSONIC";
}

std::string files_text(const std::vector<std::string>& files) {
  TextTable table({{"file"}, {"what it is"}});
  for (const std::string& file : files) table.add_row({file, purpose_of(file)});
  return table.markdown();
}

std::string deploy_text(const Deployment& deployment) {
  std::string commands =
      "helm repo add fastml https://fastmachinelearning.org/SuperSONIC/\n"
      "helm repo update\n";
  for (const DeployedServer& server : deployment.servers)
    commands += "helm upgrade --install " + server.release + " fastml/supersonic -n NAMESPACE -f " +
                values_file_name(deployment, server) + "\n";
  std::string text = "## Deploy\n\n";
  text +=
      "Add what the plan does not know to the values: the image of Triton, cores and memory of a replica, and the "
      "model repository, into which the folders of the models go. Then, with the namespace of yours:\n\n";
  return text + fenced_text(commands);
}

std::string attached_text(const Deployment& deployment) {
  std::string names;
  for (const Server& server : deployment.planned.servers)
    if (server.attached) append_part(names, markdown_text(server.name));
  return names.empty() ? ""
                       : "\nDevices in the worker nodes are not deployed by a chart: " + names +
                             ". Start Triton on each node, or call the library in the job.\n";
}

std::string contradiction_text(const Deployment& deployment, const SystemFacts& facts) {
  std::string text = "\n## What would contradict the prediction\n\n";
  if (deployment.falsification) return text + fenced_text(falsification_text(*deployment.falsification, facts, {}));
  return text +
         "Events arrive from outside: another event time or rate than predicted, at the planned rate of arrivals. "
         "`saturn plan --falsify` knows measurements for jobs that begin their events themselves.\n";
}

}  // namespace

std::string values_file_name(const Deployment& deployment, const DeployedServer& server) {
  if (deployment.servers.size() == 1) return "values.yaml";
  const std::string prefix = release_name("");
  return "values" + server.release.substr(prefix.size()) + ".yaml";
}

std::string deployment_readme(const Deployment& deployment, const SystemFacts& facts,
                              const std::vector<std::string>& files) {
  const std::string& title = deployment.planned.title;
  std::string text = "# " + (title.empty() ? "A plan" : markdown_text(title)) + "\n\n";
  text += "Made by:\n\n" + fenced_text(deployment.command);
  text += "\nPredicted with " + counted(job_count(deployment.planned), "job") + ": " +
          estimate_text(deployment.event_time_s) + " s an event, " + estimate_text(deployment.events_per_s) +
          " events/s.\n\n";
  text += files_text(files) + "\n";
  if (!deployment.servers.empty()) text += deploy_text(deployment);
  return text + attached_text(deployment) + contradiction_text(deployment, facts);
}

}  // namespace saturn
