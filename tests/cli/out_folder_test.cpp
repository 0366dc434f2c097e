#include <doctest/doctest.h>

#include "tests/cli/saturn_process.hpp"

using namespace saturn;

TEST_CASE("--out writes the three forms of the answer that stdout can show") {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  const ProcessResult table = saturn_process("check first-steps --out results", where);
  CHECK(table.exit_code == 0);
  CHECK(text_of_file(folder.path() / "results" / "result.txt") == table.out);
  CHECK(text_of_file(folder.path() / "results" / "result.json") ==
        saturn_process("check first-steps --format json").out);
  CHECK(text_of_file(folder.path() / "results" / "result.csv") == saturn_process("check first-steps --format csv").out);
  CHECK(folder.file_count() == 4);
}

TEST_CASE("--out refuses to replace results, names them, and obeys --force") {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  folder.write("result.csv", "mine");
  const ProcessResult refused = saturn_process("run first-steps --out .", where);
  CHECK(refused.exit_code == 2);
  CHECK(refused.out.empty());
  CHECK(refused.err ==
        "--out: out.exists\n  ./result.csv would be overwritten; name another folder, or add --force.\n");
  CHECK(text_of_file(folder.path() / "result.csv") == "mine");
  CHECK(saturn_process("check first-steps --out . --force", where).exit_code == 0);
  CHECK(text_of_file(folder.path() / "result.csv") != "mine");
}
