#include <doctest/doctest.h>

#include <numeric>

#include "tests/calibration/imported_files.hpp"

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
  const MeasuredFile file = imported(
      report(interval(1, 5e7, true) + "," + interval(1, 9e7, false) + "," + interval(2, 2.2e8, false), tcp_end));
  CHECK(file.format == "iperf3 JSON");
  REQUIRE(file.throughputs.size() == 1);
  const Throughputs& found = file.throughputs.front();
  CHECK(found.peer == "192.0.2.5");
  CHECK(found.values_bytes_per_s == std::vector<double>{9e7, 1.1e8});
  CHECK(found.mean_bytes_per_s == doctest::Approx(1e8));
  CHECK(found.streams == 4);
  CHECK_FALSE(found.reverse);
  CHECK(file.left_out.empty());
  CHECK(file.notes == std::vector<std::string>{"iperf3: 1 interval of the start-up left out, as iperf3 marks it."});
}

TEST_CASE("iperf3: stalls count as zeros and are noted, and the last interval of microseconds does not count") {
  const MeasuredFile file = imported(
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
  const MeasuredFile file = imported(text);
  REQUIRE(file.throughputs.size() == 1);
  CHECK(file.throughputs[0].mean_bytes_per_s == doctest::Approx(0.75e6));
  CHECK(file.throughputs[0].reverse);
  REQUIRE_FALSE(file.notes.empty());
  CHECK(file.notes[0].find("UDP sends at the rate that was asked for") != std::string::npos);
}

namespace {

const char* const linux_ping =
    "<worker7> ping tritonhost\n"
    "PING tritonhost.example (192.0.2.9) 56(84) bytes of data.\n"
    "[1700000001.100000] 64 bytes from tritonhost.example (192.0.2.9): icmp_seq=1 ttl=55 time=12.0 ms\n"
    "[1700000002.100000] no answer yet for icmp_seq=2\n"
    "[1700000003.100000] 64 bytes from tritonhost.example (192.0.2.9): icmp_seq=3 ttl=55 time=12.6 ms\n"
    "[1700000003.200000] 64 bytes from tritonhost.example (192.0.2.9): icmp_seq=3 ttl=55 time=15.3 ms (DUP!)\n"
    "\n"
    "--- tritonhost.example ping statistics ---\n"
    "3 packets transmitted, 2 received, +1 duplicates, 33.3333% packet loss, time 2003ms\n"
    "rtt min/avg/max/mdev = 12.012/13.304/15.311/1.437 ms\n";

}  // namespace

TEST_CASE("ping of Linux: first answers, what was lost, duplicates left out, timestamps and prompts passed over") {
  for (const std::string& text : {std::string(linux_ping), with_crlf(linux_ping)}) {
    const MeasuredFile file = imported(text);
    CHECK(file.format == "ping output");
    REQUIRE(file.round_trips.size() == 1);
    const RoundTrips& trips = file.round_trips.front();
    CHECK(trips.at.text() == "f:2");
    CHECK(trips.peer == "tritonhost.example");
    REQUIRE(trips.values_s.size() == 2);
    CHECK(trips.values_s[0] == doctest::Approx(0.0120).epsilon(1e-12));
    CHECK(trips.values_s[1] == doctest::Approx(0.0126).epsilon(1e-12));
    CHECK(trips.sent == 3);
    CHECK(trips.lost == 1);
    CHECK(trips.duplicates == 1);
    // ping's own mean counts the duplicate.
    CHECK_FALSE(trips.mean_s.has_value());
    CHECK(file.left_out.empty());
    CHECK(file.notes.empty());
  }
}

TEST_CASE("ping of Alpine and of macOS count from 0") {
  const MeasuredFile alpine = imported(
      "PING 192.0.2.1 (192.0.2.1): 56 data bytes\n64 bytes from 192.0.2.1: seq=0 ttl=42 time=1.500 ms\n"
      "64 bytes from 192.0.2.1: seq=1 ttl=42 time=2.500 ms\n\n--- 192.0.2.1 ping statistics ---\n"
      "2 packets transmitted, 2 packets received, 0% packet loss\nround-trip min/avg/max = 1.500/2.000/2.500 ms\n");
  REQUIRE(alpine.round_trips.size() == 1);
  CHECK(alpine.round_trips[0].values_s == std::vector<double>{1.5 * 1e-3, 2.5 * 1e-3});
  CHECK(alpine.round_trips[0].mean_s.value() == doctest::Approx(0.002));
  CHECK_FALSE(alpine.round_trips[0].sd_s.has_value());

  const MeasuredFile mac = imported(
      "PING 192.0.2.1 (192.0.2.1): 56 data bytes\n64 bytes from 192.0.2.1: icmp_seq=0 ttl=64 time=0.500 ms\n"
      "Request timeout for icmp_seq 1\n--- 192.0.2.1 ping statistics ---\n"
      "2 packets transmitted, 1 packets received, 50.0% packet loss\n"
      "round-trip min/avg/max/stddev = 0.500/0.500/0.500/0.000 ms\n");
  REQUIRE(mac.round_trips.size() == 1);
  CHECK(mac.round_trips[0].lost == 1);
  CHECK(mac.round_trips[0].sd_s == 0.0);
}

TEST_CASE("ping: many hosts that answer a broadcast give the nearest host's times, and that is said") {
  const MeasuredFile file = imported(
      "PING 192.0.2.255 (192.0.2.255): 56 data bytes\n64 bytes from 192.0.2.7: icmp_seq=0 ttl=64 time=0.250 ms\n"
      "64 bytes from 192.0.2.8: icmp_seq=0 ttl=64 time=4.250 ms\n64 bytes from 192.0.2.7: icmp_seq=1 ttl=64 time=0.350 "
      "ms\n"
      "64 bytes from 192.0.2.8: icmp_seq=1 ttl=64 time=900.000 ms\n--- 192.0.2.255 ping statistics ---\n"
      "2 packets transmitted, 2 packets received, +2 duplicates, 0.0% packet loss\n"
      "round-trip min/avg/max/stddev = 0.250/226.212/900.000/388.995 ms\n");
  REQUIRE(file.round_trips.size() == 1);
  CHECK(file.round_trips[0].values_s.size() == 2);
  CHECK(file.round_trips[0].values_s.back() == doctest::Approx(0.00035));
  CHECK(file.round_trips[0].duplicates == 2);
  REQUIRE(file.notes.size() == 1);
  CHECK(file.notes[0] ==
        "ping 192.0.2.255: 2 hosts answered, as to a broadcast. Only the first answer to each packet counts, so these "
        "are round trips to the nearest host (192.0.2.7 in 2 of 2), not to a server of one's choice.");
}

TEST_CASE("ping: a summary alone gives mean and spread, and several runs in one text stay apart") {
  const std::string summary =
      "--- a.example ping statistics ---\n10 packets transmitted, 9 received, 10% packet loss, time 9012ms\n"
      "rtt min/avg/max/mdev = 11.1/11.8/13.0/0.4 ms\n";
  const MeasuredFile file = imported(summary + linux_ping);
  REQUIRE(file.round_trips.size() == 2);
  CHECK(file.round_trips[0].peer == "a.example");
  CHECK(file.round_trips[0].values_s.empty());
  CHECK(file.round_trips[0].mean_s.value() == doctest::Approx(0.0118));
  CHECK(file.round_trips[0].sd_s.value() == doctest::Approx(0.0004));
  CHECK(file.round_trips[0].lost == 1);
  CHECK(file.round_trips[1].values_s.size() == 2);
}

TEST_CASE("ping: sequence numbers that begin again after 65,535 are new packets") {
  std::string text = "PING 192.0.2.1 (192.0.2.1) 56(84) bytes of data.\n";
  for (int packet = 1; packet <= 66'000; ++packet)
    text += "64 bytes from 192.0.2.1: icmp_seq=" + std::to_string(packet % 65'536) + " ttl=60 time=5.00 ms\n";
  const MeasuredFile file = imported(text);
  REQUIRE(file.round_trips.size() == 1);
  CHECK(file.round_trips[0].values_s.size() == 66'000);
  CHECK(file.round_trips[0].duplicates == 0);
  CHECK(file.round_trips[0].lost == 0);
}

TEST_CASE("ping: a summary that contradicts the lines is noted") {
  const std::string head =
      "PING 192.0.2.1 (192.0.2.1) 56(84) bytes of data.\n"
      "64 bytes from 192.0.2.1: icmp_seq=1 ttl=60 time=10.1 ms\n"
      "64 bytes from 192.0.2.1: icmp_seq=2 ttl=60 time=10.3 ms\n"
      "--- 192.0.2.1 ping statistics ---\n2 packets transmitted, 2 received, 0% packet loss\n";
  // iputils cuts the answers' last digit off: a mean of 10.29 ms is within rounding.
  CHECK(imported(head + "rtt min/avg/max/mdev = 10.1/10.290/10.4/0.1 ms\n").notes.empty());
  const MeasuredFile file = imported(head + "rtt min/avg/max/mdev = 10.1/12.000/14.0/0.1 ms\n");
  REQUIRE(file.notes.size() == 1);
  CHECK(file.notes[0] ==
        "ping 192.0.2.1: the summary's mean, 12 ms, contradicts that of the lines, 10.2 ms; the lines are used.");
}

}  // namespace saturn::tests
