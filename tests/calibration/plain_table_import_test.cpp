#include <doctest/doctest.h>

#include "tests/calibration/imported_files.hpp"

namespace saturn::tests {

TEST_CASE("numbers written by hand come in SI units with their errors and sources") {
  const MeasuredFile file = imported(R"(// of one event
{
  "schema": "saturn-numbers/1", "source": "talk of May",
  "numbers": {
    "preprocessing": {"value": "7 s", "error": "500 ms", "source": "page 3"},
    "bandwidth": {"value": "2 Gbps", "error": "10 %"},
    "items": {"value": 55000}, "input": {"value": "9 kB"}, "trigger": {"value": "12 Hz"}
  }})");
  CHECK(file.format == "saturn-numbers JSON");
  REQUIRE(file.numbers.size() == 5);
  CHECK(file.numbers[0].name == "preprocessing");
  CHECK(file.numbers[0].value == 7.0);
  CHECK(file.numbers[0].unit == "s");
  CHECK(file.numbers[0].standard_error == 0.5);
  CHECK(file.numbers[0].source == "page 3");
  CHECK(file.numbers[0].at.text() == "f:5");
  CHECK(file.numbers[1].value == 2.5e8);
  CHECK(file.numbers[1].unit == "B/s");
  CHECK(file.numbers[1].standard_error.value() == doctest::Approx(2.5e7));
  CHECK(file.numbers[1].source == "talk of May");
  CHECK_FALSE(file.numbers[2].standard_error.has_value());
  CHECK(file.numbers[2].unit.empty());
  CHECK(file.numbers[3].unit == "B");
  CHECK(file.numbers[4].unit == "1/s");
}

TEST_CASE("every mistake in numbers written by hand is named at once, with pointer and place") {
  const std::vector<Complaint> complaints = refusals(R"({"schema": "saturn-numbers/2",
"sorce": "x",
"numbers": {
"preprocessing": {"value": 7},
"gpu": {"value": "2 GB"},
"travel": 3,
"bandwidth": {"value": "2 Gbps", "error": "1 s"},
"x": {"error": "1 s"},
"y": {"value": "-1 s"}
}})");
  std::vector<std::string> found;
  for (const Complaint& complaint : complaints)
    found.push_back(std::to_string(complaint.line) + ":" + std::to_string(complaint.column) + " " + complaint.code);
  CHECK(found == std::vector<std::string>{"1:12 import.schema", "2:1 import.unknown_key", "4:28 import.missing_unit",
                                          "5:18 import.wrong_unit", "6:11 import.wrong_type", "7:43 import.wrong_unit",
                                          "8:6 import.missing_key", "9:16 import.not_a_quantity"});
  CHECK(complaints.at(1).text == "/sorce is no key of this schema; did you mean \"source\"?");
  CHECK(complaints.at(2).text == "/numbers/preprocessing/value is 7; a duration needs its unit, for example \"7 s\".");
  CHECK(complaints.at(5).text ==
        "/numbers/bandwidth/error is \"1 s\", which is a duration; a bandwidth is needed, for example \"1 Gbps\".");
}

TEST_CASE("a table of clients: units in the names, spreads by their column, any separator, blank lines and CRLF") {
  const std::string text =
      "# measured in June\nclients;Event time [ms];sd;sem [s];nonml_s;weather\n2;4500;100;0.02;3.5;rain\n\n"
      "1;3500;90;0.01;;sun\n";
  std::string tabs = text;
  for (char& c : tabs) c = c == ';' ? '\t' : c;
  for (const std::string& each : {text, tabs, with_crlf(text)}) {
    const MeasuredFile file = imported(each);
    CHECK(file.format == "plain table");
    REQUIRE(file.closed_loop.size() == 2);
    CHECK(file.closed_loop[0].at.text() == "f:3");
    CHECK(file.closed_loop[0].clients == 2.0);
    const auto& measured = file.closed_loop[0].measured;
    CHECK(measured.size() == 4);
    CHECK(measured.at("event_time_s") == doctest::Approx(4.5));
    CHECK(measured.at("event_time_s_sd") == doctest::Approx(0.1));
    CHECK(measured.at("event_time_s_sem") == doctest::Approx(0.02));
    CHECK(measured.at("nonml_s") == doctest::Approx(3.5));
    CHECK_FALSE(file.closed_loop[1].measured.contains("nonml_s"));
    CHECK(file.left_out.empty());
    CHECK(file.notes == std::vector<std::string>{"Columns that are not read: \"weather\"."});
  }
}

TEST_CASE("a throughput beside clients is one of events") {
  const MeasuredFile file = imported("jobs,throughput [1/min]\n30,6\n");
  REQUIRE(file.closed_loop.size() == 1);
  CHECK(file.closed_loop[0].measured.at("events_per_s") == doctest::Approx(0.1));
}

TEST_CASE("a table of loads has the server's queue and compute times; a queue without a unit may be its length") {
  const MeasuredFile file =
      imported("concurrency,batch,latency_ms,queue_ms,compute [ms],p99 queue [ms]\n24,16,100.4,37,61.8,90\n");
  REQUIRE(file.loads.size() == 1);
  CHECK(file.loads[0].measured.at("queue_s") == doctest::Approx(0.037));
  CHECK(file.loads[0].measured.at("compute_s") == doctest::Approx(0.0618));
  CHECK(file.notes.front() == "Columns that are not read: \"p99 queue [ms]\".");
  const MeasuredFile lengths = imported("concurrency,batch,latency_ms,queue\n24,16,100.4,9\n");
  REQUIRE(lengths.loads.size() == 1);
  CHECK_FALSE(lengths.loads[0].measured.contains("queue_s"));
}

TEST_CASE("a table of concurrencies: the items of a request follow from Little's law, and that is said") {
  const MeasuredFile file =
      imported("model,concurrency,throughput [1/s],p99 latency (us),latency_ms\ntagger,4,800,21000,20\n");
  REQUIRE(file.loads.size() == 1);
  const LoadPoint& point = file.loads[0];
  CHECK(point.model == "tagger");
  CHECK(point.concurrency == 4.0);
  CHECK(point.items_per_s == 800.0);
  CHECK(point.request_batch.value() == doctest::Approx(800 * 0.020 / 4));
  CHECK(point.batch_from == BatchOrigin::littles_law);
  CHECK(point.measured.at("latency_p99_s") == doctest::Approx(0.021));
  CHECK(point.measured.at("latency_mean_s") == doctest::Approx(0.020));
  CHECK(file.notes == std::vector<std::string>{
                          "The items of a request follow from Little's law: throughput x latency / concurrency."});
}

TEST_CASE("requests per second need the size of a request, and a throughput that Little's law denies is noted") {
  const MeasuredFile known = imported("concurrency,batch,requests_per_s\n4,8,20\n");
  CHECK(known.loads.at(0).items_per_s == 160.0);
  const MeasuredFile odd = imported("concurrency,batch,throughput [1/s],latency_ms\n4,8,20,200\n");
  CHECK(odd.notes.at(0).starts_with(
      "Little's law contradicts the given items of a request (line 2: 1 instead of 8): the requests in flight were not "
      "those of the first column, the rate is of requests and not of items"));
}

TEST_CASE("a table of batches: each was sent alone, and its error is that of the mean") {
  const MeasuredFile file = imported("batch,time_ms,error\n1,2.0,0.1\n8,10,0.2\n");
  REQUIRE(file.loads.size() == 2);
  CHECK(file.loads[1].concurrency == 1.0);
  CHECK(file.loads[1].request_batch == 8.0);
  CHECK(file.loads[1].batch_from == BatchOrigin::given);
  CHECK(file.loads[1].items_per_s == doctest::Approx(800.0));
  CHECK(file.loads[1].measured.at("latency_sem_s") == doctest::Approx(0.0002));
}

}  // namespace saturn::tests
