#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "models/queueing/mva.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/formula/formulas.hpp"
#include "tests/cli/saturn_process.hpp"

using namespace saturn;
using nlohmann::json;

namespace {

const std::string quick = "sweep protodune-big-batch --set /run/brief=true --quiet ";
const std::string twelve_points = quick + "--axis /jobs/0/count=30:360:30 ";

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::stringstream text(line);
  for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
  return cells;
}

/// points.csv by row, then by column's head.
std::vector<std::map<std::string, std::string>> rows_of(const std::string& csv) {
  std::vector<std::map<std::string, std::string>> rows;
  std::stringstream text(csv);
  std::string line;
  std::getline(text, line);
  const std::vector<std::string> heads = split(line);
  while (std::getline(text, line)) {
    const std::vector<std::string> cells = split(line);
    auto& row = rows.emplace_back();
    for (std::size_t i = 0; i < cells.size() && i < heads.size(); ++i) row[heads[i]] = cells[i];
  }
  return rows;
}

std::string undisturbed() {
  static const std::string bytes = [] {
    const TemporaryFolder folder;
    saturn_process(twelve_points + "--workers 1 --out " + folder.path().string());
    return text_of_file(folder.path() / "points.csv");
  }();
  return bytes;
}

std::size_t result_lines(const std::filesystem::path& folder) {
  std::size_t lines = 0;
  std::error_code none;
  for (const auto& file : std::filesystem::directory_iterator(folder / "results", none)) {
    const std::string text = text_of_file(file.path());
    lines += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  return lines;
}

std::vector<pid_t> children_of(pid_t process) {
  const std::string id = std::to_string(process);
  std::ifstream list("/proc/" + id + "/task/" + id + "/children");
  std::vector<pid_t> children;
  for (pid_t child = 0; list >> child;) children.push_back(child);
  return children;
}

/// Starts a shell command in a process group of its own, without the leak check of builds with sanitizers: that one
/// works in a child of the process at its end, and waits for ever for a child that a test killed.
pid_t started(const std::string& command) {
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  return child;
}

}  // namespace

TEST_CASE("each point of a sweep answers what run answers there, with the same bits") {
  const TemporaryFolder folder;
  const ProcessResult swept = saturn_process(twelve_points + "--format csv --out " + folder.path().string());
  CHECK(swept.out == text_of_file(folder.path() / "points.csv"));
  const auto rows = rows_of(swept.out);
  REQUIRE(rows.size() == 12);
  for (const std::size_t point : {std::size_t{0}, std::size_t{7}}) {
    const std::string count = std::to_string(30 + 30 * point);
    CHECK(rows[point].at("count") == count);
    const json run =
        json_answer("run protodune-big-batch --set /run/brief=true --set /jobs/0/count=" + count)["result"];
    CHECK(std::stod(rows[point].at("event_time_s")) == run["event_time_s"]["mean"].get<double>());
    CHECK(std::stod(rows[point].at("events_high_per_s")) == run["events_per_s"]["high"].get<double>());
    // By hand: four T4, their host and the jobs' cores, and 55,000 answers of 16 bytes that leave Google's network.
    const double rent = 4 * 0.35 + 0.76 + 0.0475 * std::stod(count);
    CHECK(std::stod(rows[point].at("rent_usd_per_h")) == doctest::Approx(rent));
    const double cost = rent / 3600 / run["events_per_s"]["mean"].get<double>() * 1e6 + 0.12 * 55000 * 16 / 1e9 * 1e6;
    CHECK(std::stod(rows[point].at("cost_per_million_events_usd")) == doctest::Approx(cost));
    CHECK(rows[point].at("binding") == run["binding"]["resource"].get<std::string>());
  }
}

TEST_CASE("a sweep of plans says at each point what plan says there") {
  const TemporaryFolder folder;
  const std::string batches = "--axis /jobs/0/event/2/request_batch=6875,27500 --answer plan --slowdown '2 %' ";
  const ProcessResult swept = saturn_process(quick + batches + "--format csv --out " + folder.path().string());
  const auto rows = rows_of(swept.out);
  REQUIRE(rows.size() == 2);
  const json plan = json_answer(
      "plan protodune-big-batch --set /run/brief=true --slowdown '2 %' --set /jobs/0/event/2/request_batch=27500");
  CHECK(std::stod(rows[1].at("streams_per_gpu")) == plan["answer"]["streams_per_gpu"]["value"].get<double>());
}

TEST_CASE(
    "a sweep by formulas alone has the bounds' and mean value analysis' numbers in the columns of a simulated one") {
  const TemporaryFolder folder;
  const auto swept = [&](const std::string& options, const std::string& name) {
    return saturn_process(quick + "--axis /jobs/0/count=20,250,300 --format csv " + options + " --out " +
                          (folder.path() / name).string())
        .out;
  };
  const std::string simulated = swept("", "simulated");
  const std::vector<std::string> heads = split(simulated.substr(0, simulated.find('\n')));
  const auto by_bound = rows_of(swept("--method bounds", "bounds"));
  const auto by_mva = rows_of(swept("--method mva", "mva"));
  const auto by_both = rows_of(swept("--method bounds,mva", "both"));
  REQUIRE(by_bound.size() == 3);
  for (std::size_t point = 0; point < by_bound.size(); ++point) {
    const std::string count = by_bound[point].at("count");
    const System system(
        read_scenario_file("protodune-big-batch", std::vector<Override>{{"/jobs/0/count", count}}).scenario);
    CHECK(std::stod(by_bound[point].at("event_time_s")) == system.bounds.event_time_s);
    CHECK(std::stod(by_bound[point].at("events_per_s")) == system.bounds.events_per_s);
    const double think_s = system.network.classes.front().think_time.value;
    const MvaPoint mva = exact_mva(mva_stations(system.network), think_s, std::stoul(count));
    CHECK(std::stod(by_mva[point].at("event_time_s")) == mva.event_time_s);
    CHECK(std::stod(by_mva[point].at("events_per_s")) == mva.events_per_s);
    CHECK(std::stod(by_mva[point].at("within_slowdown_streams_per_gpu")) ==
          *mva_crossing(system, 0.01).clients / static_cast<double>(device_count(system.scenario)));
    CHECK(by_both[point].at("event_time_s") == by_mva[point].at("event_time_s"));
    CHECK(by_both[point].at("bounds.event_time_s") == by_bound[point].at("event_time_s"));
  }
  const auto shown = [&](const std::string& name) {
    return json::parse(saturn_process("show " + (folder.path() / name).string() + " --format json --quiet").out);
  };
  CHECK(shown("bounds")["methods"] == "bounds");
  CHECK_FALSE(shown("simulated").contains("methods"));
  for (const char* head : {"events_per_s", "event_time_s", "slowdown", "rent_usd_per_h", "cost_per_million_events_usd",
                           "binding", "next"}) {
    INFO(head);
    CHECK(std::find(heads.begin(), heads.end(), head) != heads.end());
    CHECK(by_bound.front().contains(head));
  }
}

TEST_CASE("a sweep by bounds has the same files on any number of cores, and says how long all of it took") {
  const TemporaryFolder folder;
  const auto file = [&](const std::string& name) { return text_of_file(folder.path() / name); };
  for (const std::string cores : {"1", "2"}) {
    const auto begun = std::chrono::steady_clock::now();
    const ProcessResult done =
        saturn_process("sweep protodune-big-batch --axis /jobs/0/count=1:1000 --method bounds --workers " + cores +
                       " --out " + (folder.path() / cores).string());
    const double took_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    const std::string words = "1000 points: 1000 answered, in ";
    const std::size_t at = done.err.find(words);
    REQUIRE(at != std::string::npos);
    std::istringstream rest(done.err.substr(at + words.size()));
    double said_s = 0.0;
    std::string unit;
    rest >> said_s >> unit;
    CHECK(unit == "s,");
    // It is said with one digit, and the program itself has to be started.
    CHECK(said_s <= 2.0 * took_s);
    CHECK(said_s >= took_s / 4.0);
  }
  for (const char* name : {"/points.csv", "/plan.jsonl", "/results/parent.jsonl"}) {
    INFO(name);
    CHECK(file(std::string("1") + name) == file(std::string("2") + name));
  }
}

TEST_CASE("points.csv has the same bytes for any number of workers, and as shards in any order that are merged" *
          doctest::test_suite("release")) {
  const TemporaryFolder three;
  saturn_process(twelve_points + "--workers 3 --out " + three.path().string());
  CHECK(text_of_file(three.path() / "points.csv") == undisturbed());

  const TemporaryFolder shards;
  for (const char* shard : {"3/3", "1/3", "2/3"}) {
    const std::string out = " --out " + shards.path().string();
    CHECK(saturn_process(twelve_points + "--shard " + shard + out).exit_code == 0);
  }
  CHECK_FALSE(std::filesystem::exists(shards.path() / "points.csv"));
  saturn_process("merge " + shards.path().string() + " --quiet");
  CHECK(text_of_file(shards.path() / "points.csv") == undisturbed());
}

TEST_CASE("a sweep whose processes are all killed goes on where it was, and ends with the same bytes") {
  const TemporaryFolder folder;
  const std::string sweep = std::string(SATURN_PROGRAM) + " " + twelve_points + "--workers 2 --out " +
                            folder.path().string() + " >/dev/null 2>&1";
  for (std::size_t kills = 1; kills <= 3; ++kills) {
    const pid_t child = started("exec " + sweep);
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (result_lines(folder.path()) < 2 * kills && std::chrono::steady_clock::now() < give_up)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    kill(-child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  // Workers have groups of their own: those that outlive their parent finish their point, and do no harm.
  saturn_process(twelve_points + "--workers 2 --out " + folder.path().string());
  CHECK(text_of_file(folder.path() / "points.csv") == undisturbed());
}

TEST_CASE(
    "a sweep whose budget ends says what is missing, goes on with the same command, and ends with the same bytes") {
  const TemporaryFolder folder;
  const std::string out = " --out " + folder.path().string();
  const ProcessResult cut = saturn_process(twelve_points + "--budget 1ms" + out);
  CHECK(cut.exit_code == 4);
  CHECK(cut.out.find("12 not computed yet") != std::string::npos);
  CHECK(result_lines(folder.path()) == 0);
  saturn_process(twelve_points + "--budget 1h" + out);
  CHECK(text_of_file(folder.path() / "points.csv") == undisturbed());
}

TEST_CASE("simulations that are killed from outside are the machine's failure, and going on ends with the same bytes") {
  const TemporaryFolder folder;
  const std::string sweep = quick + "--axis /jobs/0/count=300,360 --workers 2 --out ";
  const pid_t child =
      started("exec " + std::string(SATURN_PROGRAM) + " " + sweep + folder.path().string() + " >/dev/null 2>&1");
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    for (const pid_t worker : children_of(child))
      for (const pid_t simulation : children_of(worker)) kill(simulation, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  CHECK(WEXITSTATUS(status) == 0);
  const std::string disturbed = text_of_file(folder.path() / "points.csv");
  CHECK(disturbed.find("killed,killed by SIGKILL (Killed)") != std::string::npos);
  CHECK(disturbed.find("crashed") == std::string::npos);
  const TemporaryFolder other;
  CHECK(saturn_process(sweep + folder.path().string()).exit_code ==
        saturn_process(sweep + other.path().string()).exit_code);
  CHECK(text_of_file(folder.path() / "points.csv") == text_of_file(other.path() / "points.csv"));
}

TEST_CASE("run and plan, too, say that the machine killed a simulation, and do not call it an error of the program") {
  const TemporaryFolder folder;
  for (const std::string verb : {"run", "plan"}) {
    const std::string err = (folder.path() / verb).string();
    const pid_t child =
        started("exec " + std::string(SATURN_PROGRAM) + " " + verb +
                " protodune-big-batch --set /run/brief=true --set /jobs/0/count=300 --quiet >/dev/null 2>" + err);
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
      for (const pid_t simulation : children_of(child)) kill(simulation, SIGKILL);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    CHECK(WEXITSTATUS(status) == 2);
    const std::string said = text_of_file(err);
    CHECK(said.find("gave no result: killed\n  killed by SIGKILL (Killed)") != std::string::npos);
    CHECK(said.find("The machine did it, from outside") != std::string::npos);
    CHECK(said.find("error of the program") == std::string::npos);
  }
}

TEST_CASE("a finished sweep is not computed again, a longer one keeps what it has, another is refused") {
  const TemporaryFolder folder;
  const std::string out = "--out " + folder.path().string();
  const std::string loud = "sweep protodune-big-batch --set /run/brief=true ";
  saturn_process(loud + "--axis /jobs/0/count=30:90:30 " + out);
  const std::string bytes = text_of_file(folder.path() / "points.csv");
  const ProcessResult again = saturn_process(loud + "--axis /jobs/0/count=30:90:30 " + out);
  CHECK(again.err == "3 of 3 points are known already.\nsweep: nothing was missing.\nRows: " +
                         (folder.path() / "points.csv").string() + "\n");
  CHECK(text_of_file(folder.path() / "points.csv") == bytes);

  const ProcessResult longer = saturn_process(loud + "--axis /jobs/0/count=30:120:30 " + out);
  CHECK(longer.err.starts_with("3 of 4 points are known already.\n"));

  const std::string before = text_of_file(folder.path() / "plan.jsonl");
  const ProcessResult other = saturn_process(loud + "--axis /jobs/0/count=30:60:30 " + out);
  CHECK(other.exit_code == 2);
  CHECK(other.err == "--out " + folder.path().string() +
                         ": sweep.another\n  This folder holds another sweep (\"ProtoDUNE EmTrkMichelId as a service, "
                         "big batches, four T4\", 4 points over /jobs/0/count). Name another folder, or add --force: "
                         "the new plan takes the place of the old one, and results of points that both have are "
                         "kept.\n");
  CHECK(text_of_file(folder.path() / "plan.jsonl") == before);
  CHECK(
      saturn_process(loud + "--axis /jobs/0/count=30:60:30 --force " + out).err.starts_with("2 of 2 points are known"));

  const std::string edited = loud + "--seed 7 --axis /jobs/0/count=30:60:30 " + out;
  const ProcessResult changed = saturn_process(edited);
  CHECK(changed.exit_code == 2);
  CHECK(changed.err == "--out " + folder.path().string() +
                           ": sweep.changed\n  This folder's plan has the same points, but the scenario, the seed, a "
                           "--set or the version of the results is not what it was, so that some of them ask something "
                           "else now. Go back to what it was, name another folder, or add --force (without --shard): "
                           "these points are computed anew, and their former results stay in results/.\n");
  CHECK(saturn_process(edited + " --force").exit_code == 0);
}

TEST_CASE("points that are no valid scenario are named before anything runs, or become rows with their reason") {
  const TemporaryFolder folder;
  const std::string sizes = quick + "--axis /models/emtrk/max_batch_size=1024,2048 --out " + folder.path().string();
  const ProcessResult refused = saturn_process(sizes);
  CHECK(refused.exit_code == 2);
  CHECK(refused.err ==
        "point 0, where max_batch_size is 1024: scenario.batch_too_large\n"
        "  /jobs/0/event/2/request_batch puts 1,719 items into a request, but /models/emtrk/max_batch_size is 1,024; "
        "lower \"request_batch\" or raise that.\n"
        "--axis: sweep.refused_points\n"
        "  1 of 2 points are no valid scenario. Nothing was computed. Leave them out with --where, or add "
        "--skip-refused to have them as failed rows.\n");
  CHECK(folder.files().empty());
  const ProcessResult skipped = saturn_process(sizes + " --skip-refused --format json");
  CHECK(skipped.exit_code == 0);
  const std::string csv = text_of_file(folder.path() / "points.csv");
  CHECK(csv.find(",1024,failed,refused,\"/jobs/0/event/2/request_batch puts 1,719 items into a request") !=
        std::string::npos);
}

TEST_CASE("two sweeps do not work in one folder at once") {
  const TemporaryFolder folder;
  const std::string out = folder.path().string();
  const pid_t first = started(
      "exec " + std::string(SATURN_PROGRAM) +
      " sweep protodune-big-batch --set /run/brief=true --axis /jobs/0/count=400:480:10 --workers 1 --quiet --out " +
      out + " >/dev/null 2>&1");
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!std::filesystem::exists(folder.path() / "plan.jsonl") && std::chrono::steady_clock::now() < give_up)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const ProcessResult second = saturn_process(quick + "--axis /jobs/0/count=400:480:10 --out " + out);
  CHECK(second.exit_code == 2);
  CHECK(second.err.find(": sweep.in_use\n") != std::string::npos);
  CHECK(second.err.find("process " + std::to_string(first)) != std::string::npos);
  kill(first, SIGTERM);
  kill(first, SIGTERM);
  waitpid(first, nullptr, 0);
}

TEST_CASE("a dry run lists the points and how long they will take, and writes nothing") {
  const TemporaryFolder folder;
  const ProcessResult listed = saturn_process(
      "sweep protodune-big-batch --set /run/brief=true --axis '/jobs/0/count=40,80 with /servers/0/devices/count=2,4' "
      "--axis /network/links/0/rtt=1ms,10ms --dry-run --format json",
      folder.path().string());
  REQUIRE(listed.exit_code == 0);
  const json points = json::parse(listed.out);
  CHECK(points["estimate"]["seconds"].get<double>() > 0.0);
  CHECK(points["points"] == json::parse(R"([
    { "point": 0, "jobs.0.count": 40, "devices.count": 2, "rtt_s": 0.001 },
    { "point": 1, "jobs.0.count": 40, "devices.count": 2, "rtt_s": 0.01 },
    { "point": 2, "jobs.0.count": 80, "devices.count": 4, "rtt_s": 0.001 },
    { "point": 3, "jobs.0.count": 80, "devices.count": 4, "rtt_s": 0.01 } ])"));
  CHECK(folder.files().empty());
}

TEST_CASE("the folder for Slurm runs its shards without Slurm too, and ends with the same bytes" *
          doctest::test_suite("release")) {
  const TemporaryFolder folder;
  // The files name the program that wrote them.
  const ProcessResult written =
      saturn_process(twelve_points + "--shards 5 --slurm " + folder.path().string(), "", "env");
  CHECK(written.out.starts_with("12 points in 5 shards, in " + folder.path().string()));
  const int ended = std::system(("cd " + folder.path().string() + " && sh run-local.sh >/dev/null 2>&1").c_str());
  CHECK(WIFEXITED(ended));
  CHECK(text_of_file(folder.path() / "points.csv") == undisturbed());
  CHECK(saturn_process(twelve_points + "--shards 4 --slurm " + folder.path().string()).err.find("out.exists") !=
        std::string::npos);
}
