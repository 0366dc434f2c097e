#include <CLI/CLI.hpp>

#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "models/printable_text.hpp"
#include "reports/provenance.hpp"
#include "scenarios/complaint.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/former_names.hpp"
#include "sim/cli/run_failed.hpp"
#include "sim/cli/standard_files.hpp"
#include "sim/cli/usage_error.hpp"

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
