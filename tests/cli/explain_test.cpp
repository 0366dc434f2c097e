#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/cli/saturn_process.hpp"

using namespace saturn;
using nlohmann::json;

namespace {

json result_of(const std::string& arguments) {
  return json::parse(saturn_process(arguments + " --format json --quiet").out)["result"];
}

}  // namespace

TEST_CASE("an explanation leaves the run's own numbers as they are, and its changes are those that --set gives") {
  const std::string plain = "run first-steps --set /run/min_replications=4 --set /run/max_replications=4";
  const json alone = result_of(plain);
  const json explained = result_of(plain + " --explain");
  CHECK(explained["event_time_s"] == alone["event_time_s"]);
  CHECK_FALSE(alone.contains("explain"));

  const std::string setting = "/servers/0/devices/count=2";
  const json& explain = explained["explain"];
  const auto change = std::find_if(explain.begin(), explain.end(),
                                   [&](const json& one) { return one["set"] == json::array({setting}); });
  REQUIRE(change != explain.end());
  const json varied = result_of(plain + " --set " + setting);
  const double before = alone["events_per_s"]["mean"];
  const double after = varied["events_per_s"]["mean"];
  const json& gain = (*change)["events_per_s_change"];
  CHECK(gain["mean"].get<double>() == doctest::Approx(after / before - 1.0));
  CHECK(gain["replications"] == 4);
  CHECK((*change)["verdict"] == "gains");
  // The random numbers in common: the ratio is known better than the ratio of two strangers.
  const auto relative_width = [](const json& estimate) {
    return (estimate["high"].get<double>() - estimate["low"].get<double>()) / 2 / estimate["mean"].get<double>();
  };
  const double strangers = std::hypot(relative_width(alone["events_per_s"]), relative_width(varied["events_per_s"]));
  const double ratio = 1.0 + gain["mean"].get<double>();
  CHECK((gain["high"].get<double>() - gain["low"].get<double>()) / 2 / ratio < strangers);
}

TEST_CASE("an explanation does not depend on the number of processes, and its command repeats it") {
  const std::string run = "run first-steps --explain --format json --quiet";
  const std::string one = saturn_process(run + " --workers 1").out;
  CHECK(one == saturn_process(run + " --workers 3").out);
  CHECK(json::parse(one)["provenance"]["command"] == "saturn run first-steps --explain");
}

TEST_CASE("changes that the reader refuses are left out with its words") {
  const json result = result_of("run first-steps --explain --set /servers/0/devices/count=1024");
  bool found = false;
  for (const json& one : result["explain_left_out"]) {
    if (one["change"] != "server: 1025 small_gpu in each node, not 1024") continue;
    found = true;
    CHECK(one["why"].get<std::string>().find("/servers/0/devices/count is 1025") != std::string::npos);
  }
  CHECK(found);
}

TEST_CASE("one replication alone cannot be explained") {
  CHECK(saturn_process("run first-steps --explain --replica 0").exit_code == 64);
}
