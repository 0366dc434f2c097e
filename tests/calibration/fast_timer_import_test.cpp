#include <doctest/doctest.h>

#include "tests/calibration/imported_client_file.hpp"

namespace saturn::tests {

namespace {

const char* const resources = R"({
  "modules": [
    {"events": 200, "label": "source", "time_real": 300.0, "time_thread": 240.0, "type": "PoolSource"},
    {"events": 50, "label": "pixels", "time_real": 9e3, "time_thread": 8e3, "type": "Clusterizer"},
    {"events": 0, "label": "never", "time_real": 0.0, "time_thread": 0.0, "type": "Filter"},
    {"events": 200, "label": "back", "time_real": 1.0, "time_thread": -1.0, "type": "Broken"},
    {"events": 200, "time_thread": 10.0, "type": "Nameless"}
  ],
  "resources": [{"time_real": "real time"}, {"time_thread": "cpu time"}],
  "total": {"events": 200, "label": "RECO", "time_real": 99000.0, "time_thread": 88000.0, "type": "Job"}
})";

}  // namespace

TEST_CASE("FastTimerService: sums in milliseconds become means in seconds, over the events in which a module ran") {
  const MeasuredFile file = imported_text_of_client(resources);
  CHECK(file.format == "FastTimerService JSON");
  REQUIRE(file.cpu_times.size() == 3);
  CHECK(file.cpu_times[0].name == "event");
  CHECK(file.cpu_times[0].whole_event);
  CHECK(file.cpu_times[0].mean_s == doctest::Approx(0.44));
  CHECK(file.cpu_times[0].count == 200);
  CHECK(file.cpu_times[1].name == "source:PoolSource");
  CHECK(file.cpu_times[1].mean_s == doctest::Approx(0.0012));
  CHECK(file.cpu_times[2].mean_s == doctest::Approx(0.16));
  CHECK(file.cpu_times[2].count == 50);
  CHECK(file.cpu_times[2].at.text() == "f:4");
  CHECK_FALSE(file.cpu_times[2].sd_s.has_value());
  CHECK(left_out_lines(file) == std::vector<std::string>{"6 import.unusable_time", "7 import.no_name"});
  CHECK(file.notes ==
        std::vector<std::string>{"FastTimerService: only sums are in the file: means without a spread.",
                                 "FastTimerService: 1 module never ran or took no time; not listed.",
                                 "FastTimerService: 1 module ran in a part of the events only; such a mean is over the "
                                 "events in which the module ran."});
}

TEST_CASE("an example of FastTimerService's with \"...\" for the other modules is refused at that line") {
  const std::string refusal = only_refusal(
      "{\n  \"modules\": [\n    {\"events\": 9, \"label\": \"a\", \"time_thread\": 5.0},\n    ...\n  ]\n}\n");
  CHECK(refusal.starts_with("f:4:5: import.not_json: "));
  CHECK(
      refusal.ends_with("Import the whole resources.json that FastTimerService wrote; examples in documentation "
                        "leave modules out with \"...\"."));
}

}  // namespace saturn::tests
