#include "calibration/import/counter_difference.hpp"

#include <doctest/doctest.h>

#include "tests/calibration/imported_server_file.hpp"

namespace saturn::tests::server_files {

namespace {

ServerCounters counters(const std::string& model, double requests, double read_at_s) {
  return {.at = {"m.prom", 3},
          .model = model,
          .requests = requests,
          .failures = 1.0,
          .items = 8 * requests,
          .executions = requests / 2,
          .sums_s = {{"queue_s", 0.5 * requests}, {"compute_infer_s", 0.25 * requests}},
          .read_at_s = read_at_s};
}

MeasuredFile reading(const std::string& path, const std::vector<ServerCounters>& of) {
  return {.path = path, .format = "Triton metrics", .sha256 = path + " hash", .counters = of};
}

std::string refusal(const MeasuredFile& earlier, const MeasuredFile& later) {
  try {
    difference(earlier, later);
    return "";
  } catch (const InputError& error) {
    return listed_complaints(error.complaints());
  }
}

}  // namespace

TEST_CASE("two readings give what happened in between, and how long that was") {
  const MeasuredFile file = difference(reading("1.prom", {counters("a", 100, 1000), counters("b", 7, 1000)}),
                                       reading("2.prom", {counters("b", 7, 1060), counters("a", 160, 1060)}));
  CHECK(file.path == "2.prom");
  CHECK(file.sha256 == "2.prom hash");
  REQUIRE(file.counters.size() == 1);
  const ServerCounters& a = file.counters[0];
  CHECK(a.model == "a");
  CHECK(a.requests == 60.0);
  CHECK(a.failures == 0.0);
  CHECK(a.items == 480.0);
  CHECK(a.executions == 30.0);
  CHECK(a.sums_s == std::map<std::string, double>{{"queue_s", 30.0}, {"compute_infer_s", 15.0}});
  CHECK(*a.elapsed_s == 60.0);
  CHECK(listed_complaints(file.left_out) ==
        "3 import.no_difference: Model b is left out: it answered no request after 1.prom was read; read the counters "
        "under load.\n");
}

TEST_CASE("counters that fell are refused, as after a restart or in the wrong order") {
  const std::string nothing = "0 import.no_difference: Nothing can be said about the time between 1.prom and 2.prom.\n";
  CHECK(refusal(reading("1.prom", {counters("a", 100, 1000)}), reading("2.prom", {counters("a", 99, 2000)})) ==
        nothing +
            "3 import.no_difference: Model a is left out: its counters fell after 1.prom; the server was started "
            "anew in between, or the files are in the wrong order.\n");
  CHECK(refusal(reading("1.prom", {counters("a", 100, 1000)}), reading("2.prom", {counters("a", 101, 900)})) ==
        nothing +
            "3 import.no_difference: Model a is left out: its counters were not read later than those of 1.prom; "
            "give the earlier file first.\n");
  CHECK(refusal(reading("1.prom", {counters("a", 100, 1000)}), reading("2.prom", {})) ==
        nothing +
            "0 import.no_difference: Model a is left out: it stands in 1.prom but not here; it was unloaded, or "
            "lines are missing.\n");
}

TEST_CASE("a model that is new counts from zero, unless the earlier file misses lines") {
  MeasuredFile earlier = reading("1.prom", {counters("a", 100, 1000)});
  const MeasuredFile later = reading("2.prom", {counters("a", 110, 1005), counters("b", 4, 1005)});
  const MeasuredFile file = difference(earlier, later);
  REQUIRE(file.counters.size() == 2);
  CHECK(file.counters[1].requests == 4.0);
  CHECK(*file.counters[1].elapsed_s == 5.0);
  CHECK(file.notes ==
        std::vector<std::string>{"Model b had answered no request when 1.prom was read; it counts from zero."});
  earlier.left_out.push_back({.source = "1.prom"});
  CHECK(difference(earlier, later).counters.size() == 1);
}

TEST_CASE("times that only one reading has are not subtracted, and an ensemble stays one") {
  ServerCounters before = counters("a", 100, 1000);
  before.sums_s.erase("queue_s");
  ServerCounters after = counters("a", 110, 1010);
  after.ensemble = true;
  const MeasuredFile file = difference(reading("1.prom", {before}), reading("2.prom", {after}));
  REQUIRE(file.counters.size() == 1);
  CHECK(file.counters[0].sums_s == std::map<std::string, double>{{"compute_infer_s", 2.5}});
  CHECK(file.counters[0].ensemble);
}

}  // namespace saturn::tests::server_files
