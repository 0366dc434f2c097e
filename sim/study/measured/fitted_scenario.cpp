#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/words/texts.hpp"
#include "reports/calibration/pointer_fit_report.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/document/edited_text.hpp"
#include "scenarios/document/parse_document.hpp"
#include "scenarios/document/scenario_text.hpp"
#include "scenarios/read_scenario.hpp"
#include "sim/run/read_platform.hpp"
#include "sim/study/measured/pointer_fit.hpp"
#include "sim/study/new_files.hpp"

namespace saturn {

namespace {

/// Names of files, which are relative to the scenario, as another folder has to spell them.
void add_paths(const Node& node, const std::string& pointer, const std::filesystem::path& from,
               const std::filesystem::path& to, std::vector<Override>& settings) {
  constexpr std::array names{"file", "fitted", "triton_config", "platform"};
  const bool is_name = std::find(names.begin(), names.end(), node.key) != names.end();
  std::error_code ignored;
  if (is_name && node.kind == NodeKind::text && std::filesystem::is_regular_file(from / node.text, ignored))
    settings.push_back({pointer, path_from(to, from / node.text)});
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const Node& child = node.children[i];
    const std::string key = node.kind == NodeKind::object ? escape_pointer(child.key) : std::to_string(i);
    add_paths(child, pointer + "/" + key, from, to, settings);
  }
}

/// Laws that nobody had measured, and of which every number has now been fitted: they rest on no assumption any more.
void forget_assumptions(const Node& root, const std::vector<FittedPointer>& fitted, std::vector<Override>& settings) {
  constexpr std::array numbers{"per_batch", "per_item", "speed"};
  std::set<std::string> laws;
  for (const FittedPointer& one : fitted) laws.insert(one.pointer.substr(0, one.pointer.rfind('/')));
  for (const std::string& law : laws) {
    const Node* found = node_at(root, law);
    const Node* basis = found == nullptr ? nullptr : found->find("rests_on");
    if (basis == nullptr || basis->text != "assumed") continue;
    const auto is_fitted = [&](const char* number) {
      return std::any_of(fitted.begin(), fitted.end(),
                         [&](const FittedPointer& one) { return one.pointer == law + "/" + number; });
    };
    const bool any = std::any_of(numbers.begin(), numbers.end(), is_fitted);
    const bool all = std::all_of(numbers.begin(), numbers.end(), [&](const char* number) {
      return found->find(number) == nullptr || is_fitted(number);
    });
    if (any && all && found->find("points") == nullptr) settings.push_back({law + "/rests_on", "null"});
  }
}

/// The user's own text with what was fitted in its place; nothing where that text would say something else.
std::optional<std::string> edited_scenario(const ScenarioText& original, const std::vector<Override>& settings,
                                           const std::filesystem::path& out, const std::string& wanted) {
  const std::filesystem::path from = std::filesystem::path(original.name).parent_path();
  const std::filesystem::path to = out.parent_path();
  std::vector<Override> all = settings;
  std::error_code ignored;
  if (!std::filesystem::equivalent(from.empty() ? "." : from, to.empty() ? "." : to, ignored))
    add_paths(parse_document(original.text, 0).root, "", from, to, all);
  std::optional<std::string> text = edited_text(original.text, all);
  if (!text) return std::nullopt;
  try {
    if (read_scenario_text(*text, out.string(), {}, read_platform_file).resolved != wanted) return std::nullopt;
  } catch (const InputError&) {
    return std::nullopt;
  }
  return text;
}

}  // namespace

std::string fitted_scenario(const FitQuestion& question, const PointerFitReport& report, const std::string& out) {
  const FittedStructure& structure = report.structures.at(report.chosen);
  std::vector<Override> settings = question.without_row(question.structures.at(report.chosen));
  for (const FittedPointer& one : structure.pointers) settings.push_back({one.pointer, one.setting});
  const ScenarioText original = checked_text(load_scenario(question.scenario));
  forget_assumptions(parse_document(original.text, 0).root, structure.pointers, settings);
  std::string head;
  for (const std::string& line : fit_in_lines(report))
    for (const std::string& part : wrapped(line, 120)) head += "// " + part + "\n";
  const std::string resolved = read_scenario_file(question.scenario, {}, read_platform_file).resolved_again(settings);
  std::string text = head + edited_scenario(original, settings, out, resolved).value_or(resolved);
  if (!text.ends_with('\n')) text += '\n';
  try {
    read_scenario_text(text, out, {}, read_platform_file);
  } catch (const InputError& error) {
    refuse_input("--out", "fit.not_written",
                 "The scenario with the fitted values cannot stand in a file of its own (" + in_one_line(error) +
                     "); leave --out away and use the --set options that the answer prints.");
  }
  return text;
}

}  // namespace saturn
