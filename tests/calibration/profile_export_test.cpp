#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>

#include "tests/calibration/imported_server_file.hpp"

namespace saturn::tests::server_files {

namespace {

constexpr std::uint64_t start = 1'700'000'000'000'000'000;

std::string request(std::uint64_t begin, std::uint64_t latency) {
  return "{\"timestamp\":" + std::to_string(begin) + ",\"request_inputs\":{},\"response_timestamps\":[" +
         std::to_string(begin + latency / 2) + "," + std::to_string(begin + latency) + "]}";
}

std::string profile(const std::string& requests, std::uint64_t seconds) {
  return "{\"experiments\":[{\"experiment\":{\"mode\":\"concurrency\",\"value\":1},\"requests\":[" + requests +
         "],\"window_boundaries\":[" + std::to_string(start) + "," +
         std::to_string(start + seconds * 1'000'000'000 / 2) + "," + std::to_string(start + seconds * 1'000'000'000) +
         "]}],\"version\":\"1\",\"service_kind\":\"triton\",\"endpoint\":\"\"}";
}

// One client, 100 requests back to back of 10 ms and 30 ms in turn: 2 s.
std::string hundred_requests() {
  std::string requests;
  std::uint64_t now = start;
  for (int k = 0; k < 100; ++k) {
    const std::uint64_t latency = k % 2 == 0 ? 10'000'000 : 30'000'000;
    requests += (k == 0 ? "" : ",") + request(now, latency);
    now += latency;
  }
  return requests;
}

}  // namespace

TEST_CASE("a profile gives throughput, mean, spread and percentiles of its requests") {
  const std::string text = profile(hundred_requests(), 2);
  CHECK(recognised_as(text) == "perf_analyzer profile export");
  const MeasuredFile file = imported(text);
  REQUIRE(file.loads.size() == 1);
  const LoadPoint& point = file.loads[0];
  CHECK(*point.concurrency == 1.0);
  CHECK(point.items_per_s == doctest::Approx(50.0));
  CHECK(*point.requests == 100.0);
  CHECK(*point.request_batch == 1.0);
  CHECK(point.batch_from == BatchOrigin::unknown);
  CHECK(point.measured.at("latency_mean_s") == doctest::Approx(0.02));
  // The two values lie 10 ms from their mean; n/(n-1) of a sample.
  CHECK(point.measured.at("latency_sd_s") == doctest::Approx(0.01 * std::sqrt(100.0 / 99.0)));
  CHECK(point.measured.at("latency_p50_s") == doctest::Approx(0.01));
  CHECK(point.measured.at("latency_p99_s") == doctest::Approx(0.03));
  CHECK(file.notes ==
        std::vector<std::string>{
            "A profile does not say how many items a request carries; 1 is assumed, so items/s are "
            "requests/s. For requests of b items give the CSV of the same measurement (perf_analyzer -f)."});
}

TEST_CASE("requests outside the windows do not count, and those without an answer are counted as left out") {
  const std::string text =
      profile(hundred_requests() + "," + request(start + 5'000'000'000, 1000) + "," + request(start, 0) +
                  ",{\"timestamp\":5,\"response_timestamps\":[]},{\"timestamp\":-1},7",
              2);
  CHECK(*imported(text).loads.at(0).requests == 100.0);
  CHECK(complaints_about(text) ==
        "0 import.bad_requests: /experiments/0: 4 of 105 requests are left out: they have no response, or one that is "
        "not "
        "later than the request.\n");
}

TEST_CASE("too few requests, no windows, no load and torn JSON are refused with the reason") {
  const std::string nothing = "refused\n0 import.no_load_points: No experiment of the profile can be used.\n";
  CHECK(complaints_about(profile(request(start, 1000), 2)) ==
        nothing +
            "0 import.unusable_experiment: /experiments/0 is left out: 1 request was answered within its windows; a "
            "mean needs at least 10. Measure longer.\n");
  CHECK(complaints_about("{\"experiments\":[{\"experiment\":{\"mode\":\"concurrency\",\"value\":4},\"requests\":[],"
                         "\"window_boundaries\":[5,5]}]}") ==
        nothing +
            "0 import.unusable_experiment: /experiments/0 is left out: its \"window_boundaries\" have to be two or "
            "more dates in ns, the last later than the first.\n");
  CHECK(complaints_about("{\"experiments\":[{\"experiment\":{\"mode\":\"custom\",\"value\":0},\"requests\":[]}]}") ==
        nothing +
            "0 import.unusable_experiment: /experiments/0 is left out: its \"experiment\" has to be a \"mode\", "
            "\"concurrency\" or \"request_rate\", with a \"value\" above 0.\n");
  CHECK(complaints_about("{\"experiments\":[{\"mode\":1e999}]}") ==
        "refused\n0 import.not_json: A number of the profile is too large; dates are in ns since 1970.\n");
  CHECK(complaints_about("{\"experiments\":[\n{\"mode\" 7}]}") ==
        "refused\n2 import.not_json: The profile is not JSON from here on; let perf_analyzer end by itself, so that it "
        "writes the file whole.\n");
  CHECK(
      complaints_about("{\"experiments\":[{\"mode\":\"concurrency\"") ==
      "refused\n1 import.not_json: The profile is not JSON from here on: its end is missing; let perf_analyzer end by "
      "itself, so that it writes the file whole.\n");
}

}  // namespace saturn::tests::server_files
