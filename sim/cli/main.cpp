#include <exception>
#include <iostream>

#include "models/values/text.hpp"
#include "scenarios/document/complaints.hpp"
#include "sim/cli/exit_code.hpp"
#include "sim/cli/option_table.hpp"
#include "sim/cli/print_answer.hpp"
#include "sim/study/request.hpp"
#include "sim/study/run_failed.hpp"

namespace {

using saturn::ExitCode;
using saturn::TypedCommand;

int code(ExitCode exit_code) {
  return static_cast<int>(exit_code);
}

/// Does the verb and turns what it throws into an exit code.
int answer(const TypedCommand& typed) {
  try {
    const ExitCode exit_code = saturn::do_verb(typed);
    saturn::finish_stdout();
    return code(exit_code);
  } catch (const saturn::InputError& error) {
    for (const saturn::Complaint& complaint : error.complaints()) std::cerr << complaint.formatted() << "\n";
    return code(ExitCode::input);
  } catch (const saturn::RunFailed& failed) {
    std::cerr << failed.what() << "\n";
    return code(failed.exit_code());
  } catch (const saturn::Interrupted& interrupted) {
    std::cerr << "saturn: " << interrupted.what() << "\n";
    return code(ExitCode::interrupted);
  } catch (const std::exception& error) {
    std::cerr << "saturn: an error of the program itself, not of your input: " << error.what()
              << "\nPlease report it with the command and the scenario.\n";
    return code(ExitCode::our_bug);
  }
}

}  // namespace

int main(int argc, char** argv) {
  saturn::open_standard_files();
  const saturn::PrintableErrors printable_errors;
  try {
    const TypedCommand typed = saturn::read_typed_command({argv + 1, argv + argc});
    if (!saturn::output_options(typed).quiet) std::cerr << typed.notes_on_former_names();
    return answer(typed);
  } catch (const saturn::UsageError& error) {
    std::cerr << "saturn: " << saturn::printable_lines(error.what())
              << "\nRun \"saturn --help\" or \"saturn VERB --help\" for what is allowed.\n";
    return code(ExitCode::usage);
  }
}
