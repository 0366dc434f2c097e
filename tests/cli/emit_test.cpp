#include <doctest/doctest.h>

#include "tests/cli/saturn_process.hpp"

using namespace saturn;

TEST_CASE("plan --emit writes a configuration of each model, never over one that exists, and one that reads back") {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  const std::string plan =
      "plan first-steps --format json --emit repository --set /models/graph_net/dynamic_batching=true";
  const ProcessResult written = saturn_process(plan, where);
  CHECK(written.exit_code == 0);
  CHECK(written.err.find("wrote repository/graph_net/config.pbtxt\n") != std::string::npos);
  const std::string text = text_of_file(folder.path() / "repository" / "graph_net" / "config.pbtxt");
  CHECK(text.find("max_batch_size: 1000") != std::string::npos);
  const std::string values = text_of_file(folder.path() / "repository" / "values.yaml");
  CHECK(values.find("nameOverride: \"supersonic-server\"\n") != std::string::npos);
  const std::string readme = text_of_file(folder.path() / "repository" / "README.md");
  CHECK(readme.find("What would most sharply contradict this plan\n") != std::string::npos);
  CHECK(readme.find("perf_analyzer -m graph_net") != std::string::npos);

  const ProcessResult again = saturn_process(plan, where);
  CHECK(again.exit_code == 2);
  CHECK(again.out.empty());
  CHECK(again.err.ends_with(
      "--emit: emit.exists\n  repository/graph_net/config.pbtxt, repository/values.yaml, repository/README.md would be "
      "overwritten; name another folder, or add --force.\n"));
  CHECK(saturn_process(plan + " --force --quiet", where).exit_code == 0);

  // Without the two keys, which then come from the file, the run is the same.
  std::string scenario = saturn_process("examples first-steps").out;
  const std::string limit = "\"max_batch_size\": 1000,";
  const std::size_t at = scenario.find(limit);
  REQUIRE(at != std::string::npos);
  scenario.replace(at, limit.size(), "\"triton_config\": \"repository/graph_net/config.pbtxt\",");
  folder.write("mine.json", scenario);
  CHECK(saturn_process("run mine.json --format csv --quiet", where).out ==
        saturn_process("run first-steps --format csv --quiet --set /models/graph_net/dynamic_batching=true").out);
}

TEST_CASE("--emit refuses a file, and a model whose name would lead out of the folder, before it simulates") {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  folder.write("taken", "mine");
  const ProcessResult file = saturn_process("plan first-steps --emit taken", where);
  CHECK(file.exit_code == 2);
  CHECK(file.err.ends_with("--emit: emit.not_a_folder\n  taken is a file; --emit needs the name of a folder.\n"));

  std::string scenario = saturn_process("examples first-steps").out;
  const std::string name = "graph_net";
  for (std::size_t at = scenario.find(name); at != std::string::npos; at = scenario.find(name, at)) {
    scenario.replace(at, name.size(), "../out");
  }
  folder.write("mine.json", scenario);
  const ProcessResult refused = saturn_process("plan mine.json --emit repository", where);
  CHECK(refused.exit_code == 2);
  CHECK(refused.err.find("emit.not_a_folder_name\n  The model \"../out\" cannot be a folder's name") !=
        std::string::npos);
}

TEST_CASE("A model called like a file of the deployment is refused before anything is simulated") {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  std::string scenario = saturn_process("examples first-steps").out;
  const std::string name = "graph_net";
  for (std::size_t at = scenario.find(name); at != std::string::npos; at = scenario.find(name, at + 1))
    scenario.replace(at, name.size(), "README.md");
  folder.write("mine.json", scenario);
  const ProcessResult refused = saturn_process("plan mine.json --emit repository", where);
  CHECK(refused.exit_code == 2);
  CHECK(
      refused.err.ends_with("--emit: emit.name_taken\n  The model \"README.md\" is called like a file that --emit "
                            "writes beside the models' folders: rename it.\n"));
}
