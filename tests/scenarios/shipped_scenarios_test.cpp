#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "models/queueing/closed_formulas.hpp"
#include "scenarios/demands/demands.hpp"
#include "tests/scenarios/scenario_samples.hpp"

namespace saturn::tests {

namespace {

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

const std::filesystem::path root = SATURN_SOURCE_DIR;

Scenario shipped(const std::string& name) {
  return read_scenario_file(name, {}).scenario;
}

const InferStage& call_of(const Scenario& scenario) {
  return std::get<InferStage>(scenario.jobs[0].event.back());
}

std::uint64_t requests(const Scenario& scenario) {
  return (call_of(scenario).items.largest() + call_of(scenario).request_batch - 1) / call_of(scenario).request_batch;
}

ServiceLaw law_of(const Scenario& scenario) {
  return scenario.models.at("emtrk").service.at("t4");
}

// Device time of an event whose requests are batches of their own.
double device_time_s(const Scenario& scenario) {
  const ServiceLaw law = law_of(scenario);
  return static_cast<double>(requests(scenario)) * mean(law.per_batch).value +
         call_of(scenario).items.mean() * mean(law.per_item).value;
}

std::string first_code(const std::string& path) {
  try {
    read_scenario_file(path, {});
  } catch (const InputError& error) {
    return error.complaints().front().code;
  }
  return "none";
}

}  // namespace

TEST_CASE("the benchmark's scenarios are sound, and as large as is said of them") {
  const Scenario grid = read_scenario_file((root / "bench/scenarios/grid.json").string(), {}).scenario;
  CHECK(job_count(grid) == 12000);
  CHECK(grid.models.size() == 3);
  const Scenario large =
      read_scenario_file((root / "bench/scenarios/hundred-thousand-jobs.json").string(), {}).scenario;
  CHECK(job_count(large) == 100000);
  CHECK(device_count(large) == 1000);
}

TEST_CASE("the program holds every file of the library, byte for byte, sorted by name") {
  const auto embedded = shipped_scenarios();
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(root / "scenarios/library")) {
    const std::string name = entry.path().filename().string();
    const auto found = std::find_if(embedded.begin(), embedded.end(), [&](const auto& e) { return e.name == name; });
    REQUIRE_MESSAGE(found != embedded.end(), name);
    CHECK_MESSAGE(std::string(found->text) == file_text(entry.path()), name);
    ++files;
  }
  CHECK(files == embedded.size());
  CHECK(std::is_sorted(embedded.begin(), embedded.end(), [](const auto& a, const auto& b) { return a.name < b.name; }));
}

TEST_CASE("every shipped scenario says in its first line what kind of row it rests on") {
  for (const EmbeddedFile& file : shipped_scenarios()) {
    CAPTURE(file.name);
    CHECK(file.text.starts_with("// Rests on "));
  }
}

TEST_CASE("every shipped scenario is read without complaint or warning") {
  for (const EmbeddedFile& file : shipped_scenarios()) {
    CAPTURE(file.name);
    CHECK(read_scenario_file(std::string(file.name), {}).warnings.empty());
  }
}

TEST_CASE("the ProtoDUNE scenarios hold the published device times, calls and sizes") {
  const Scenario big = shipped("protodune-big-batch");
  const Scenario small = shipped("protodune-small-batch.json");
  const Scenario slides = shipped("protodune-slides");
  CHECK(device_time_s(big) == doctest::Approx(1.77).epsilon(1e-3));
  CHECK(device_time_s(small) == doctest::Approx(2.75).epsilon(1e-3));
  CHECK(device_time_s(slides) == doctest::Approx(2.7).epsilon(1e-4));
  // One T4 has one law, whatever is sent to it.
  for (const char* name : {"protodune-small-batch", "protodune-small-batch-dynamic", "protodune-small-batch-one-gpu",
                           "protodune-big-batch-one-gpu"}) {
    CAPTURE(name);
    CHECK(mean(law_of(shipped(name)).per_batch) == mean(law_of(big).per_batch));
    CHECK(mean(law_of(shipped(name)).per_item) == mean(law_of(big).per_item));
  }
  CHECK(requests(big) == 32);
  CHECK(requests(small) == 235);
  CHECK(requests(slides) == 32);
  CHECK(big.models.at("emtrk").input == Bytes{48.0 * 48.0 * 4.0});
  CHECK(big.servers[0].devices.count == 4);
  CHECK(shipped("protodune-big-batch-one-gpu").servers[0].devices.count == 1);
  CHECK(shipped("protodune-small-batch-one-gpu").servers[0].devices.count == 1);
}

TEST_CASE("in the example of two sites the university's uplink binds first, and each event takes 41 ms of it") {
  const ClosedNetwork network = closed_network(shipped("two-sites"));
  const Bounds bounds = asymptotic_bounds(network);
  const std::size_t binding = bounds.knees.front().resource;
  CHECK(network.resources[binding].name == "university uplink out");
  // 100 items of 500 kB and 400 of 4 kB.
  CHECK(demands(network)(0, binding) == doctest::Approx((50e6 + 1.6e6) * 8 / 10e9));
}

TEST_CASE("paths that hold no scenario are refused, with a near shipped name where there is one") {
  CHECK(first_code((root / "docs").string()) == "scenario.not_a_file");
  CHECK(first_code("/dev/zero") == "scenario.too_large");
  CHECK(first_code("/dev/null") == "scenario.empty_file");
  CHECK(first_code(std::string("a\0b", 3)) == "scenario.missing_file");
  CHECK(first_code(std::string(5000, 'a')) == "scenario.unreadable_file");
  try {
    read_scenario_file("nowhere/protodune-bigbatch.json", {});
    FAIL("a missing file was read");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()) ==
          "nowhere/protodune-bigbatch.json: scenario.missing_file\n"
          "  There is no such file; did you mean the shipped scenario \"protodune-big-batch\"?");
  }
}

TEST_CASE("a file of 100 MB is refused before it is read") {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "saturn-large-scenario.json";
  std::ofstream(path).put('{');
  // Sparse: no disk is used, but reading it would take memory for all of it.
  std::filesystem::resize_file(path, 100'000'000);
  try {
    read_scenario_file(path.string(), {});
    FAIL("a file of 100 MB was read");
  } catch (const InputError& error) {
    CHECK(error.complaints().front().text.starts_with("The scenario is 95 MiB; at most 16 MiB are read."));
  }
  std::filesystem::remove(path);
}

TEST_CASE("docs/scenario-reference.md is what the field table says") {
  // Renew it with: cmake --build <folder> --target scenario_reference
  CHECK(file_text(root / "docs/scenario-reference.md") == scenario_reference());
}

}  // namespace saturn::tests
