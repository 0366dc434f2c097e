#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

#include "tests/cli/saturn_process.hpp"

using namespace saturn;
using Json = nlohmann::json;

namespace {

// Two GPUs of 20 ms an event serve at most 100 events/s; 40 event loops of 100 ms CPU and 20 ms GPU serve 333.
constexpr const char* counter = R"({
  "schema": "saturn-scenario/1",
  "jobs": [{ "name": "trigger", "site": "farm", "count": 40, "arrivals": { "constant": { "rate": "120 Hz" } },
             "buffer": 10, "event": [{ "cpu": "100 ms" }, { "infer": "tagger", "items": 1 }] }],
  "models": { "tagger": { "input": "0 B", "max_batch_size": 1, "service": { "t4": { "per_batch": "20 ms" } } } },
  "servers": [{ "name": "gpus", "site": "farm", "devices": { "type": "t4", "count": 2 }, "models": ["tagger"] }],
  "devices": { "t4": { "kind": "gpu" } },
  "run": { "window": "20 s", "min_replications": 3, "max_replications": 3 }
})";

std::string page_of(const TemporaryFolder& folder, const std::string& scenario) {
  folder.write("trigger.json", scenario);
  const ProcessResult result =
      saturn_process("report trigger.json --out page.html --budget '5 min' --quiet", folder.path().string());
  REQUIRE_MESSAGE(result.exit_code == 0, result.err);
  return text_of_file(folder.path() / "page.html");
}

Json panel_of(const std::string& page) {
  const std::string head = "id=\"planner-data\">";
  const std::size_t at = page.find(head);
  REQUIRE(at != std::string::npos);
  const std::size_t begin = at + head.size();
  return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

}  // namespace

TEST_CASE("where events arrive, the panel has their rate, the demands, and the plan's simulated losses") {
  const TemporaryFolder folder;
  const Json model = panel_of(page_of(folder, counter));
  CHECK(model["arrivals_per_s"].get<double>() == doctest::Approx(120.0));
  CHECK(model["clients"] == 40.0);
  CHECK(model["devices"] == 2.0);
  CHECK(model["cpu_s"].get<double>() == doctest::Approx(0.1));
  CHECK(model["device_s"].get<double>() == doctest::Approx(0.02));
  REQUIRE(model["resources"].size() == 1);
  CHECK(model["resources"][0]["demand_s"].get<double>() == doctest::Approx(0.01));
  CHECK(model["resources"][0]["follows"] == "device");
  CHECK(model["simulated"].empty());
  // By the demands alone three GPUs are needed; two of them lose 1 - 100/120.
  REQUIRE(model["losses"].size() >= 2);
  for (const Json& loss : model["losses"]) {
    const double least = std::max(0.0, 1.0 - loss["devices"].get<double>() * 50.0 / 120.0);
    CHECK(loss["lost_fraction"].get<double>() == doctest::Approx(least).epsilon(0.03));
    CHECK(loss["low"].get<double>() <= loss["lost_fraction"].get<double>());
    CHECK(loss["high"].get<double>() >= loss["lost_fraction"].get<double>());
  }
}

TEST_CASE("where events arrive at some pools alone, a sentence takes the panel's place") {
  const TemporaryFolder folder;
  Json mixed = Json::parse(counter);
  mixed["jobs"].push_back(mixed["jobs"][0]);
  mixed["jobs"][1]["name"] = "offline";
  mixed["jobs"][1].erase("arrivals");
  mixed["jobs"][1].erase("buffer");
  const std::string page = page_of(folder, mixed.dump());
  CHECK(page.find("id=\"planner-data\"") == std::string::npos);
  CHECK(page.find("the panel&#39;s formulas are those of one pool.") != std::string::npos);
}
