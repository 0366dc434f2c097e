#include "reports/run/trace_json.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace saturn;
using Json = nlohmann::json;

namespace {

/// A client whose second request leaves before the first is answered, and the batch that both are executed in.
RunTrace two_requests() {
  RunTrace trace{.begin_s = 1.0, .end_s = 9.0};
  trace.tracks = {{.group = "reco \"fast\"", .name = "stream 0", .is_server = false},
                  {.group = "gke/t4", .name = "device 0, instance 0", .is_server = true}};
  trace.labels = {"emtrk", "</script>", "réco\n"};
  const auto span = [&](SpanKind kind, std::uint32_t track, double begin_s, double end_s, std::uint32_t label,
                        std::uint64_t call, std::uint32_t items) {
    trace.spans.push_back({.kind = kind,
                           .track = track,
                           .begin_s = begin_s,
                           .end_s = end_s,
                           .label = label,
                           .call = call,
                           .items = items});
  };
  span(SpanKind::compute, 0, 0.5, 2.0, 1, 0, 0);
  span(SpanKind::call, 0, 2.0, 8.0, 0, 11, 3);
  span(SpanKind::send, 0, 2.0, 3.0, 0, 11, 3);
  span(SpanKind::call, 0, 2.5, 7.9, 0, 12, 4);
  span(SpanKind::queue, 0, 2.5, 5.0, 0, 12, 4);
  span(SpanKind::queue, 0, 3.0, 5.0, 0, 11, 3);
  span(SpanKind::batch, 1, 5.0, 7.0, 0, 0, 7);
  span(SpanKind::execute, 0, 5.0, 7.0, 0, 11, 3);
  span(SpanKind::execute, 0, 5.0, 7.0, 0, 12, 4);
  span(SpanKind::receive, 0, 7.0, 8.0, 0, 11, 3);
  span(SpanKind::receive, 0, 7.0, 7.9, 0, 12, 4);
  trace.sample_ends_s = {5.0, 9.0};
  trace.series = {{.name = "gke/t4", .is_queue = false, .values = {0.0, 0.5}},
                  {.name = "emtrk, \"quoted\"", .is_queue = true, .values = {1.125, 0.0}}};
  return trace;
}

std::vector<Json> events(const RunTrace& trace, const std::string& phase) {
  const Json document = Json::parse(trace_json(trace, {}));
  std::vector<Json> found;
  for (const Json& event : document["traceEvents"])
    if (event["ph"] == phase) found.push_back(event);
  return found;
}

}  // namespace

TEST_CASE("a request takes its parts into its lane, and a second one under way has a lane of its own") {
  const TraceLanes lanes = trace_lanes(two_requests());
  CHECK(lanes.lane == std::vector<std::size_t>{0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 1});
  CHECK(lanes.lanes == std::vector<std::size_t>{2, 1});
}

TEST_CASE("every span of a trace is a complete event in microseconds, and those of a row lie in each other or apart") {
  const RunTrace trace = two_requests();
  const std::vector<Json> complete = events(trace, "X");
  REQUIRE(complete.size() == trace.spans.size());
  std::map<std::pair<int, int>, std::vector<double>> open;
  for (std::size_t i = 0; i < complete.size(); ++i) {
    const double begin = complete[i]["ts"];
    const double end = begin + complete[i]["dur"].get<double>();
    CHECK(begin == doctest::Approx(1e6 * trace.spans[i].begin_s));
    CHECK(end == doctest::Approx(1e6 * trace.spans[i].end_s));
    std::vector<double>& ends = open[{complete[i]["pid"], complete[i]["tid"]}];
    while (!ends.empty() && ends.back() <= begin) ends.pop_back();
    const bool inside = ends.empty() || end <= ends.back();
    CHECK(inside);
    ends.push_back(end);
  }
  CHECK(complete[0]["name"] == "</script>");
  CHECK(complete[1]["name"] == "emtrk");
  CHECK(complete[1]["args"] == Json{{"request", 11}, {"items", 3}});
  CHECK(complete[6]["args"] == Json{{"model", "emtrk"}, {"items", 7}});
}

TEST_CASE("requests that wait in a server begin and end in pairs of their own") {
  const std::vector<Json> begins = events(two_requests(), "b");
  const std::vector<Json> ends = events(two_requests(), "e");
  REQUIRE(begins.size() == 2);
  REQUIRE(ends.size() == 2);
  std::set<int> ids;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    for (const char* same : {"cat", "name", "id", "pid", "tid"}) CHECK(begins[i][same] == ends[i][same]);
    CHECK(begins[i]["ts"] <= ends[i]["ts"]);
    ids.insert(begins[i]["id"].get<int>());
  }
  CHECK(ids.size() == 2);
}

TEST_CASE("rows have names, and counters begin where their interval does") {
  std::map<int, std::string> processes;
  std::vector<std::string> threads;
  for (const Json& named : events(two_requests(), "M")) {
    if (named["name"] == "process_name") processes[named["pid"]] = named["args"]["name"];
    if (named["name"] == "thread_name") threads.push_back(named["args"]["name"]);
  }
  CHECK(processes ==
        std::map<int, std::string>{
            {1, "jobs reco \"fast\""}, {2, "server gke/t4"}, {3, "use of resources"}, {4, "waiting requests"}});
  CHECK(threads == std::vector<std::string>{"stream 0", "stream 0 (2)", "device 0, instance 0"});
  const std::vector<Json> counters = events(two_requests(), "C");
  REQUIRE(counters.size() == 4);
  CHECK(counters[0]["ts"] == 1e6);
  CHECK(counters[1]["ts"] == 5e6);
  CHECK(counters[1]["args"]["busy share"] == 0.5);
  CHECK(counters[2]["name"] == "waiting for emtrk, \"quoted\"");
  CHECK(counters[2]["args"]["requests"] == 1.125);
}

TEST_CASE("a trace of nothing, of words that are no UTF-8, and of dates beyond all measure is a valid document") {
  CHECK(Json::parse(trace_json({}, {}))["traceEvents"].size() == 4);
  RunTrace odd = two_requests();
  odd.tracks[0].group = "\xff\xfe";
  odd.spans[0].end_s = 1e300;
  CHECK(Json::parse(trace_json(odd, {.provenance = {}, .title = "\x80\"", .replica = 7}))["otherData"]["replica"] ==
        "7");
}

TEST_CASE("after 104 days dates are whole microseconds, which viewers add without rounding") {
  RunTrace late = two_requests();
  for (TraceSpan& span : late.spans) {
    span.begin_s += 4e7 + 1e-7;
    span.end_s += 4e7 + 4e-7;
  }
  for (const Json& event : events(late, "X")) CHECK(event["dur"].is_number_integer());
}

TEST_CASE("the timeline has a row a sample and series") {
  CHECK(timeline_csv(two_requests()) ==
        "time_s,name,kind,value\n"
        "5,gke/t4,use,0\n"
        "5,\"emtrk, \"\"quoted\"\"\",queue,1.125\n"
        "9,gke/t4,use,0.5\n"
        "9,\"emtrk, \"\"quoted\"\"\",queue,0\n");
}
