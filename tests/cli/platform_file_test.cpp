#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <stdexcept>

#include "tests/cli/saturn_process.hpp"

using namespace saturn;
using nlohmann::json;

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
  json answer(const std::string& arguments) const {
    const ProcessResult result = saturn(arguments + " --format json");
    CAPTURE(result.err);
    REQUIRE(result.exit_code == 0);
    return json::parse(result.out);
  }
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

TEST_CASE("the documented platform file is checked, run and planned, and its shared link binds") {
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

TEST_CASE("a platform file that tells SimGrid to write a file does not get to it") {
  const Documented example(replaced(documented("xml"), "  <zone",
                                    "  <config><prop id=\"tracing\" value=\"1\"/>"
                                    "<prop id=\"tracing/filename\" value=\"thesis.tex\"/></config>\n  <zone"));
  example.folder.write("thesis.tex", "three years of work");
  const ProcessResult result = example.saturn("check farm.json");
  CHECK(result.exit_code == 2);
  CHECK(
      result.err.starts_with("site.xml:4:3: scenario.platform_element\n  The platform file has the element <config>"));
  CHECK(text_of_file(example.folder.path() / "thesis.tex") == "three years of work");
}

TEST_CASE("a cluster of 50,000,000 hosts is refused by count, before any of them is made") {
  const Documented example(with_cluster("0-49999999"));
  const auto begin = std::chrono::steady_clock::now();
  const ProcessResult result = example.saturn("check farm.json");
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(2));
  CHECK(result.exit_code == 2);
  CHECK(result.err.find(": scenario.platform_too_large\n") != std::string::npos);
}

TEST_CASE("an interrupt while SimGrid reads a platform file ends with 130") {
  // SimGrid takes seconds for so many hosts.
  const Documented example(with_cluster("0-199999"));
  const ProcessResult result =
      saturn_process("check farm.json", example.folder.path().string(), "timeout --preserve-status -s INT 0.4");
  CHECK(result.exit_code == 130);
  CHECK(result.out.empty());
}

TEST_CASE("what is wrong with a platform file is said by the program, with exit code 2") {
  struct BadFile {
    const char* piece;
    const char* other;
    const char* sentence;
  };
  const BadFile files[] = {
      {"\"2Gbps\"", "\"2Gbps\" oops=\"1\"",
       "/network/platform names \"site.xml\", which cannot be used: SimGrid cannot load it"},
      {"<host id=\"farm\"", "<host id=\"ferm\"", "scenario.unknown_host"},
      {"<link_ctn id=\"wan\" direction=\"DOWN\"/>", "<link_ctn id=\"wen\"/>", "Link not found: wen"},
      {"sharing_policy=\"FATPIPE\"", "sharing_policy=\"WIFI\" ", "which cannot be used"},
  };
  for (const BadFile& file : files) {
    std::string platform = documented("xml");
    if (std::string(file.piece).find("farm") != std::string::npos) {
      platform = replaced(platform, "src=\"farm\"", "src=\"ferm\"");
      platform = replaced(platform, "dst=\"farm\"", "dst=\"ferm\"");
    }
    const Documented example(replaced(platform, file.piece, file.other));
    const ProcessResult result = example.saturn("run farm.json");
    CAPTURE(file.piece);
    CAPTURE(result.err);
    CHECK(result.exit_code == 2);
    CHECK(result.err.find(file.sentence) != std::string::npos);
    CHECK(result.out.empty());
  }
}
