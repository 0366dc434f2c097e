#include <doctest/doctest.h>

#include "tests/calibration/imported_client_file.hpp"

namespace saturn::tests {

namespace {

std::string interval(double seconds, double bytes, bool omitted) {
  return R"({"streams": [], "sum": {"start": 0, "end": 1, "seconds": )" + std::to_string(seconds) + R"(, "bytes": )" +
         std::to_string(bytes) + R"(, "bits_per_second": 1, "omitted": )" + (omitted ? "true" : "false") + "}}";
}

std::string report(const std::string& intervals, const std::string& end, const std::string& setting = "") {
  return "{\n\"start\": {\"version\": \"iperf 3.12\", \"connecting_to\": {\"host\": \"192.0.2.5\", \"port\": 5201},\n"
         " \"test_start\": {\"protocol\": \"TCP\", \"num_streams\": 4, \"reverse\": 0" +
         setting + "}},\n\"intervals\": [" + intervals + "],\n\"end\": {" + end + "}\n}\n";
}

const char* const tcp_end = R"("sum_sent": {"bits_per_second": 8.4e8, "retransmits": 3},
"sum_received": {"bits_per_second": 8.0e8})";

}  // namespace

TEST_CASE("iperf3: bits become bytes, the start-up is left out, what arrived counts") {
  const MeasuredFile file = imported_text_of_client(
      report(interval(1, 5e7, true) + "," + interval(1, 9e7, false) + "," + interval(2, 2.2e8, false), tcp_end));
  CHECK(file.format == "iperf3 JSON");
  REQUIRE(file.throughputs.size() == 1);
  const Throughputs& found = file.throughputs.front();
  CHECK(found.peer == "192.0.2.5");
  CHECK(found.values_bytes_per_s == std::vector<double>{9e7, 1.1e8});
  CHECK(found.mean_bytes_per_s == doctest::Approx(1e8));
  CHECK(found.streams == 4);
  CHECK_FALSE(found.reverse);
  CHECK(found.retransmits == 3.0);
  CHECK(file.left_out.empty());
  CHECK(file.notes == std::vector<std::string>{"iperf3: 1 interval of the start-up left out, as iperf3 marks it."});
}

TEST_CASE("iperf3: stalls count as zeros and are noted; the last interval of microseconds does not count") {
  const MeasuredFile file = imported_text_of_client(
      report(interval(1, 1e8, false) + "," + interval(1, 0, false) + ",\n" + interval(0.001, 1e6, false), tcp_end));
  REQUIRE(file.throughputs.size() == 1);
  CHECK(file.throughputs[0].values_bytes_per_s == std::vector<double>{1e8, 0.0});
  CHECK(left_out_lines(file) == std::vector<std::string>{"5 import.short_interval"});
  REQUIRE(file.notes.size() == 2);
  CHECK(file.notes[0] == "iperf3: nothing went through in 1 of 2 intervals; they count, as zeros.");
  CHECK(file.notes[1] ==
        "iperf3: the intervals' mean, 5e+07 B/s, and the sum at the end, 1e+08 B/s, differ by more than a tenth.");
}

TEST_CASE("iperf3 with UDP: losses are taken off, and the asked rate is called that") {
  std::string text = report(interval(1, 1e6, false), R"("sum": {"bits_per_second": 8e6, "lost_percent": 25})");
  text.replace(text.find("TCP"), 3, "UDP");
  text.replace(text.find("\"reverse\": 0"), 12, "\"reverse\": 1");
  const MeasuredFile file = imported_text_of_client(text);
  REQUIRE(file.throughputs.size() == 1);
  CHECK(file.throughputs[0].mean_bytes_per_s == doctest::Approx(0.75e6));
  CHECK(file.throughputs[0].reverse);
  REQUIRE_FALSE(file.notes.empty());
  CHECK(file.notes[0].find("UDP sends at the rate that was asked for") != std::string::npos);
}

TEST_CASE("iperf3 that failed is refused with its own words") {
  CHECK(
      only_refusal("{\"start\": {\"version\": \"iperf 3.12\"}, \"intervals\": [], \"end\": {},\n"
                   "\"error\": \"unable to connect to server: Connection refused\"}\n") ==
      "f:2:10: import.iperf_error: iperf3 ended with an error, \"unable to connect to server: Connection refused\"; a "
      "test that ran to its end is needed.");
  CHECK(only_refusal(report("", "")) ==
        "f: import.no_throughput: This report of iperf3 holds no throughput above 0: neither its end's sum_received or "
        "sum_sent nor its intervals.");
}

}  // namespace saturn::tests
