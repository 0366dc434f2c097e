#include "sim/cli/exit_code.hpp"
#include "sim/cli/print_answer.hpp"

int main(int argc, char** argv) {
  saturn::open_standard_files();
  const saturn::PrintableErrors printable_errors;
  return static_cast<int>(saturn::do_command({argv + 1, argv + argc}));
}
