#include <doctest/doctest.h>

#include <cmath>

#include "tests/calibration/imported_client_file.hpp"

namespace saturn::tests {

namespace {

const CpuTimes& times_of(const MeasuredFile& file, const std::string& name) {
  for (const CpuTimes& times : file.cpu_times)
    if (times.name == name) return times;
  FAIL("no times of " << name);
  return file.cpu_times.front();
}

std::string refusal_of(const std::string& path) {
  try {
    read_measured_file(path);
  } catch (const InputError& error) {
    return error.complaints().front().code + ": " + error.complaints().front().text;
  }
  return "";
}

const char* const two_events =
    "INSERT INTO TimeEvent VALUES(1,0,1,2.0),(1,0,2,4.0);"
    "INSERT INTO TimeSource VALUES(1,0,1,'RootInput',0.01),(1,0,2,'RootInput',0.03);"
    "INSERT INTO TimeModule VALUES(1,0,1,'reco','hits','HitFinder',0.5),(1,0,1,'reco','trk','Tracker',1.5),"
    "(1,0,2,'reco','hits','HitFinder',0.7),(1,0,2,'reco','trk','Tracker',3.3);";

}  // namespace

TEST_CASE("a TimeTracker database gives the event, the source and each module, and nothing is written beside it") {
  const ImportFolder folder;
  const MeasuredFile file = read_measured_file(write_database(folder, "t.db", timetracker_tables() + two_events));
  CHECK(file.format == "TimeTracker database");
  CHECK(file.cpu_times.size() == 4);
  const CpuTimes& event = times_of(file, "event");
  CHECK(event.whole_event);
  CHECK(event.count == 2);
  CHECK(event.mean_s == doctest::Approx(3.0));
  CHECK(event.sd_s.value() == doctest::Approx(std::sqrt(2.0)));
  CHECK(event.at.text() == folder.path("t.db"));
  CHECK(times_of(file, "reco:hits:HitFinder").values_s == std::vector<double>{0.5, 0.7});
  CHECK(times_of(file, "source:RootInput").mean_s == doctest::Approx(0.02));
  CHECK_FALSE(times_of(file, "reco:trk:Tracker").whole_event);
  CHECK(folder.files() == std::vector<std::string>{"t.db"});
}

TEST_CASE("negative times and times that are no numbers are left out, counted and named") {
  const ImportFolder folder;
  const MeasuredFile file = read_measured_file(
      write_database(folder, "t.db",
                     timetracker_tables() + two_events +
                         "INSERT INTO TimeEvent VALUES(1,0,3,-1),(1,0,4,'soon'),(1,0,5,NULL),(1,0,6,9e999);"
                         "INSERT INTO TimeModule VALUES(1,0,1,'reco','off','Null',0),(1,0,2,'reco','off','Null',0);"));
  CHECK(times_of(file, "event").values_s == std::vector<double>{2.0, 4.0});
  REQUIRE(file.left_out.size() == 2);
  CHECK(file.left_out[0].text ==
        "4 of 6 times of event cannot be used: 1 negative, 3 no plausible number of seconds; the first is that of run "
        "1, subrun 0, event 3.");
  CHECK(file.left_out[1].text == "All times of reco:off:Null are 0; it is not used.");
}

TEST_CASE("older databases, with one column for path and module, and those in write-ahead mode are read") {
  const ImportFolder folder;
  const MeasuredFile file =
      read_measured_file(write_database(folder, "t.db",
                                        "PRAGMA journal_mode = WAL; CREATE TABLE TimeModule(Run int, Subrun int, Event "
                                        "int, PathModuleId text, Time real);"
                                        "INSERT INTO TimeModule VALUES(1,0,1,'p1:gen:Generator',0.25);"));
  REQUIRE(file.cpu_times.size() == 1);
  CHECK(file.cpu_times[0].name == "p1:gen:Generator");
  CHECK(file.cpu_times[0].count == 1);
  CHECK_FALSE(file.cpu_times[0].sd_s.has_value());
}

TEST_CASE("databases without times are refused with the reason") {
  const ImportFolder folder;
  CHECK(refusal_of(write_database(folder, "empty.db", timetracker_tables())) ==
        "import.no_events: TimeTracker's tables hold no time that could be used: the job ended before its first event, "
        "or its events were not timed. Import the database of a job that has processed events.");
  CHECK(refusal_of(write_database(folder, "other.db", "CREATE TABLE visits(id int); CREATE TABLE places(id int);")) ==
        "import.other_database: This SQLite database is another program's: its tables are \"places\" and \"visits\"; "
        "that of art's TimeTracker has TimeEvent, TimeModule and TimeSource.");
  CHECK(refusal_of(write_database(folder, "view.db",
                                  "CREATE TABLE a(x int); CREATE VIEW TimeEvent AS WITH RECURSIVE "
                                  "n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS "
                                  "Time FROM n;"))
            .starts_with("import.other_database"));
}

}  // namespace saturn::tests
