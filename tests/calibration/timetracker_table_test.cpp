#include <doctest/doctest.h>

#include "tests/calibration/imported_client_file.hpp"

namespace saturn::tests {

namespace {

const std::string ruler = std::string(60, '=') + "\n";

std::string table(const std::string& rows) {
  return ruler + "TimeTracker printout (sec)   Min  Avg  Max  Median  RMS  nEvts\n" + ruler + rows + ruler;
}

const char* const rows_of_job =
    "Full event                0.5   2.0   9.0   1.5   0.8   400\n"
    "------------------------------------------------------------\n"
    "source:RootInput(read)    0.001 0.002 0.009 0.001 0.001 400\n"
    "reco:a_module_whose_name_takes_the_whole_line:OneOfManyTrackFindersWithALongName\n"
    "                          0.25  0.5   0.75  0.5   0.125 400\n";

}  // namespace

TEST_CASE("a TimeTracker summary inside a log: mean, spread and events, rows of one line and of two") {
  for (const bool crlf : {false, true}) {
    const std::string text = "Begin processing\n" + table(rows_of_job) + "Art has completed\n";
    const MeasuredFile file = imported_text_of_client(crlf ? with_crlf(text) : text);
    CHECK(file.format == "TimeTracker summary");
    REQUIRE(file.cpu_times.size() == 3);
    CHECK(file.cpu_times[0].name == "event");
    CHECK(file.cpu_times[0].whole_event);
    CHECK(file.cpu_times[0].mean_s == 2.0);
    CHECK(file.cpu_times[0].sd_s == 0.8);
    CHECK(file.cpu_times[0].count == 400);
    CHECK(file.cpu_times[0].values_s.empty());
    CHECK(file.cpu_times[2].name == "reco:a_module_whose_name_takes_the_whole_line:OneOfManyTrackFindersWithALongName");
    CHECK(file.cpu_times[2].mean_s == 0.5);
    CHECK(file.cpu_times[2].at.text() == "f:9");
    CHECK(file.left_out.empty());
  }
}

TEST_CASE("several TimeTracker summaries in one log are kept apart by their names") {
  const MeasuredFile file =
      imported_text_of_client(table("Full event 1 2 3 2 0.5 10\n") + "more\n" + table("Full event 2 4 6 4 0.5 10\n"));
  REQUIRE(file.cpu_times.size() == 2);
  CHECK(file.cpu_times[0].name == "event (table 1)");
  CHECK(file.cpu_times[1].name == "event (table 2)");
  CHECK(file.notes.back() ==
        "TimeTracker: the text holds 2 tables; \"(table 1)\" and so on behind the names keeps them apart.");
}

TEST_CASE("a TimeTracker summary finds its columns by name and says which lines it could not use") {
  const MeasuredFile file =
      imported_text_of_client(ruler + "TimeTracker printout (sec)  Avg  nEvts\n" + ruler +
                              "p:a:A  1.5  10\n%MSG-w Something else\np:b:B  -1  10\np:c:C  nan  10\np:d:D  3  0\n");
  REQUIRE(file.cpu_times.size() == 1);
  CHECK(file.cpu_times[0].name == "p:a:A");
  CHECK_FALSE(file.cpu_times[0].sd_s.has_value());
  CHECK(left_out_lines(file) == std::vector<std::string>{"5 import.no_row", "6 import.unusable_time", "7 import.no_row",
                                                         "8 import.unusable_time"});
  CHECK(file.notes.front() ==
        "TimeTracker: table 1 has no closing line; the text may be torn, and rows may be missing.");
  CHECK(refusals_of_client_text(table("")).front().code == "import.no_cpu_time");
}

}  // namespace saturn::tests
