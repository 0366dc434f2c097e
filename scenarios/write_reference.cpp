#include <fstream>
#include <iostream>

#include "scenarios/read_scenario.hpp"

/// Writes docs/scenario-reference.md from the field table. @param argv  the file to write
int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: write_reference FILE\n";
    return 64;
  }
  std::ofstream file(argv[1], std::ios::binary);
  file << saturn::scenario_reference();
  return file.flush() ? 0 : 1;
}
