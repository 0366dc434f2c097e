#include "calibration/measured_case.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace saturn;

TEST_CASE("every shipped measurement is read, and its parts add up to what was measured") {
  CHECK(shipped_measurements().size() >= 2);
  for (const EmbeddedFile& file : shipped_measurements()) {
    const MeasuredCase measured = read_measured_text(std::string(file.text), std::string(file.name));
    CAPTURE(measured.id);
    CHECK(measured.verified);
    CHECK(file.name == measured.id + ".json");
    for (const MeasuredRow& row : measured.rows) {
      CAPTURE(row.jobs);
      REQUIRE(row.event_time_s.has_value());
      REQUIRE(row.module_time_s.has_value());
      REQUIRE(row.nonml_s.has_value());
      // The source rounds the part outside the module to four digits.
      CHECK(std::abs(row.event_time_s->value - row.module_time_s->value - *row.nonml_s) <= 0.06);
      // It gives the rate as jobs over event time.
      CHECK(row.events_per_s->value == doctest::Approx(row.jobs / row.event_time_s->value).epsilon(1e-3));
      CHECK(row.remark.empty() == (row.jobs > 1.0));
    }
  }
}

TEST_CASE("everything that is wrong with a measured file is said at once") {
  const std::string text = R"({"schema": "saturn-measured/1", "id": "x", "title": "t", "source": {"text": "s"},
    "verified": 1, "scenario": "first-steps", "colour": "red",
    "rows": [{"set": {"/jobs/0/count": 3}, "measured": {"module_time_s": {"value": -2}}}, {"set": {}}]})";
  try {
    read_measured_text(text, "x.json");
    FAIL("nothing was thrown");
  } catch (const InputError& error) {
    std::string all;
    for (const Complaint& complaint : error.complaints()) all += complaint.text + "\n";
    CHECK(all.find("/verified has to be true or false.") != std::string::npos);
    CHECK(all.find("/colour is not a key of the schema") != std::string::npos);
    CHECK(all.find("/rows/0/measured/module_time_s/value is -2; it has to be above 0.") != std::string::npos);
    CHECK(all.find("/rows/0/nonml_s is missing") != std::string::npos);
    CHECK(all.find("/rows/1/set needs \"/jobs/0/count\"") != std::string::npos);
    CHECK(all.find("/rows/1/measured is missing.") != std::string::npos);
    CHECK(error.complaints().size() == 6);
  }
}

TEST_CASE("a text that is not JSON is refused with its line and column") {
  try {
    read_measured_text("{\n  \"schema\": oops\n}\n", "x.json");
    FAIL("nothing was thrown");
  } catch (const InputError& error) {
    REQUIRE(error.complaints().size() == 1);
    CHECK(error.complaints()[0].code == "measured.not_json");
    CHECK(error.complaints()[0].line == 2);
    CHECK(error.complaints()[0].column == 13);
  }
}
