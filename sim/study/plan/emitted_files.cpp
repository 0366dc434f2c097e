#include <algorithm>
#include <fstream>
#include <span>
#include <sstream>
#include <stdexcept>
#include <unistd.h>
#include <utility>

#include "models/words/texts.hpp"
#include "reports/deployment/client_text.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/triton/triton_config_text.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/formula/system_facts.hpp"
#include "sim/study/new_files.hpp"
#include "sim/study/plan/plan_parts.hpp"

namespace saturn {

Reply with_files(Reply reply, std::vector<AnswerFile> files) {
  for (const AnswerFile& file : files) reply.last_words += "wrote " + file.path.string() + "\n";
  reply.files = std::move(files);
  return reply;
}

namespace {

AnswerFile emitted(const std::filesystem::path& path, std::string text) {
  return {.option = "--emit", .path = path, .text = std::move(text), .not_writable = "emit.not_writable"};
}

/// The file that the model was read from; empty when there is none.
std::string original_text(const Model& model) {
  if (!model.triton_config) return "";
  std::ifstream file(*model.triton_config, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) refuse_input("--emit", "emit.not_readable", *model.triton_config + " can no longer be read.");
  return text.str();
}

bool names_a_folder(const std::string& name) {
  return name.find_first_of("/\\") == std::string::npos && !name.starts_with('.');
}

AnswerFile config_of(const std::string& name, const Model& model, const std::filesystem::path& folder,
                     const std::string& title) {
  try {
    return emitted(folder / name / "config.pbtxt", triton_config_text(name, model, original_text(model), title));
  } catch (const std::invalid_argument&) {
    refuse_input("--emit", "emit.other_ensemble",
                 "/models/" + escape_pointer(name) + "/ensemble differs from the steps in " +
                     model.triton_config.value_or("its file") +
                     ", whose tensors cannot be rewired here; leave \"ensemble\" or \"triton_config\" "
                     "out of the scenario.");
  }
}

}  // namespace

std::vector<AnswerFile> configs_to_emit(const Scenario& scenario, const PlanRequest& request) {
  if (!request.emit) return {};
  const std::filesystem::path folder = *request.emit;
  make_folder("--emit", "emit", folder);
  std::vector<AnswerFile> configs;
  Complaints complaints;
  std::string present;
  const auto look_for = [&](const std::filesystem::path& path) {
    std::error_code ignored;
    if (std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) append_part(present, path.string());
  };
  const std::vector<std::string> beside = deployment_files(scenario);
  for (const auto& [name, model] : scenario.models) {
    if (std::find(beside.begin(), beside.end(), name) != beside.end()) {
      complaints.add(
          "--emit", "emit.name_taken",
          "The model \"" + name + "\" is called like a file that --emit writes beside the models' folders: rename it.");
      continue;
    }
    if (!names_a_folder(name)) {
      complaints.add(
          "--emit", "emit.not_a_folder_name",
          "The model \"" + name +
              "\" cannot be a folder's name: rename it, without slashes and without a dot at its beginning.");
      continue;
    }
    configs.push_back(config_of(name, model, folder, scenario.title));
    look_for(configs.back().path);
  }
  for (const std::string& file : beside) look_for(folder / file);
  if (!present.empty() && !request.output.force)
    complaints.add("--emit", "emit.exists", present + " would be overwritten; name another folder, or add --force.");
  complaints.raise();
  return configs;
}

std::vector<AnswerFile> with_deployed(std::vector<AnswerFile> configs, const Scenario& planned, const Results& summary,
                                      const PlanRequest& request, DeployedPlan plan, const PurchaseTerms& terms) {
  if (!request.emit) return configs;
  const std::filesystem::path folder = *request.emit;
  plan.spare_nodes = spare_nodes_of(planned, terms);
  plan.command = request.scenario.command + " --emit " + shell_word(folder.string());
  plan.rent_usd_per_h = compute_expenses(System(planned), terms).rent_usd_per_h();
  const Deployment deployment = deployment_of(planned, summary, std::move(plan));
  std::vector<std::string> names;
  for (const AnswerFile& config : configs) names.push_back(config.path.lexically_relative(folder).generic_string());
  for (const DeployedServer& server : deployment.servers)
    for (const Chart chart : every_chart) {
      names.push_back(values_file_name(deployment, server, chart));
      configs.push_back(emitted(folder / names.back(), supersonic_values(deployment, server, chart)));
    }
  if (has_client_rules(planned)) {
    names.emplace_back(client_file_name);
    configs.push_back(emitted(folder / client_file_name, client_configuration(planned)));
  }
  configs.push_back(
      emitted(folder / deployment_readme_name, deployment_readme(deployment, gather_facts(planned), names)));
  return configs;
}

Scenario planned_scenario(const Scenario& scenario, double clients, std::uint64_t devices) {
  const DeviceFleet fleet(with_streams(scenario, clients));
  const std::uint64_t in_step = device_count(fleet.with_steps(1));
  return fleet.with_steps(std::max<std::uint64_t>(1, in_step > 0 ? devices / in_step : 1));
}

}  // namespace saturn
