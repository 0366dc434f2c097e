#pragma once

#include <string>

#include "tests/cli/saturn_process.hpp"

namespace saturn {

/// Two round-trip times, two dispatches: one point is answered, one less precisely than asked, one failed, and the last
/// has no result.
inline std::string sample_sweep_plan(const std::string& title = "Four GPUs") {
  return R"json({"schema":"saturn-sweep/1","title":")json" + title +
         R"json(","scenario":"x.json","scenario_sha256":"5f0c2d9f6f0c1b1c9a6f5d1d6d5be6c0a3cf1f5a7d3d0ce3ad8f4b1c6e2a9b70","answer":"run","seed":42,"axes":[{"pointer":"/network/links/0/rtt","name":"rtt","unit":"s"},{"pointer":"/servers/0/dispatch","name":"dispatch","unit":""}],"points":4,"version":"0.1.0","results":"1"}
{"point":0,"id":"1f6a0c52d1c94b7fa2e60d3c5b8e9f01","values":[["0.5 ms",5e-04],["round_robin"]]}
{"point":1,"id":"9b3de2774c0f4a15b6c8a1d2e3f40516","values":[["0.5 ms",5e-04],["least_loaded"]]}
{"point":2,"id":"c04f7a1be65d42938e1726354a5b6c7d","values":[["100 ms",0.1],["round_robin"]]}
{"point":3,"id":"e8d9f0a1b2c34d5e6f70819a2b3c4d5e","values":[["100 ms",0.1],["least_loaded"]]}
)json";
}

/// That sweep in a folder of a test's. @param torn  stands behind the results
inline void write_sample_sweep(const TemporaryFolder& folder, const std::string& name,
                               const std::string& title = "Four GPUs", const std::string& torn = "") {
  folder.write(name + "/plan.jsonl", sample_sweep_plan(title));
  folder.write(
      name + "/results/worker-1.jsonl",
      R"json({"id":"1f6a0c52d1c94b7fa2e60d3c5b8e9f01","result":{"status":"answered","replications":3,"metrics":[["events","per_s",2.25,2.24,2.26],["event_time","s",119.2,118.9,119.5],["jobs","",268]],"words":[["binding","gke/t4"]]},"check":"b9080e4a85570d4c"}
{"id":"9b3de2774c0f4a15b6c8a1d2e3f40516","result":{"status":"imprecise","replications":32,"metrics":[["events","per_s",2.04,1.95,2.14],["event_time","s",131.5,125.25,137.75],["jobs","",268]],"words":[["binding","gke/t4"]]},"check":"16d5c2ebc15c37b6"}
{"id":"c04f7a1be65d42938e1726354a5b6c7d","result":{"status":"failed","failure":"out of time","reason":"the point took longer than 1 h (--point-time)"},"check":"582985c030f083c8"}
)json" + torn);
}

}  // namespace saturn
