#include "sim/cli/command_line.hpp"

#include <algorithm>
#include <cctype>

namespace saturn {

std::string shell_word(const std::string& word) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string("_-./=:,+@%").find(c) != std::string::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string scenario_command(const std::string& verb, const ScenarioOptions& options) {
  std::string command = "saturn " + verb;
  if (!options.scenario.empty()) command += " " + shell_word(options.scenario);
  for (const std::string& change : options.set) command += " --set " + shell_word(change);
  return command;
}

std::string reproducing_command(const std::string& verb, const ScenarioOptions& options) {
  return scenario_command(verb, options) + (options.seed ? " --seed " + std::to_string(*options.seed) : "");
}

}  // namespace saturn
