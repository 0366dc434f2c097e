#include <doctest/doctest.h>

#include <filesystem>

#include "tests/cli/saturn_process.hpp"

using namespace saturn;

namespace {

/// Two round-trip times, two dispatches; the last point has no result.
const std::string plan =
    R"json({"schema":"saturn-sweep/1","title":"Four GPUs","scenario":"x.json","scenario_sha256":"5f0c2d9f6f0c1b1c9a6f5d1d6d5be6c0a3cf1f5a7d3d0ce3ad8f4b1c6e2a9b70","answer":"run","seed":42,"axes":[{"pointer":"/network/links/0/rtt","name":"rtt","unit":"s"},{"pointer":"/servers/0/dispatch","name":"dispatch","unit":""}],"points":4,"version":"0.1.0","results":"1"}
{"point":0,"id":"1f6a0c52d1c94b7fa2e60d3c5b8e9f01","values":[["0.5 ms",5e-04],["round_robin"]]}
{"point":1,"id":"9b3de2774c0f4a15b6c8a1d2e3f40516","values":[["0.5 ms",5e-04],["least_loaded"]]}
{"point":2,"id":"c04f7a1be65d42938e1726354a5b6c7d","values":[["100 ms",0.1],["round_robin"]]}
{"point":3,"id":"e8d9f0a1b2c34d5e6f70819a2b3c4d5e","values":[["100 ms",0.1],["least_loaded"]]}
)json";

const std::string results =
    R"json({"id":"1f6a0c52d1c94b7fa2e60d3c5b8e9f01","result":{"status":"answered","replications":3,"metrics":[["events","per_s",2.25,2.24,2.26],["event_time","s",119.2,118.9,119.5],["jobs","",268]],"words":[["binding","gke/t4"]]},"check":"b9080e4a85570d4c"}
{"id":"9b3de2774c0f4a15b6c8a1d2e3f40516","result":{"status":"imprecise","replications":32,"metrics":[["events","per_s",2.04,1.95,2.14],["event_time","s",131.5,125.25,137.75],["jobs","",268]],"words":[["binding","gke/t4"]]},"check":"16d5c2ebc15c37b6"}
{"id":"c04f7a1be65d42938e1726354a5b6c7d","result":{"status":"failed","failure":"out of time","reason":"the point took longer than 1 h (--point-time)"},"check":"582985c030f083c8"}
)json";

/// A folder "s" with a sweep, below the folder of the test.
void write_sweep(const TemporaryFolder& folder) {
  std::filesystem::create_directories(folder.path() / "s" / "results");
  folder.write("s/plan.jsonl", plan);
  folder.write("s/results/worker-1.jsonl", results);
}

}  // namespace

TEST_CASE("show prints a sweep's summary and its points, with --x and --y a map") {
  const TemporaryFolder folder;
  write_sweep(folder);
  const std::string where = folder.path().string();
  const std::string summary =
      "Sweep of Four GPUs: saturn run at each point, seed 42\n"
      "  rtt: 0.5, 100 ms\n"
      "  dispatch: round_robin, least_loaded\n"
      "  4 points: 2 answered (1 of them less precise than asked), 1 failed, 1 not\n"
      "  computed yet (25 %; the sweep command computes them).\n"
      "  × out of time at 1 point (2): the point took longer than 1 h (--point-time)\n"
      "\n";
  const ProcessResult table = saturn_process("show s --metric event_time", where);
  CHECK(table.exit_code == 0);
  CHECK(table.err.empty());
  CHECK(table.out == summary +
                         "  point  rtt [ms]      dispatch  event_time [s]\n"
                         "      0       0.5   round_robin     119.2 ± 0.3\n"
                         "      1       0.5  least_loaded         132 ± 6  less precise than asked\n"
                         "      2       100   round_robin               –  failed: out of time\n"
                         "      3       100  least_loaded               –  not computed yet\n"
                         "\n"
                         "  × out of time at 1 point (2): the point took longer than 1 h (--point-time)\n");
  const ProcessResult map = saturn_process("show s --metric event_time --x rtt --y dispatch", where);
  CHECK(map.out == summary +
                       "event_time [s]\n"
                       "  dispatch\n"
                       "  least_loaded  ██  ~132        ·\n"
                       "   round_robin  ░░ 119.2        ×\n"
                       "                     0.5      100  rtt [ms]\n"
                       "\n"
                       "  ░░ from 119 ▒▒ 122 ▓▓ 125 ██ 128 to 132 s\n"
                       "  × failed (1 point)\n"
                       "  · not computed yet (1 point)\n"
                       "  ~ less precise than asked (1 point)\n");
}

TEST_CASE("show says all that is wrong with its options, and what there is") {
  const TemporaryFolder folder;
  write_sweep(folder);
  const std::string where = folder.path().string();
  const ProcessResult view = saturn_process("show s --metric latency --x delay --at rtt=3ms", where);
  CHECK(view.exit_code == 2);
  CHECK(view.out.empty());
  CHECK(view.err ==
        "--metric: show.unknown_metric\n"
        "  No point answers with \"latency\"; there are \"events_per_s\", \"event_time_s\", \"jobs\" and \"binding\".\n"
        "--x: show.unknown_axis\n"
        "  The sweep has no axis \"delay\"; its axes are \"rtt\" and \"dispatch\".\n"
        "--at rtt=3ms: show.unknown_value\n"
        "  \"rtt\" is never \"3ms\"; its values are \"0.5 ms\" and \"100 ms\".\n");
  CHECK(saturn_process("show s --at rtt", where).err ==
        "--at rtt: show.bad_at\n  An axis and its value are needed, for example --at rtt=\"1 ms\".\n");
  CHECK(saturn_process("show s --x rtt --format csv", where).exit_code == 2);
  CHECK(saturn_process("show nowhere", where).exit_code == 2);
  CHECK(saturn_process("show s/plan.jsonl", where).exit_code == 2);
  CHECK(saturn_process("show .", where).exit_code == 2);
}

TEST_CASE("show --at means the same value in another unit, in every format") {
  const TemporaryFolder folder;
  write_sweep(folder);
  const ProcessResult csv = saturn_process("show s --at rtt=\"500 us\" --format csv", folder.path().string());
  CHECK(csv.exit_code == 0);
  CHECK(csv.out ==
        "point,id,rtt_s,dispatch,status,failure,reason,replications,events_per_s,events_low_per_s,events_high_per_s,"
        "event_time_s,event_time_low_s,event_time_high_s,jobs,binding\n"
        "0,1f6a0c52d1c94b7fa2e60d3c5b8e9f01,5e-04,round_robin,answered,,,3,2.25,2.24,2.26,119.2,118.9,119.5,268,"
        "gke/t4\n"
        "1,9b3de2774c0f4a15b6c8a1d2e3f40516,5e-04,least_loaded,imprecise,,,32,2.04,1.95,2.14,131.5,125.25,137.75,268,"
        "gke/t4\n");
}

TEST_CASE("show --sqlite replaces no database without --force, and nothing else ever") {
  const TemporaryFolder folder;
  write_sweep(folder);
  const std::string where = folder.path().string();
  const ProcessResult written = saturn_process("show s --sqlite s.db", where);
  CHECK(written.exit_code == 0);
  CHECK(written.err == "s.db holds 4 points.\n");
  CHECK(text_of_file(folder.path() / "s.db").starts_with("SQLite format 3"));
  CHECK(saturn_process("show s --sqlite s.db", where).err ==
        "--sqlite: out.exists\n  s.db would be overwritten; name another file, or add --force.\n");
  CHECK(saturn_process("show s --sqlite s.db --force --quiet", where).exit_code == 0);
  CHECK(saturn_process("show s --sqlite s/plan.jsonl --force", where).err ==
        "--sqlite: out.exists\n"
        "  s/plan.jsonl is no SQLite database, so that not even --force replaces it; name another file.\n");
  CHECK(text_of_file(folder.path() / "s" / "plan.jsonl") == plan);
}
