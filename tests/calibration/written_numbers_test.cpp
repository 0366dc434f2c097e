#include <doctest/doctest.h>

#include "tests/calibration/imported_client_file.hpp"

namespace saturn::tests {

TEST_CASE("numbers written by hand come in SI units with their errors and sources") {
  const MeasuredFile file = imported_text_of_client(R"(// of one event
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
  const std::vector<Complaint> complaints = refusals_of_client_text(R"({"schema": "saturn-numbers/2",
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

}  // namespace saturn::tests
