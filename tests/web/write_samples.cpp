#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "tests/figures/figure_samples.hpp"
#include "tests/web/plain_figures.hpp"

/// Writes the figures that the tests in JavaScript look at, as render.mjs takes them: {"figures": [{"name", "spec"}]}.
int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: write_samples FILE\n";
    return 64;
  }
  std::ofstream file(argv[1]);
  const char* before = "{\"figures\": [\n";
  std::vector<saturn::Figure> figures = saturn::plain_figures();
  std::ranges::move(saturn::sample_figures(), std::back_inserter(figures));
  for (const saturn::Figure& figure : figures) {
    if (figure.spec.empty()) continue;
    file << before << "{\"name\": \"" << figure.name << "\", \"spec\": " << saturn::spec_with_rows(figure) << "}";
    before = ",\n";
  }
  file << "\n]}\n";
  return file.flush() ? 0 : 1;
}
