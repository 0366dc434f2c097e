#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "models/sha256.hpp"
#include "sim/sweep/point_id.hpp"
#include "tests/cli/saturn_process.hpp"

using namespace saturn;

namespace {

/// points.csv without the column of ids, which say what was asked.
std::string without_ids(const std::string& csv) {
  std::string result;
  std::stringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(',');
    result += line.substr(0, first) + line.substr(line.find(',', first + 1)) + "\n";
  }
  return result;
}

std::string fingerprint(const std::string& scenario_and_axes) {
  const TemporaryFolder folder;
  const std::string out = " --format csv --quiet --out " + folder.path().string();
  return sha256_hex(without_ids(saturn_process("sweep " + scenario_and_axes + out).out)).substr(0, 16);
}

}  // namespace

// No oracle: what is right is tested elsewhere. Here a change of results is noticed, of which sweeps have to know.
TEST_CASE("results of sweeps are those of results_version; whoever changes results raises it, and renews these") {
  const std::string three = " --set /run/max_replications=3 --set /run/min_replications=3 --axis ";
  REQUIRE(results_version == "1");
  CHECK(fingerprint("machine-repairman" + three + "/jobs/0/count=2,8") == "3fe89776d32aee32");
  CHECK(fingerprint("mm1" + three + "/run/seed=1,2") == "75ed886773e8e741");
  CHECK(fingerprint("protodune-big-batch --set /run/brief=true --axis /jobs/0/count=100,300") == "1e8792ee6ad06a45");
  CHECK(fingerprint("triton-fastpitch-a100 --set /run/brief=true --axis /run/seed=1") == "1cefbdec9666f193");
}
