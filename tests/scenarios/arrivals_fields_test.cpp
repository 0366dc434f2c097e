#include <doctest/doctest.h>

#include <ctime>
#include <string>

#include "scenarios/demands/demands.hpp"
#include "scenarios/fields/arrival_trace.hpp"
#include "tests/scenarios/scenario_samples.hpp"

namespace saturn::tests {

namespace {

ArrivalLaw arrivals_of(const std::string& arrivals) {
  return sound_with({{"/jobs/0/arrivals", arrivals}}).scenario.jobs.front().arrivals.value();
}

/// The faults of a trace as "offset code".
std::string faults_of(const std::string& text) {
  std::string all;
  for (const SyntaxFault& fault : parse_arrival_trace(text).faults)
    all += (all.empty() ? "" : ", ") + std::to_string(fault.offset) + " " + fault.code;
  return all;
}

std::vector<double> dates_of(const std::string& text) {
  CHECK(faults_of(text) == "");
  return parse_arrival_trace(text).recorded.dates_s;
}

}  // namespace

TEST_CASE("every kind of arrivals is read, in any unit of a rate") {
  CHECK(mean_rate(arrivals_of(R"({ "poisson": { "rate": "7.5 kHz" } })")).value == 7500.0);
  CHECK(mean_rate(arrivals_of(R"({ "constant": { "rate": "120 /min" } })")).value == 2.0);
  CHECK(mean_rate(arrivals_of(R"({ "constant": { "rate": "1/s" } })")).value == 1.0);
  const ArrivalLaw gamma = arrivals_of(R"({ "gamma": { "rate": "3600 /h", "cv": 2 } })");
  CHECK(mean_rate(gamma).value == doctest::Approx(1.0));
  CHECK(dispersion(gamma) == 4.0);
  // A triangle between 0 and 400 Hz has the mean 200 Hz.
  const ArrivalLaw day = arrivals_of(R"({ "profile": [["0 h", "0 Hz"], ["12 h", "400 Hz"], ["24 h", "0 Hz"]] })");
  CHECK(mean_rate(day).value == doctest::Approx(200.0).epsilon(1e-12));
  CHECK(repetition(day) == Seconds{86400.0});
  CHECK(repetition(arrivals_of(R"({ "profile": [["0 s", "1 Hz"], ["1 s", "2 Hz"]], "period": "1 min" })")) ==
        Seconds{60.0});
}

TEST_CASE("a trace may have a header, other columns, a unit, blank lines and any ends of lines") {
  CHECK(dates_of("1.5\n2.25\n\n4\n") == std::vector<double>{0.0, 0.75, 2.5});
  CHECK(dates_of("time\r\n0\r\n1\r\n") == std::vector<double>{0.0, 1.0});
  CHECK(dates_of("run,\"time_ms\",size\n7, 1000 ,3\n7,1250,4\n") == std::vector<double>{0.0, 0.25});
  CHECK(dates_of("1\n1\n2") == std::vector<double>{0.0, 0.0, 1.0});
  CHECK(dates_of("1e3\n1.5e3\n") == std::vector<double>{0.0, 500.0});
  // A clock in nanoseconds since 1970 has more digits than a double.
  CHECK(dates_of("timestamp_ns\n1700000000123456789\n1700000000123456799\n") == std::vector<double>{0.0, 1e-8});
}

TEST_CASE("the resolved scenario changes with the trace's content, not only with its name") {
  const auto resolved_with = [](const std::string& dates) {
    const ScratchFolder folder("t.csv", dates);
    return sound_with({{"/jobs/0/arrivals", R"({ "trace": "t.csv" })"}}, folder.path("s.json")).resolved;
  };
  const std::string first = resolved_with("1\n2\n");
  CHECK(resolved_with("1\n2\n") == first);
  CHECK(resolved_with("1\n3\n") != first);
}

TEST_CASE("a million dates are read in well under a second" * doctest::test_suite("release")) {
  std::string text = "time\n";
  for (int i = 0; i < 1'000'000; ++i)
    text += std::to_string(1700000000 + i / 1000) + "." + std::to_string(1000 + i % 1000) + "0000000\n";
  // Processor time, which other programs on the machine do not lengthen.
  const std::clock_t begin = std::clock();
  const ParsedTrace parsed = parse_arrival_trace(text);
  const double took_s = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  CHECK(parsed.faults.empty());
  CHECK(parsed.recorded.dates_s.size() == 1'000'000);
  CHECK(took_s < 0.7);
}

TEST_CASE("an open class carries its rate, and is named where mean value analysis is only approximate") {
  const Scenario scenario = sound_with({{"/jobs/0/arrivals", R"({ "poisson": { "rate": "2 Hz" } })"}}).scenario;
  const ClosedNetwork network = closed_network(scenario);
  CHECK(network.classes.front().arrivals == Rate{2.0});
  CHECK(network.product_form_violations.front() == "events of the jobs \"reco\" arrive from outside");
  CHECK(all_open(scenario));
  CHECK(published_formula(scenario).why_not ==
        "the published formula knows jobs that begin their next event themselves, not arrivals");
}

}  // namespace saturn::tests
