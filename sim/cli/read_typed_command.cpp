#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <optional>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/document.hpp"
#include "sim/cli/option_table.hpp"

namespace saturn {

namespace {

/// Empty where the word is one of the row's choices.
std::string complaint_about_choice(const OptionRow& row, const std::string& word) {
  std::vector<std::string> words = words_of(row.choices);
  if (std::find(words.begin(), words.end(), word) != words.end()) return {};
  const std::string nearest = nearest_name(word, words);
  std::sort(words.begin(), words.end());
  return in_quotes(word) + " is not allowed; it takes one of: " + joined(words) +
         (nearest.empty() ? "" : "; did you mean " + in_quotes(nearest) + "?");
}

std::string complaint_about_number(const OptionRow& row, const std::string& text) {
  const std::optional<std::uint64_t> value = read_whole(text);
  if (value && *value >= row.least && *value <= row.most) return {};
  return in_quotes(text) + " is not allowed; it takes a whole number from " + with_commas(row.least) + " to " +
         with_commas(row.most) + (text.find(',') == std::string::npos ? "" : ", written without commas");
}

CLI::Option* declare(CLI::App& verb, const OptionRow& row) {
  const std::string letter = row.letter.empty() ? "" : std::string(row.letter) + ",";
  const std::string name = letter + std::string(row.name);
  if (row.kind == ValueKind::flag) return verb.add_flag(name);
  CLI::Option* option = verb.add_option(name)->type_name(std::string(row.value))->required(row.is_required);
  if (row.is_repeatable) option->expected(1, CLI::detail::expected_max_vector_size);
  option->allow_extra_args(row.is_repeatable && row.is_argument());
  if (row.kind == ValueKind::choice)
    option->check(CLI::Validator([&row](std::string& text) { return complaint_about_choice(row, text); }, ""));
  if (row.kind == ValueKind::whole)
    option->check(CLI::Validator([&row](std::string& text) { return complaint_about_number(row, text); }, ""));
  return option;
}

using Declared = std::map<const OptionRow*, CLI::Option*>;

Declared declare_options(CLI::App& verb, const std::string& name) {
  Declared declared;
  for (const OptionRow* row : options_of(name)) declared[row] = declare(verb, *row);
  for (const auto& [row, option] : declared) {
    for (const std::string& other : words_of(row->excludes)) option->excludes(declared.at(find_option(name, other)));
    if (!row->needs.empty()) option->needs(declared.at(find_option(name, row->needs)));
  }
  return declared;
}

std::string unknown_verb(const std::string& typed) {
  const std::string nearest = nearest_name(typed, verb_names());
  return shown(typed) + " is no verb; " +
         (nearest.empty() ? "there are " + listed(verb_names()) + "." : "did you mean " + in_quotes(nearest) + "?");
}

std::string unknown_option(const std::string& verb, const std::string& typed) {
  const std::string text = verb + " has no option " + shown(typed);
  std::vector<std::string> others;
  for (const VerbRow& other : verb_rows())
    if (find_option(other.name, typed) != nullptr) others.emplace_back(other.name);
  if (!others.empty()) return text + "; " + joined_and(others, 3) + (others.size() == 1 ? " has one." : " have one.");
  std::vector<std::string> names{"--help"};
  for (const OptionRow* row : options_of(verb))
    if (!row->is_argument()) names.emplace_back(row->name);
  const std::string nearest = nearest_name(typed, names);
  return text + (nearest.empty() ? "." : "; did you mean " + nearest + "?");
}

/// The options that the verb has not, one line each.
std::string unknown_options(const std::string& verb, const std::vector<std::string>& arguments) {
  std::string lines;
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    const std::string name = argument.substr(0, argument.find('='));
    const bool is_long = name.size() > 2 && name.starts_with("--");
    if (!is_long || name == "--help" || find_option(verb, name) != nullptr) continue;
    append_part(lines, unknown_option(verb, name), "\n");
  }
  return lines;
}

/// What is wrong with a command line that was refused: verbs and options that there are not, else what the parser says.
std::string usage_complaint(const std::vector<std::string>& arguments, const CLI::ParseError& error) {
  const auto typed = std::find_if(arguments.begin(), arguments.end(),
                                  [](const std::string& argument) { return !argument.starts_with('-'); });
  if (typed == arguments.end()) return error.what();
  if (find_verb(*typed) == nullptr) return unknown_verb(*typed);
  const std::string unknown = unknown_options(*typed, arguments);
  return unknown.empty() ? error.what() : unknown;
}

TypedCommand typed_command(const std::string& name, const Declared& declared) {
  std::map<const OptionRow*, std::vector<std::string>> values;
  for (const auto& [row, option] : declared) {
    std::vector<std::string>& given = values[row];
    if (option->count() == 0) continue;
    if (row->kind != ValueKind::flag)
      given = option->results();
    else if (option->as<bool>())
      given = {""};
  }
  return {*find_verb(name), values};
}

TypedCommand help_on(const std::string& verb) {
  std::vector<std::string> given;
  if (!verb.empty()) given.push_back(verb);
  return {*find_verb("help"), {{find_option("help", "verb"), given}}};
}

}  // namespace

TypedCommand read_typed_command(const std::vector<std::string>& arguments) {
  CLI::App program;
  program.set_version_flag("--version", "");
  program.require_subcommand(0, 1);
  std::map<std::string, Declared> declared;
  for (const std::string& name : verb_names()) declared[name] = declare_options(*program.add_subcommand(name), name);
  const auto chosen = [&] {
    const std::vector<CLI::App*> verbs = program.get_subcommands();
    return verbs.empty() ? std::string() : verbs.front()->get_name();
  };
  try {
    program.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    return help_on(chosen());
  } catch (const CLI::CallForVersion&) {
    return {*find_verb("version"), {}};
  } catch (const CLI::ParseError& error) {
    throw UsageError(usage_complaint(arguments, error));
  }
  if (chosen().empty())
    throw UsageError("no verb was given. Begin with: saturn plan protodune-big-batch, or see: saturn help");
  TypedCommand command = typed_command(chosen(), declared.at(chosen()));
  for (const OptionRow* row : options_of(command.verb().name))
    for (const std::string& value : command.values_of(row->name))
      if (row->kind == ValueKind::verb && find_verb(value) == nullptr) throw UsageError(unknown_verb(value));
  return command;
}

}  // namespace saturn
