#include "sim/cli/main.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <exception>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "models/values/text.hpp"
#include "models/words/texts.hpp"
#include "reports/run/provenance.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/document.hpp"
#include "sim/cli/exit_code.hpp"
#include "sim/cli/options.hpp"
#include "sim/study/run_failed.hpp"

namespace CLI {

class App;
class ParseError;

}  // namespace CLI

namespace saturn {

namespace {

/// CLI11 shows no option of the group without a name.
const std::string hidden_group;

bool is_quiet(const CLI::App& verb) {
  const CLI::Option* quiet = verb.get_option_no_throw("--quiet");
  return quiet != nullptr && quiet->count() > 0;
}

}  // namespace

void make_former_name(CLI::Option& option, const std::string& now) {
  option.group(hidden_group)->description(now);
}

void say_former_names(const CLI::App& program) {
  for (const CLI::App* verb : program.get_subcommands()) {
    if (is_quiet(*verb)) continue;
    for (const CLI::Option* option : verb->get_options())
      if (option->get_group() == hidden_group && option->count() > 0)
        std::cerr << "saturn: note: --" << option->get_lnames().front() << " of " << verb->get_name() << " is now "
                  << option->get_description() << "; the next version will not know the old name.\n";
  }
}

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
    append_part(lines, unknown_option(program, verb, name), "\n");
  }
  return lines;
}

}  // namespace

/// What is wrong with a command line that was refused: verbs and options that there are not, each with the nearest one
/// that there is; else what the parser says.
/// @param arguments  as typed, without the program's name
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

namespace {

int code(saturn::ExitCode exit_code) {
  return static_cast<int>(exit_code);
}

std::string version_text() {
  const saturn::Provenance build = saturn::provenance_of("", 0, "");
  return "saturn " + build.version + " (" + build.git + ") on SimGrid " + build.simgrid;
}

/// Runs the chosen verb and turns what it throws into an exit code.
int answer(const saturn::Chosen& chosen) {
  try {
    const saturn::ExitCode exit_code = chosen();
    saturn::finish_stdout();
    return code(exit_code);
  } catch (const saturn::InputError& error) {
    for (const saturn::Complaint& complaint : error.complaints()) std::cerr << complaint.formatted() << "\n";
    return code(saturn::ExitCode::input);
  } catch (const saturn::RunFailed& failed) {
    std::cerr << failed.what() << "\n";
    return code(failed.exit_code());
  } catch (const saturn::Interrupted& interrupted) {
    std::cerr << "saturn: " << interrupted.what() << "\n";
    return code(saturn::ExitCode::interrupted);
  } catch (const std::exception& error) {
    std::cerr << "saturn: an error of the program itself, not of your input: " << error.what()
              << "\nPlease report it with the command and the scenario.\n";
    return code(saturn::ExitCode::our_bug);
  }
}

}  // namespace

int main(int argc, char** argv) {
  saturn::open_standard_files();
  const saturn::PrintableErrors printable_errors;
  CLI::App program{"How many CPU jobs can one GPU serve, what saturates first, what next, and what does it cost?"};
  program.name("saturn");
  program.set_version_flag("--version", version_text());
  program.require_subcommand(1);
  program.footer(
      "Begin with:\n"
      "  saturn plan protodune-big-batch      how many jobs one GPU carries\n"
      "  saturn examples                      the shipped scenarios\n"
      "  saturn plan --help                   what a verb can do, with examples\n"
      "Exit codes: 0 answered, 1 our bug, 2 your input, 3 no plan, 4 precision not reached, 64 usage, 130 interrupted");

  saturn::Chosen chosen;
  saturn::add_check_command(program, chosen);
  saturn::add_run_command(program, chosen);
  saturn::add_plan_command(program, chosen);
  saturn::add_sweep_command(program, chosen);
  saturn::add_merge_command(program, chosen);
  saturn::add_compare_command(program, chosen);
  saturn::add_calibrate_command(program, chosen);
  saturn::add_validate_command(program, chosen);
  saturn::add_report_command(program, chosen);
  saturn::add_show_command(program, chosen);
  saturn::add_schema_command(program, chosen);
  saturn::add_examples_command(program, chosen);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // --help and --version.
    if (error.get_exit_code() == 0)
      return answer([&] {
        program.exit(error);
        return saturn::ExitCode::answered;
      });
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    std::cerr << "saturn: " << saturn::printable_lines(saturn::usage_error(program, arguments, error))
              << "\nRun \"saturn --help\" or \"saturn VERB --help\" for what is allowed.\n";
    return code(saturn::ExitCode::usage);
  }
  saturn::say_former_names(program);
  return answer(chosen);
}
