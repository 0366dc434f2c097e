#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/cli/saturn_process.hpp"

using namespace saturn;

namespace {

struct BadInput {
  std::string change;    ///< arguments after the scenario's name
  std::string code;      ///< stable code of the complaint
  std::string sentence;  ///< must stand in it
};

}  // namespace

TEST_CASE("bad input is refused before anything runs, by name, with the way out, and nothing is written") {
  const std::vector<BadInput> inputs{
      {"--set '/jobs/0/event/0/cpu=110'", "scenario.missing_unit",
       "/jobs/0/event/0/cpu is 110; a duration needs its unit"},
      {"--set /jobs/0/cuont=5", "scenario.unknown_key", "count"},
      {"--set /servers/0/devices/count=0", "scenario.", "/servers/0/devices/count is 0"},
      {"--set '/network/links=[]'", "scenario.missing_link",
       "/jobs/0/event/2/infer calls \"emtrk\" from \"fnal\" on server \"gke\" at \"iowa\", but no path of links joins "
       "the two sites"},
      {"--set /models/emtrk/max_batch_size=1000", "scenario.batch_too_large",
       "/jobs/0/event/2/request_batch puts 1,719 items into a request, but /models/emtrk/max_batch_size is 1,000; "
       "lower "
       "\"request_batch\" or raise that."},
      {"--set /jobs/0/count=1000000000000", "scenario.", "/jobs/0/count"},
      {"--set /jobs/0/event/2/infer=emtrq", "scenario.unknown_model", "Did you mean \"emtrk\"?"},
      {"--set jobs=1", "set.not_an_override", "--set /json/pointer=value"},
      {"--set '/jobs/0/event/0/cpu=-3 s'", "scenario.", "/jobs/0/event/0/cpu"},
      {"--time-limit 600", "option.not_a_quantity", "--time-limit is \"600\"; a duration above 0 needs its unit"},
      {"--memory-limit '1 kB'", "option.out_of_range", "allowed is 64 MB to 4 EiB."},
  };
  for (const BadInput& input : inputs) {
    const TemporaryFolder folder;
    const ProcessResult result =
        saturn_process("run protodune-big-batch --quiet --out results " + input.change, folder.path().string());
    CAPTURE(input.change);
    CAPTURE(result.err);
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    CHECK(result.err.find(input.code) != std::string::npos);
    CHECK(result.err.find(input.sentence) != std::string::npos);
    CHECK(folder.file_count() == 0);
  }
}

TEST_CASE("a missing file is refused by name") {
  const ProcessResult result = saturn_process("run no-such-file.json");
  CHECK(result.exit_code == 2);
  CHECK(result.err.starts_with("no-such-file.json: scenario."));
}

TEST_CASE("all complaints about a file come at once, each with its line") {
  const TemporaryFolder folder;
  std::string text = saturn_process("examples first-steps").out;
  const std::string five = "\"rtt\": \"5 ms\"";
  const std::string count = "\"count\": 20";
  REQUIRE(text.find(five) != std::string::npos);
  REQUIRE(text.find(count) != std::string::npos);
  text.replace(text.find(five), five.size(), "\"rtt\": 5");
  text.replace(text.find(count), count.size(), "\"count\": 0");
  folder.write("mine.json", text);
  const ProcessResult result = saturn_process("check mine.json", folder.path().string());
  CHECK(result.exit_code == 2);
  CHECK(result.err.find("/network/links/0/rtt is 5; a duration needs its unit") != std::string::npos);
  CHECK(result.err.find("/jobs/0/count is 0") != std::string::npos);
  CHECK(result.err.find("mine.json:") == 0);
}
