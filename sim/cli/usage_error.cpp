#include "sim/cli/usage_error.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <vector>

#include "scenarios/document.hpp"
#include "scenarios/near_name.hpp"

namespace saturn {

namespace {

std::vector<const CLI::App*> verbs_of(const CLI::App& program) {
  return program.get_subcommands([](const CLI::App*) { return true; });
}

const CLI::App* verb_called(const CLI::App& program, const std::string& name) {
  for (const CLI::App* verb : verbs_of(program))
    if (verb->get_name() == name) return verb;
  return nullptr;
}

/// "--slowdown", "--set" ...; not those that only old scripts may write.
std::vector<std::string> long_options(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options())
    for (const std::string& name : option->get_lnames())
      if (!option->get_group().empty()) names.push_back("--" + name);
  return names;
}

std::string unknown_verb(const CLI::App& program, const std::string& typed) {
  std::vector<std::string> names;
  for (const CLI::App* verb : verbs_of(program)) names.push_back(verb->get_name());
  const std::string nearest = nearest_name(typed, names);
  return shown(typed) + " is no verb; " +
         (nearest.empty() ? "there are " + listed(names) + "." : "did you mean \"" + nearest + "\"?");
}

std::string unknown_option(const CLI::App& program, const CLI::App& verb, const std::string& typed) {
  std::string text = verb.get_name() + " has no option " + shown(typed);
  for (const CLI::App* other : verbs_of(program))
    if (other->get_option_no_throw(typed) != nullptr) return text + "; " + other->get_name() + " has one.";
  const std::string nearest = nearest_name(typed, long_options(verb));
  return text + (nearest.empty() ? "." : "; did you mean " + nearest + "?");
}

/// The options that the verb has not, one line each.
std::string unknown_options(const CLI::App& program, const CLI::App& verb, std::span<const std::string> arguments) {
  std::string lines;
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    const std::string name = argument.substr(0, argument.find('='));
    const bool is_long = name.size() > 2 && name.starts_with("--");
    if (!is_long || verb.get_option_no_throw(name) != nullptr) continue;
    lines += (lines.empty() ? "" : "\n") + unknown_option(program, verb, name);
  }
  return lines;
}

}  // namespace

std::string usage_error(const CLI::App& program, std::span<const std::string> arguments, const CLI::ParseError& error) {
  const auto typed = std::find_if(arguments.begin(), arguments.end(),
                                  [](const std::string& argument) { return !argument.starts_with('-'); });
  if (typed == arguments.end()) return error.what();
  const CLI::App* verb = verb_called(program, *typed);
  if (verb == nullptr) return unknown_verb(program, *typed);
  const std::string unknown = unknown_options(program, *verb, arguments);
  return unknown.empty() ? error.what() : unknown;
}

}  // namespace saturn
