#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>
#include <string>

#include "sim/sweep/points_csv.hpp"
#include "sim/sweep/result_log.hpp"
#include "sim/sweep/sweep_plan.hpp"
#include "tests/sweep/drawn_sweeps.hpp"

using namespace saturn;
using namespace saturn::tests;

namespace {

// The lines of the block that begins so.
std::string block(const std::string& document, const std::string& begin) {
  const std::size_t first = document.find("```" + begin + "\n");
  REQUIRE(first != std::string::npos);
  const std::size_t text = first + begin.size() + 4;
  return document.substr(text, document.find("```", text) - text);
}

}  // namespace

TEST_CASE("the files that docs/sweep-folder.md shows are what the program reads and writes") {
  const std::string document = file_text(std::filesystem::path(SATURN_SOURCE_FOLDER) / "docs/sweep-folder.md");
  const SweepScratch scratch;
  write_text(scratch / "plan.jsonl", block(document, "json plan"));
  const SweepPlan plan = read_plan(scratch.path());
  write_plan(plan, scratch.path());
  CHECK(file_text(scratch / "plan.jsonl") == block(document, "json plan"));

  std::istringstream lines(block(document, "json results"));
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const auto read = parse_result_line(line);
    REQUIRE(read.has_value());
    CHECK(result_line(read->id, read->result) == line + "\n");
  }
  CHECK(count == 3);

  write_text(scratch / "results/worker-1.jsonl", block(document, "json results"));
  CHECK(points_csv(sweep_table(plan, read_results(scratch.path()))) == block(document, "csv"));
}
