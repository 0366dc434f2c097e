#include <doctest/doctest.h>

#include <cmath>

#include "tests/calibration/imported_files.hpp"

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
  const MeasuredFile file = imported(resources);
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
  const TemporaryFolder folder;
  const MeasuredFile file = read_measured_file(write_database(folder, "t.db", timetracker_tables() + two_events));
  CHECK(file.format == "TimeTracker database");
  CHECK(file.cpu_times.size() == 4);
  const CpuTimes& event = times_of(file, "event");
  CHECK(event.whole_event);
  CHECK(event.count == 2);
  CHECK(event.mean_s == doctest::Approx(3.0));
  CHECK(event.sd_s.value() == doctest::Approx(std::sqrt(2.0)));
  CHECK(event.at.text() == (folder / "t.db").string());
  CHECK(times_of(file, "reco:hits:HitFinder").values_s == std::vector<double>{0.5, 0.7});
  CHECK(times_of(file, "source:RootInput").mean_s == doctest::Approx(0.02));
  CHECK_FALSE(times_of(file, "reco:trk:Tracker").whole_event);
  CHECK(folder.files() == std::vector<std::string>{"t.db"});
}

TEST_CASE("negative times and times that are no numbers are left out, counted and named") {
  const TemporaryFolder folder;
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
  const TemporaryFolder folder;
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
  const TemporaryFolder folder;
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
    const MeasuredFile file = imported(crlf ? with_crlf(text) : text);
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
      imported(table("Full event 1 2 3 2 0.5 10\n") + "more\n" + table("Full event 2 4 6 4 0.5 10\n"));
  REQUIRE(file.cpu_times.size() == 2);
  CHECK(file.cpu_times[0].name == "event (table 1)");
  CHECK(file.cpu_times[1].name == "event (table 2)");
  CHECK(file.notes.back() ==
        "TimeTracker: the text holds 2 tables; \"(table 1)\" and so on behind the names keeps them apart.");
}

TEST_CASE("a TimeTracker summary finds its columns by name and says which lines it could not use") {
  const MeasuredFile file =
      imported(ruler + "TimeTracker printout (sec)  Avg  nEvts\n" + ruler +
               "p:a:A  1.5  10\n%MSG-w Something else\np:b:B  -1  10\np:c:C  nan  10\np:d:D  3  0\n");
  REQUIRE(file.cpu_times.size() == 1);
  CHECK(file.cpu_times[0].name == "p:a:A");
  CHECK_FALSE(file.cpu_times[0].sd_s.has_value());
  CHECK(left_out_lines(file) == std::vector<std::string>{"5 import.no_row", "6 import.unusable_time", "7 import.no_row",
                                                         "8 import.unusable_time"});
  CHECK(file.notes.front() ==
        "TimeTracker: table 1 has no closing line; the text may be torn, and rows may be missing.");
  CHECK(refusals(table("")).front().code == "import.no_cpu_time");
}

}  // namespace saturn::tests
