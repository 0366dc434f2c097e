#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "scenarios/read_scenario.hpp"
#include "tests/cli/sample_sweep.hpp"

using namespace saturn;
using nlohmann::json;

TEST_CASE("show prints a sweep's summary and its points, with --x and --y a map") {
  const TemporaryFolder folder;
  write_sample_sweep(folder, "s");
  const std::string where = folder.path().string();
  const std::string summary =
      "Sweep of Four GPUs: saturn run at each point, seed 42\n"
      "  rtt: 0.5, 100 ms\n"
      "  dispatch: round_robin, least_loaded\n"
      "  4 points: 2 answered (1 of them less precise than asked), 1 failed, 1 not\n"
      "  computed yet (25 %; the sweep command computes them).\n"
      "  × out of time at 1 point (2): the point took longer than 1 h (--point-time)\n"
      "\n";
  const ProcessResult table = saturn_process("show s --metric event_time", where);
  CHECK(table.exit_code == 0);
  CHECK(table.err.empty());
  CHECK(table.out == summary +
                         "  point  rtt [ms]      dispatch  event_time [s]\n"
                         "      0       0.5   round_robin     119.2 ± 0.3\n"
                         "      1       0.5  least_loaded         132 ± 6  less precise than asked\n"
                         "      2       100   round_robin               –  failed: out of time\n"
                         "      3       100  least_loaded               –  not computed yet\n"
                         "\n"
                         "  × out of time at 1 point (2): the point took longer than 1 h (--point-time)\n");
  const ProcessResult map = saturn_process("show s --metric event_time --x rtt --y dispatch", where);
  CHECK(map.out == summary +
                       "event_time [s]\n"
                       "  dispatch\n"
                       "  least_loaded  ██  ~132        ·\n"
                       "   round_robin  ░░ 119.2        ×\n"
                       "                     0.5      100  rtt [ms]\n"
                       "\n"
                       "  ░░ from 119 ▒▒ 122 ▓▓ 125 ██ 128 to 132 s\n"
                       "  × failed (1 point)\n"
                       "  · not computed yet (1 point)\n"
                       "  ~ less precise than asked (1 point)\n");
}

TEST_CASE("show --at means the same value in another unit, in every format") {
  const TemporaryFolder folder;
  write_sample_sweep(folder, "s");
  const ProcessResult csv = saturn_process("show s --at rtt=\"500 us\" --format csv", folder.path().string());
  CHECK(csv.exit_code == 0);
  CHECK(csv.out ==
        "point,id,rtt_s,dispatch,status,failure,reason,replications,events_per_s,events_low_per_s,events_high_per_s,"
        "event_time_s,event_time_low_s,event_time_high_s,jobs,binding\n"
        "0,1f6a0c52d1c94b7fa2e60d3c5b8e9f01,5e-04,round_robin,answered,,,3,2.25,2.24,2.26,119.2,118.9,119.5,268,"
        "gke/t4\n"
        "1,9b3de2774c0f4a15b6c8a1d2e3f40516,5e-04,least_loaded,imprecise,,,32,2.04,1.95,2.14,131.5,125.25,137.75,268,"
        "gke/t4\n");
}

TEST_CASE("show --sqlite replaces no database without --force, and nothing else ever") {
  const TemporaryFolder folder;
  write_sample_sweep(folder, "s");
  const std::string where = folder.path().string();
  const ProcessResult written = saturn_process("show s --sqlite s.db", where);
  CHECK(written.exit_code == 0);
  CHECK(written.err == "s.db holds 4 points.\n");
  CHECK(text_of_file(folder.path() / "s.db").starts_with("SQLite format 3"));
  CHECK(saturn_process("show s --sqlite s.db", where).err ==
        "--sqlite: out.exists\n  s.db would be overwritten; name another file, or add --force.\n");
  CHECK(saturn_process("show s --sqlite s.db --force --quiet", where).exit_code == 0);
  CHECK(saturn_process("show s --sqlite s/plan.jsonl --force", where).err ==
        "--sqlite: out.exists\n"
        "  s/plan.jsonl is no SQLite database, so that not even --force replaces it; name another file.\n");
  CHECK(text_of_file(folder.path() / "s" / "plan.jsonl") == sample_sweep_plan());
}

TEST_CASE("the list of examples names every shipped scenario with its title") {
  const json listed = json_answer("examples");
  CHECK(listed["scenarios"].size() == shipped_scenarios().size());
  for (const auto& item : listed["scenarios"]) CHECK(!item["title"].get<std::string>().empty());
}

TEST_CASE("examples are printed and copied as they are") {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  const std::string printed = saturn_process("examples protodune-big-batch").out;
  CHECK(saturn_process("examples --copy mine protodune-big-batch", where).exit_code == 0);
  CHECK(text_of_file(folder.path() / "mine" / "protodune-big-batch.json") == printed);
}

TEST_CASE("plan answers every shipped scenario at its own number of jobs, and names the tolerance" *
          doctest::test_suite("release")) {
  // Short windows: what is tested is that there is an answer. Ten thousand clients take long whatever the window, and a
  // hundred that think a hundredth as long ask the same of the server.
  const std::string brief =
      " --set /run/brief=true --set /run/cycles=3 --set /run/min_replications=1 --set "
      "/run/max_replications=3 --set '/run/precision=50 %'";
  const std::string fewer =
      " --set /jobs/0/count=100 --set '/jobs/0/event/0/cpu={ \"exponential\": { \"mean\": \"125 s\" } }'";
  for (const EmbeddedFile& file : shipped_scenarios()) {
    const std::string name(file.name);
    CAPTURE(name);
    const bool crowded = name == "mm1" || name == "mmc" || name == "md1";
    const std::string sentence = json_answer("plan " + name + brief + (crowded ? fewer : ""))["sentence"];
    CHECK(sentence.find("0 jobs per") != 0);
    if (sentence.find(" events/s. ") == std::string::npos) CHECK(sentence.find(" % longer") != std::string::npos);
  }
}

TEST_CASE("the schema is JSON of the promised draft") {
  const json schema = json::parse(saturn_process("schema").out);
  CHECK(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema");
  CHECK(saturn_process("schema --reference").out == scenario_reference());
}

namespace {

/// The first block of a language in the section of docs/models/network.md about platform files.
std::string documented(const std::string& language) {
  const std::string text = text_of_file(std::filesystem::path(SATURN_SOURCE_DIR) / "docs/models/network.md");
  const std::string fence = "```" + language + "\n";
  const std::size_t section = text.find("\n## SimGrid platform files\n");
  const std::size_t begin = text.find(fence, section);
  const std::size_t end = text.find("```\n", begin + fence.size());
  if (section == std::string::npos || begin == std::string::npos || end == std::string::npos)
    throw std::logic_error("docs/models/network.md has no example of a platform file");
  return text.substr(begin + fence.size(), end - begin - fence.size());
}

/// The documented scenario and its platform file in a folder.
struct Documented {
  explicit Documented(const std::string& platform = documented("xml")) {
    folder.write("farm.json", documented("json"));
    folder.write("site.xml", platform);
  }
  ProcessResult saturn(const std::string& arguments) const {
    return saturn_process(arguments + " --quiet", folder.path().string());
  }
  json answer(const std::string& arguments) const { return json_answer(arguments, folder.path().string()); }
  TemporaryFolder folder;
};

std::string replaced(std::string text, const std::string& piece, const std::string& other) {
  const std::size_t at = text.find(piece);
  if (at == std::string::npos) throw std::logic_error("the platform has no " + piece);
  return text.replace(at, piece.size(), other);
}

/// The documented platform beside a cluster.
std::string with_cluster(const std::string& radical) {
  const std::string inner = replaced(documented("xml"), "<zone", "<zone id=\"all\" routing=\"Full\"><zone");
  return replaced(inner, "</zone>",
                  "</zone><cluster id=\"c\" prefix=\"h\" suffix=\"\" radical=\"" + radical +
                      "\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\"/></zone>");
}

}  // namespace

TEST_CASE("the documented platform file is checked, run and planned, and its shared link binds" *
          doctest::test_suite("release")) {
  const Documented example;
  for (const char* command :
       {"check farm.json", "plan farm.json --set /jobs/0/count=50", "run farm.json --set /network/flows=simgrid"}) {
    const ProcessResult result = example.saturn(command);
    CAPTURE(command);
    CAPTURE(result.err);
    CHECK(result.exit_code == 0);
    CHECK(result.out.find("lan") != std::string::npos);
  }
  // 1000 items of 25 kB and 5 kB over 250 MB/s, for each of 100 jobs.
  const double bound = 100.0 * 1000.0 * 30e3 / 250e6;
  const json run = example.answer("run farm.json");
  CHECK(run.at("/result/binding/resource"_json_pointer) == "lan");
  const double event_time = run.at("/result/event_time_s/mean"_json_pointer).get<double>();
  CHECK(event_time == doctest::Approx(bound).epsilon(0.01));
}

TEST_CASE("the identity of a scenario changes with its platform file") {
  const Documented example;
  const auto identity = [](const json& answer) { return answer.at("provenance").at("scenario_sha256"); };
  const json first = identity(example.answer("check farm.json"));
  CHECK(identity(example.answer("check farm.json")) == first);
  const Documented other(replaced(documented("xml"), "100us", "200us"));
  CHECK(identity(other.answer("check farm.json")) != first);
}

TEST_CASE("an interrupt while SimGrid reads a platform file ends with 130") {
  // SimGrid takes seconds for so many hosts.
  const Documented example(with_cluster("0-199999"));
  const ProcessResult result =
      saturn_process("check farm.json", example.folder.path().string(), "timeout --preserve-status -s INT 0.4");
  CHECK(result.exit_code == 130);
  CHECK(result.out.empty());
}
