#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <string>

#include "tests/cli/saturn_process.hpp"

using namespace saturn;
using nlohmann::json;

namespace {

// Forty jobs and one device: 0.1 s of 1.1 s are the device's, so it saturates at eleven jobs.
constexpr double device_s = 0.1;
constexpr double device_error_s = 0.002;
constexpr double cpu_error_s = 0.05;
constexpr double normal_factor = 1.959964;

const std::string scenario_text = R"({
  "schema": "saturn-scenario/1",
  "title": "Fitted times",
  "jobs": [{ "name": "jobs", "site": "here", "count": 40, "start": "staggered",
             "event": [{ "cpu": CPU }, { "infer": "net", "items": 1 }] }],
  "models": { "net": { "input": "0 B", "max_batch_size": 1, "service": { "t4": LAW } } },
  "servers": [{ "name": "server", "site": "here", "devices": { "type": "t4", "count": 1 }, "models": ["net"] }],
  "devices": { "t4": { "kind": "gpu" } }
}
)";

std::string with(std::string text, const std::string& piece, const std::string& replacement) {
  return text.replace(text.find(piece), piece.size(), replacement);
}

std::string fitted_text(double device_variance, double cpu_variance) {
  return R"({ "schema": "saturn-fitted/1", "fits": {
    "net": { "kind": "service law", "about": "GPU times of net", "value": { "per_batch": "0.1 s" },
             "parameters": [{ "name": "per_batch", "at": "/per_batch", "value": 0.1, "unit": "s" }],
             "covariance": [[)" +
         std::to_string(device_variance) + R"(]] },
    "cpu": { "kind": "time", "about": "the CPU times", "value": "1 s",
             "parameters": [{ "name": "mean", "at": "", "value": 1, "unit": "s" }],
             "covariance": [[)" +
         std::to_string(cpu_variance) + "]] } } }";
}

class FittedCase {
 public:
  FittedCase(double device_variance, double cpu_variance) {
    folder_.write("fitted.json", fitted_text(device_variance, cpu_variance));
    const std::string fitted = R"({ "fitted": "fitted.json" })";
    folder_.write("fits.json", with(with(scenario_text, "CPU", fitted), "LAW", fitted));
    folder_.write("plain.json", with(with(scenario_text, "CPU", R"("1 s")"), "LAW", R"({ "per_batch": "0.1 s" })"));
  }

  ProcessResult saturn(const std::string& arguments) const {
    return saturn_process(arguments, folder_.path().string());
  }
  json result(const std::string& arguments) const {
    return json::parse(saturn(arguments + " --format json --quiet").out);
  }

 private:
  TemporaryFolder folder_;
};

double half_width(const json& estimate) {
  return (estimate["high"].get<double>() - estimate["low"].get<double>()) / 2;
}

}  // namespace

TEST_CASE("above saturation the device's error counts for every job, below only once") {
  const FittedCase fits(device_error_s * device_error_s, cpu_error_s * cpu_error_s);
  // Saturated, an event takes N·t: 40 errors of the device, and none of the CPU time, for it only shortens the queue.
  const json full = fits.result("run fits.json")["result"]["event_time_s"];
  CHECK(full["mean"].get<double>() == doctest::Approx(40 * device_s));
  CHECK(full["from"][0]["about"] == "the CPU times");
  CHECK(std::abs(full["from"][0]["half_width"].get<double>()) < 1e-6);
  CHECK(full["from"][1]["about"] == "GPU times of net");
  CHECK(full["from"][1]["half_width"].get<double>() ==
        doctest::Approx(normal_factor * 40 * device_error_s).epsilon(1e-3));

  // Staggered jobs far below the knee wait for nobody: an event takes cpu + t, and independent errors add in squares.
  const json idle = fits.result("run fits.json --set /jobs/0/count=2")["result"]["event_time_s"];
  const double cpu_half = idle["from"][0]["half_width"];
  const double device_half = idle["from"][1]["half_width"];
  CHECK(cpu_half == doctest::Approx(normal_factor * cpu_error_s).epsilon(1e-3));
  CHECK(device_half == doctest::Approx(normal_factor * device_error_s).epsilon(1e-3));
  const double simulation = (idle["high_simulation"].get<double>() - idle["low_simulation"].get<double>()) / 2;
  CHECK(half_width(idle) == doctest::Approx(std::hypot(cpu_half, device_half, simulation)));
}

TEST_CASE("exact fits, and draws that are left out, give the numbers of the plain scenario to the last bit") {
  const json plain = FittedCase(0, 0).result("run plain.json");
  CHECK(FittedCase(0, 0).result("run fits.json")["result"] == plain["result"]);
  CHECK_FALSE(plain["provenance"].contains("fitted"));
  const FittedCase fits(4e-6, 2.5e-3);
  const json left_out = fits.result("run fits.json --no-calibration-draws");
  CHECK(left_out["result"] == plain["result"]);
  CHECK(left_out["provenance"]["command"] == "saturn run fits.json --no-calibration-draws");
  CHECK(left_out["provenance"]["fitted"][0]["path"] == "fitted.json");
  CHECK(left_out["provenance"]["fitted"][0]["sha256"].get<std::string>().size() == 64);
  CHECK(left_out["provenance"]["fitted"][0]["fits"] == json::array({"cpu", "net"}));
  const std::string text = fits.saturn("run fits.json --no-calibration-draws --quiet").out;
  CHECK(text.find("  their uncertainty is left out: the intervals are those of the simulation alone\n") !=
        std::string::npos);
}

TEST_CASE("draws do not depend on the number of processes, and another seed draws others") {
  const FittedCase fits(4e-6, 2.5e-3);
  const std::string run = "run fits.json --set /jobs/0/start='\"random\"' --set /jobs/0/count=10 --format json --quiet";
  const std::string one = fits.saturn(run + " --workers 1").out;
  CHECK(one == fits.saturn(run + " --workers 3").out);
  CHECK(one != fits.saturn(run + " --seed 5").out);
}

TEST_CASE("the answer in words says what its interval is made of") {
  const FittedCase fits(4e-6, 2.5e-3);
  const std::string run = fits.saturn("run fits.json --quiet").out;
  CHECK(run.find("\n  event time 4.00 ± 0.16 s: ±0 from the CPU times, ±0.16 from the GPU times of net, ±0 from the "
                 "simulation\n") != std::string::npos);
  const std::string plan = fits.saturn("plan fits.json --quiet").out;
  CHECK_MESSAGE(plan.find(" from the CPU times, ") != std::string::npos, plan);
  const std::string csv = fits.saturn("run fits.json --quiet --format csv").out;
  CHECK(csv.find("\nall_jobs,all/GPU times of net,event_time_s_half_width,0.15") != std::string::npos);
}

TEST_CASE("a plan's interval holds the errors of the fits in proportion to the knee") {
  // The knee is (cpu + t)/t: an error of the CPU time counts 1/t, one of the device's cpu/t².
  const FittedCase fits(device_error_s * device_error_s, cpu_error_s * cpu_error_s);
  const json answer = fits.result("plan fits.json")["answer"]["clients_per_gpu"];
  CHECK(answer["value"] == 11);
  CHECK(answer["from"][0]["half_width"].get<double>() ==
        doctest::Approx(normal_factor * cpu_error_s / device_s).epsilon(0.01));
  CHECK(answer["from"][1]["half_width"].get<double>() ==
        doctest::Approx(normal_factor * device_error_s / device_s / device_s).epsilon(0.02));
  const double below = 11.0 - answer["low_simulation"].get<double>();
  const double added =
      std::hypot(answer["from"][0]["half_width"].get<double>(), answer["from"][1]["half_width"].get<double>(), below);
  CHECK(answer["low"] == std::floor(11.0 - added));
  CHECK_FALSE(fits.result("plan fits.json --no-calibration-draws")["answer"]["clients_per_gpu"].contains("from"));
  CHECK_FALSE(fits.result("plan plain.json")["answer"]["clients_per_gpu"].contains("from"));
}
