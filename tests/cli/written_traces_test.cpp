#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>

#include "tests/cli/saturn_process.hpp"

using namespace saturn;

namespace {

const std::string quick_run = "run first-steps --set /run/brief=true --replica 1 ";

}  // namespace

TEST_CASE("--trace and --timeline write what a run did, and leave its answer as it is") {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  const ProcessResult plain = saturn_process(quick_run, where);
  const ProcessResult traced = saturn_process(quick_run + "--trace run.json --timeline run.csv", where);
  CHECK(traced.exit_code == 0);
  CHECK(traced.out == plain.out);
  CHECK(traced.err.find("wrote run.json: ") != std::string::npos);
  CHECK(traced.err.find("wrote run.csv: 500 samples from 0 s to ") != std::string::npos);
  const std::string trace = text_of_file(folder.path() / "run.json");
  const nlohmann::json document = nlohmann::json::parse(trace);
  CHECK(document["otherData"]["command"] == "saturn run first-steps --set /run/brief=true --replica 1");
  CHECK(document["traceEvents"].size() > 500);
  const std::string timeline = text_of_file(folder.path() / "run.csv");
  CHECK(timeline.starts_with("time_s,name,kind,value\n"));
  CHECK(timeline.find(",graph_net,queue,") != std::string::npos);
  const ProcessResult again = saturn_process(quick_run + "--trace run.json --timeline run.csv --force --quiet", where);
  CHECK(again.exit_code == 0);
  CHECK(again.err.empty());
  CHECK(text_of_file(folder.path() / "run.json") == trace);
  CHECK(text_of_file(folder.path() / "run.csv") == timeline);
  CHECK(folder.file_count() == 2);
}

TEST_CASE("--trace-from and --trace-for choose the part of the run, and what is full says so") {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  const ProcessResult chosen =
      saturn_process(quick_run + "--trace run.json --timeline run.csv --trace-from '0 s' --trace-for '1.5 s'", where);
  CHECK(chosen.err.find(" spans from 0 s to 1.50000 s of simulated time;") != std::string::npos);
  CHECK(chosen.err.find("wrote run.csv: 500 samples from 0 s to 1.50000 s of simulated time\n") != std::string::npos);
  const ProcessResult full = saturn_process(
      "run protodune-small-batch --set /run/brief=true --replica 0 --trace full.json --trace-for '1 h'", where);
  CHECK(full.exit_code == 0);
  CHECK(full.err.find("wrote full.json: 200,000 spans from ") != std::string::npos);
  CHECK(full.err.find("\n  It is full: what was asked for is 3600.00 s. Ask for less with --trace-for, or for another "
                      "part with --trace-from.\n") != std::string::npos);
}

TEST_CASE("what is wrong with the options of traces is said at once, before anything is simulated") {
  const TemporaryFolder folder;
  folder.write("mine.json", "mine");
  const std::string where = folder.path().string();
  const ProcessResult refused =
      saturn_process(quick_run + "--trace mine.json --timeline nowhere/run.csv --trace-from -1 --trace-for 3", where);
  CHECK(refused.exit_code == 2);
  CHECK(refused.out.empty());
  CHECK(
      refused.err ==
      "--trace: out.exists\n  mine.json would be overwritten; name another file, or add --force.\n"
      "--timeline: out.not_writable\n  nowhere/run.csv cannot be written: its folder is missing or closed.\n"
      "--trace-from: option.not_a_quantity\n  --trace-from is \"-1\"; a moment of simulated time, not below 0, needs "
      "its unit (ms, s, min, h), for example \"0 s\" or \"20 min\".\n"
      "--trace-for: option.not_a_quantity\n  --trace-for is \"3\"; a duration above 0 needs its unit (ms, s, min, h), "
      "for example \"600 s\".\n");
  CHECK(text_of_file(folder.path() / "mine.json") == "mine");
  CHECK(saturn_process(quick_run + "--trace-for '1 s'", where).err ==
        "--trace-for: option.needs_trace\n  --trace-for chooses what is recorded; name a file for it with --trace or "
        "--timeline.\n");
  CHECK(saturn_process(quick_run + "--trace a --timeline ./a", where).err ==
        "--timeline: out.same_file\n  --timeline and --trace both write ./a; they need a file each.\n");
  CHECK(saturn_process(quick_run + "--trace a --trace-from '9 h'", where)
            .err.starts_with("--trace-from: trace.beyond_run\n  --trace-from is \"9 h\", but the run ends at "));
  CHECK(folder.file_count() == 1);
}
