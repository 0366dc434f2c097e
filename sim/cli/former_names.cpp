#include "sim/cli/former_names.hpp"

#include <CLI/CLI.hpp>

#include <iostream>

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

}  // namespace saturn
