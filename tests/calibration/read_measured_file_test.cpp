#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <span>

#include "calibration/calibrate.hpp"
#include "tests/calibration/imported_files.hpp"

namespace saturn::tests {

namespace {

std::string refusal(const std::string& path) {
  try {
    read_measured_file(path);
  } catch (const InputError& error) {
    REQUIRE(error.complaints().size() == 1);
    CHECK(error.complaints().front().source == path);
    return error.complaints().front().code + ": " + error.complaints().front().text;
  }
  return "";
}

}  // namespace

TEST_CASE("a file is known by its content, whatever its name, and carries the SHA-256 of its bytes") {
  const TemporaryFolder folder;
  const MeasuredFile plain = read_measured_file(folder.write("ping.json", "clients,event_time_s\n1,2\n"));
  CHECK(plain.format == "plain table");
  // printf 'clients,event_time_s\n1,2\n' | sha256sum
  CHECK(plain.sha256 == "7419821af0b6474567864aebd9a414b93f72380a880e4966a3503a680f26fa1c");
  const MeasuredFile marked = read_measured_file(folder.write("a.txt",
                                                              "\xEF\xBB\xBF"
                                                              "clients,event_time_s\n1,2\n"));
  CHECK(marked.closed_loop.size() == 1);
  CHECK(marked.sha256 != plain.sha256);
}

TEST_CASE("bytes outside UTF-8 do not reach names") {
  const TemporaryFolder folder;
  const MeasuredFile file = read_measured_file(folder.write(
      "p", "PING caf\xE9 (192.0.2.1) 56(84) bytes of data.\n64 bytes from 192.0.2.1: icmp_seq=1 ttl=9 time=1 ms\n"));
  CHECK(file.round_trips.at(0).peer == "caf?");
}

TEST_CASE("files that cannot be read are refused with the reason") {
  const TemporaryFolder folder;
  CHECK(refusal((folder / "none").string()) ==
        "import.no_file: This is given as a file of measurements, but there is no such file.");
  CHECK(refusal((folder / "").string()) ==
        "import.no_file: This is given as a file of measurements, but that is a folder.");
  CHECK(refusal("/dev/zero") ==
        "import.no_file: This is given as a file of measurements, but that is no regular file.");
  CHECK(refusal(folder.write("blank", " \r\n\n")) ==
        "import.empty: The file is empty; a file with measurements is needed.");
}

TEST_CASE("a file of no known kind is refused with the kinds that are known") {
  const TemporaryFolder folder;
  const std::string text = refusal(folder.write("a", "Dear diary,\ntoday it rained.\n"));
  CHECK(
      text.starts_with("import.unknown_format: No known kind of measurement is recognised in this file. Known are: "));
  for (const ImportFormat& format : import_formats()) CHECK(text.find(format.name) != std::string::npos);
  CHECK(text.find("lines such as \"64 bytes from host: icmp_seq=1 ttl=59 time=24.4 ms\"") != std::string::npos);
}

TEST_CASE("files that are read elsewhere are sent there") {
  const TemporaryFolder folder;
  const auto way = [&](const std::string& text) { return refusal(folder.write("f", text)); };
  CHECK(way("{\"schema\": \"saturn-scenario/1\"}") ==
        "import.unknown_format: This is a scenario; it is given to `saturn run`, `saturn plan` or `saturn check`.");
  CHECK(way("{\"schema\": \"saturn-measured/1\"}") ==
        "import.unknown_format: This is a measured case; it is given to `saturn validate` alone.");
  CHECK(way("{\"schema\": \"saturn-fitted/1\"}") ==
        "import.unknown_format: This file holds fitted parameters already; a scenario refers to it with \"fitted\".");
  CHECK(way("name: \"tagger\"\nmax_batch_size: 8\ninput [\n  {\n    name: \"x\"\n    data_type: TYPE_FP32\n  }\n]\n") ==
        "import.unknown_format: This is a model's configuration for Triton; a scenario's model names it as "
        "\"triton_config\": \"models/<name>/config.pbtxt\".");
  CHECK(way("# settings\nserver:\n  replicas: 3\n  args:\n    - a\nscaler: off\n")
            .starts_with("import.unknown_format: This is YAML"));
  CHECK(way("<?xml version='1.0'?>\n<platform version=\"4.1\">\n</platform>\n")
            .starts_with("import.unknown_format: This is a SimGrid platform"));
  CHECK(way("\x1f\x8b\x08rest") == "import.unknown_format: This file is compressed; unpack it first.");
  CHECK(way(std::string("TimeTracker printout\0", 21)) == "import.unknown_format: This file is binary, not text.");
}

}  // namespace saturn::tests

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
  CHECK(point.batch_from == BatchOrigin::assumed);
  CHECK(point.measured.at("latency_mean_s") == doctest::Approx(0.02));
  // The two values lie 10 ms from their mean; n/(n-1) of a sample.
  CHECK(point.measured.at("latency_sd_s") == doctest::Approx(0.01 * std::sqrt(100.0 / 99.0)));
  CHECK(point.measured.at("latency_p50_s") == doctest::Approx(0.01));
  CHECK(point.measured.at("latency_p99_s") == doctest::Approx(0.03));
  REQUIRE(file.notes.size() == 1);
  CHECK(file.notes[0].starts_with("Only requests are counted, and not their items: one item a request is assumed"));
}

TEST_CASE("--batch tells the items of a profile's requests, and their rate") {
  MeasuredFile file = imported(profile(hundred_requests(), 2));
  for (const double batch : {8.0, 8.0}) {  // the second time it is known already
    set_batches(std::span(&file, 1), batch);
    CHECK(file.loads[0].request_batch == 8.0);
    CHECK(file.loads[0].items_per_s == doctest::Approx(8 * 50.0));
    CHECK(file.loads[0].printed_per_s.value() == doctest::Approx(8 * 50.0));
    CHECK(file.notes.empty());
  }
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

TEST_CASE("too few requests are refused with the reason") {
  CHECK(complaints_about(profile(request(start, 1000), 2)) ==
        "refused\n0 import.no_load_points: No experiment of the profile can be used.\n"
        "0 import.unusable_experiment: /experiments/0 is left out: 1 request was answered within its windows; a "
        "mean needs at least 10. Measure longer.\n");
}

}  // namespace saturn::tests::server_files
