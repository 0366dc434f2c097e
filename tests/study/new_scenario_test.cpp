#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "reports/answer/answer.hpp"
#include "reports/draft/scenario_draft.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/cli/option_table.hpp"
#include "sim/study/measured/measured_fits.hpp"
#include "sim/study/new_files.hpp"
#include "tests/temporary_folder.hpp"

using namespace saturn;

namespace {

/// Answers questions in their order, and remembers them.
class Asked : public Monitor {
 public:
  explicit Asked(std::vector<std::string> answers) : answers_(std::move(answers)) {}
  std::optional<std::string> ask(const std::string& question, const std::string& assumed) override {
    questions.push_back(question + " [" + assumed + "]");
    if (next_ == answers_.size()) return std::nullopt;
    return answers_[next_++];
  }
  void warn(const std::string& lines) override { warnings += lines; }

  std::vector<std::string> questions{};
  std::string warnings{};

 private:
  std::vector<std::string> answers_;
  std::size_t next_ = 0;
};

Reply reply_to(const std::vector<std::string>& words, Monitor& monitor) {
  const TypedCommand typed = read_typed_command(words);
  return typed.verb().answer(typed, monitor);
}

/// perf_analyzer's CSV of a server that needs `seconds` for a batch, loaded by one client and by two.
std::string loads_of(double seconds, double items) {
  const auto row = [&](int clients, double queue_s) {
    const double latency_s = seconds + queue_s + 0.0005;
    return std::to_string(clients) + "," + std::to_string(clients * items / latency_s) + ",0,500," +
           std::to_string(queue_s * 1e6) + ",0," + std::to_string(seconds * 1e6) + ",0,0\n";
  };
  return "Concurrency,Inferences/Second,Client Send,Network+Server Send/Recv,Server Queue,Server Compute Input,"
         "Server Compute Infer,Server Compute Output,Client Recv\n" +
         row(1, 0.0) + row(2, seconds - 0.0005);
}

constexpr const char* tagger_config = R"(max_batch_size: 64
input { name: "x" data_type: TYPE_FP32 dims: [ 25 ] }
output { name: "y" data_type: TYPE_FP32 dims: [ 4 ] }
)";

/// A folder with a repository of two models and loads of one, whose batches take 2 ms + 0.1 ms an item.
class DraftSite {
 public:
  DraftSite() {
    write_text(folder_ / "models/tagger/config.pbtxt", tagger_config);
    write_text(folder_ / "models/tracker/config.pbtxt", tagger_config);
    for (const int items : {10, 20, 40})
      files_.push_back(
          folder_.write("tagger_b" + std::to_string(items) + ".csv", loads_of(2e-3 + 1e-4 * items, items)));
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  /// "new", the three files, the repository, and these.
  std::vector<std::string> command(const std::vector<std::string>& more) const {
    std::vector<std::string> words{"new"};
    words.insert(words.end(), files_.begin(), files_.end());
    words.insert(words.end(), {"--models", path("models"), "--out", path("farm.json")});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  /// The scenario that is written, read as any other.
  ReadScenario written(const std::vector<std::string>& more) const {
    Monitor nobody;
    const Reply reply = reply_to(command(more), nobody);
    for (const AnswerFile& file : reply.files) write_new_file(file);
    return read_scenario_file(path("farm.json"), {});
  }

 private:
  TemporaryFolder folder_{};
  std::vector<std::string> files_{};
};

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("a new scenario has what was typed, what the repository says, and the law that was measured") {
  const DraftSite site;
  const Scenario made =
      site.written({"--gpu", "t4=0.35 USD/h", "--gpus", "3", "--jobs", "70", "--cpu", "12 s", "--items", "tagger=800",
                    "--items", "tracker=5", "--rtt", "30 ms", "--bandwidth", "25 Gbps", "--on-cpu", "tracker=2 s"})
          .scenario;
  CHECK(made.jobs.at(0).count == 70);
  const auto& tagging = std::get<InferStage>(made.jobs.at(0).event.at(1));
  CHECK(tagging.model == "tagger");
  CHECK(tagging.request_batch == 40);
  const auto& tracking = std::get<InferStage>(made.jobs.at(0).event.at(2));
  CHECK(tracking.request_batch == 5);
  CHECK(tracking.cpu_alternative->value == 2.0);
  CHECK(made.models.at("tagger").input.value == 100.0);
  CHECK(made.models.at("tagger").output.value == 16.0);
  const ServiceLaw& law = made.models.at("tagger").service.at("t4");
  CHECK(mean(law, 30.0).value == doctest::Approx(2e-3 + 30 * 1e-4).epsilon(0.01));
  CHECK(made.servers.at(0).nodes == 3);
  CHECK(made.servers.at(0).devices.count == 1);
  CHECK(made.devices.at("t4").price->value == doctest::Approx(0.35));
  CHECK(made.links.at(0).round_trip_time.value == doctest::Approx(0.03));
  CHECK(made.links.at(0).bandwidth.value == doctest::Approx(25e9 / 8));
}

TEST_CASE("a line of measurements that cannot be read is warned of, and the law is that of the others") {
  const DraftSite site;
  Asked monitor({});
  Reply reply = reply_to(site.command({"--jobs", "40"}), monitor);
  CHECK(monitor.warnings.empty());
  std::ofstream(site.path("tagger_b20.csv"), std::ios::app) << "3,500.0,12\n";
  reply = reply_to(site.command({"--jobs", "40"}), monitor);
  CHECK(count_of(monitor.warnings, "tagger_b20.csv:4: import.torn_line") == 1);
}

TEST_CASE("rows under load of which no law is made are named, with what they are good for") {
  const DraftSite site;
  Monitor nobody;
  const auto says = [&](const std::vector<std::string>& words) {
    const Reply reply = reply_to(words, nobody);
    return terminal_text(*reply.answer, {}, true).find("No law rests on those rows under load of") != std::string::npos;
  };
  CHECK_FALSE(says(site.command({})));
  // Two requests at once, each as fast as one alone: of two instances, or of batches of two.
  const std::string file = site.path("tagger_b8.csv");
  write_text(file,
             "Concurrency,Inferences/Second,Client Send,Network+Server Send/Recv,Server Queue,Server Compute Input,"
             "Server Compute Infer,Server Compute Output,Client Recv\n"
             "1,4000,0,0,0,0,2000,0,0\n2,8000,0,0,0,0,2000,0,0\n");
  std::vector<std::string> words = site.command({});
  words.insert(words.begin() + 1, file);
  CHECK(says(words));
}

TEST_CASE("every value of a new scenario that somebody may doubt has a comment that says where it is from") {
  const DraftSite site;
  Monitor nobody;
  const Reply reply = reply_to(site.command({"--gpu", "t4", "--jobs", "70"}), nobody);
  const std::string& text = reply.files.at(0).text;
  CHECK(text.find("\"count\": 70,  // --jobs\n") != std::string::npos);
  CHECK(text.find("\"mean\": \"10 s\",  // assumed: change it; --cpu\n") != std::string::npos);
  CHECK(text.find("\"cv\": \"20 %\"  // assumed: change it; --spread\n") != std::string::npos);
  CHECK(text.find("\"input\": \"100 B\",  // " + site.path("models/tagger/config.pbtxt") + ":2") != std::string::npos);
  for (const char* file : {"tagger_b10.csv:2-3", "tagger_b20.csv:2-3", "tagger_b40.csv:2-3"})
    CHECK(text.find(file) != std::string::npos);
  // The heading, and each: cpu, spread, items and requests of two models, gpus, nic and dispatch, link and round trip,
  // and tracker's law.
  CHECK(count_of(text, "assumed: change it") == 1 + 1 + 1 + 4 + 3 + 2 + 1);
}

TEST_CASE("batches are not made larger than twice what was measured, whatever the configuration allows") {
  const auto made_with = [](const std::string& config) {
    const DraftSite site;
    write_text(site.path("models/tagger/config.pbtxt"), config);
    return site.written({"--items", "tagger=900"}).scenario;
  };
  const Scenario made = made_with("max_batch_size: 500\n");
  CHECK(made.models.at("tagger").max_batch_size == 40);
  CHECK(made.models.at("tracker").max_batch_size == 64);
  // Nor are they preferred.
  const Scenario preferring = made_with("max_batch_size: 500\ndynamic_batching { preferred_batch_size: [ 20, 80 ] }\n");
  CHECK(preferring.models.at("tagger").preferred_batch_size == std::vector<std::uint64_t>{20});
  // Where any size is taken, as Triton's 0 says, requests are not joined, and none is larger than what was measured.
  const Scenario any = made_with("max_batch_size: 0\n");
  CHECK(any.models.at("tagger").max_batch_size == unlimited_batch);
  CHECK(std::get<InferStage>(any.jobs.at(0).event.at(1)).request_batch == 40);
}

TEST_CASE("a sweep over requests in flight of one size gives the law of that size, by its lone row") {
  // Four instances that do not disturb each other: 3 ms and 0.5 ms of travel, whatever the number in flight.
  std::string sweep =
      "Concurrency,Inferences/Second,Client Send,Network+Server Send/Recv,Server Queue,Server Compute Input,"
      "Server Compute Infer,Server Compute Output,Client Recv\n";
  for (const int clients : {1, 2, 3, 4})
    sweep += std::to_string(clients) + "," + std::to_string(clients / 3.5e-3) + ",0,500,0,0,3000,0,0\n";
  TemporaryFolder folder;
  const std::vector<NamedFile> files{{.path = folder.write("tagger.csv", sweep)}};
  const std::vector<std::string> models{"tagger"};
  const std::vector<std::string> gpus{"t4"};
  const std::vector<DeviceFits> fits = fits_by_device(files, models, gpus, 1);
  REQUIRE(fits.size() == 1);
  const NamedFit* law = law_of_model(fits[0], "tagger");
  REQUIRE(law != nullptr);
  CHECK(law->fit.parameters.values.at(0) == doctest::Approx(3e-3));
  // Windows within 10 % of each other, evenly spread.
  CHECK(std::sqrt(law->fit.parameters.covariance.at(0)) == doctest::Approx(3e-3 * 0.1 / std::sqrt(3.0)).epsilon(1e-3));
  // One sentence for the three other rows.
  REQUIRE(fits[0].calibration.left_out.size() == 1);
  CHECK(fits[0].calibration.left_out[0].text.find("in 3 rows from here on 1.71 to 3.43 requests") == 0);
}

TEST_CASE("a model that was measured on one type of GPU counts as fast on the others, as an assumption") {
  const DraftSite site;
  const Scenario made = site.written({"--gpu", "t4", "--gpu", "a100", "--items", "tracker=0"}).scenario;
  CHECK(!made.models.contains("tracker"));
  const auto& laws = made.models.at("tagger").service;
  CHECK(mean(laws.at("a100"), 20.0).value == mean(laws.at("t4"), 20.0).value);
  CHECK(laws.at("a100").rests_on == LawBasis::assumed);
  CHECK(laws.at("t4").rests_on == LawBasis::synthetic);
  CHECK(made.servers.at(1).name == "a100");
}

TEST_CASE("as many GPUs of each type are assumed as suffice together, behind the same balancer as those of one type") {
  const auto servers_of = [](const std::vector<std::string>& gpus) {
    std::vector<std::string> words{"new",    "--model", "tagger", "--items", "100",       "--on-cpu", "40 s",
                                   "--jobs", "1180",    "--cpu",  "58 s",    "--speedup", "20"};
    for (const std::string& gpu : gpus) words.insert(words.end(), {"--gpu", gpu});
    Monitor nobody;
    return read_scenario_text(reply_to(words, nobody).text, "new.json", {}).scenario.servers;
  };
  // 1180 jobs, one event of some 60 s each, keep 40 GPUs almost busy for 2.002 s each.
  const std::vector<Server> alone = servers_of({"l4"});
  CHECK(alone.at(0).nodes == 40);
  for (const Server& server : servers_of({"l4", "t4"})) {
    CHECK(server.nodes == 20);
    CHECK(server.dispatch == alone.at(0).dispatch);
  }
}

TEST_CASE("jobs call ensembles and not their steps, which the servers hold all the same") {
  const DraftSite site;
  write_text(site.path("models/chain/config.pbtxt"),
             R"(ensemble_scheduling { step [ { model_name: "tagger" }, { model_name: "tracker" } ] })");
  const Scenario made = site.written({}).scenario;
  REQUIRE(made.jobs.at(0).event.size() == 2);
  CHECK(std::get<InferStage>(made.jobs.at(0).event.at(1)).model == "chain");
  CHECK(made.servers.at(0).models.size() == 3);
}

TEST_CASE("on a terminal what was not typed is asked for, again where the answer has no unit, and Enter assumes") {
  Asked somebody({"l4", "", "12", "12 s", "", "2", "5 ms", ""});
  const Reply reply = reply_to({"new", "--model", "tagger", "--bandwidth", "25 Gbps"}, somebody);
  REQUIRE(somebody.questions.size() == 8);
  CHECK(somebody.questions[0] == "Which type of GPU serves? [gpu]");
  CHECK(somebody.questions[2] == somebody.questions[3]);
  CHECK(somebody.warnings == "--cpu is \"12\"; a duration of 0 or more needs its unit, for example \"12 s\".\n");
  const Scenario made = read_scenario_text(reply.text, "new.json", {}).scenario;
  CHECK(made.jobs.at(0).count == 100);
  CHECK(mean(std::get<CpuStage>(made.jobs.at(0).event.at(0)).time).value == 12.0);
  CHECK_FALSE(has_constant_times(made));
  CHECK(made.servers.at(0).devices.type == "l4");
  CHECK(made.links.at(0).round_trip_time.value == doctest::Approx(0.005));
  CHECK(reply.text.find("\"count\": 100,  // assumed: change it; --jobs") != std::string::npos);
  CHECK(reply.text.find("\"rtt\": \"5 ms\"  // answered") != std::string::npos);
}

TEST_CASE("without a measured file a GPU is assumed twenty times as fast as the core whose time is known") {
  Monitor nobody;
  const Reply reply = reply_to({"new", "--model", "tagger", "--items", "100", "--on-cpu", "40 s"}, nobody);
  const Scenario made = read_scenario_text(reply.text, "new.json", {}).scenario;
  const ServiceLaw& law = made.models.at("tagger").service.at("gpu");
  CHECK(mean(law, 100.0).value == doctest::Approx(40.0 / 20.0 + 0.002));
  CHECK(law.rests_on == LawBasis::assumed);
}

TEST_CASE(
    "a GPU is as fast as --speedup says, each type its own, and the search that is proposed reaches what jobs need") {
  const TemporaryFolder folder;
  Monitor nobody;
  const std::string path = (folder / "grid.json").string();
  const Reply reply = reply_to({"new",   "--model",   "tagger", "--items",   "100",   "--on-cpu", "40 s",
                                "--cpu", "260 s",     "--jobs", "12000",     "--gpu", "a100",     "--gpu",
                                "l4",    "--speedup", "l4=40",  "--speedup", "80",    "--out",    path},
                               nobody);
  const Scenario made = read_scenario_text(reply.files.at(0).text, "grid.json", {}).scenario;
  const auto& service = made.models.at("tagger").service;
  CHECK(mean(service.at("a100"), 100.0).value == doctest::Approx(40.0 / 80.0 + 0.002));
  CHECK(mean(service.at("l4"), 100.0).value == doctest::Approx(40.0 / 40.0 + 0.002));
  // 12,000 jobs of 260 s keep 46 L4 busy for a second each, or half as many A100: a least search of one type needs 46.
  const std::string& search = reply.answer->more.at(1);
  const std::size_t range = search.find("l4=0:");
  REQUIRE(range != std::string::npos);
  CHECK(std::stoul(search.substr(range + 5)) >= 46);
}

TEST_CASE("rows of a fit are named by file, with ranges") {
  NamedFit fit;
  for (const char* label : {"a.csv:4", "a.csv:2", "a.csv:3", "a.csv:7", "timing.db"})
    fit.fit.residuals.push_back({.point = {.label = label}});
  CHECK(rows_of(fit) == "a.csv:2-4, 7; timing.db");
}

TEST_CASE("a draft is JSON with comments: short values in a line, comments behind them or above") {
  const std::string wide =
      "as wide as a line may be, so that no comment finds a place behind the value that it is about";
  ScenarioDraft draft;
  draft.put("/a/0/b", "1", {DraftBasis::given, "--b"});
  draft.put("/a/0/c", R"({"d": [1, 2]})");
  draft.put("/e", R"({"f": "x"})", {DraftBasis::assumed, wide});
  CHECK(draft.text({"A heading."}) ==
        "// A heading.\n{\n  \"a\": [\n    {\n      \"b\": 1,  // --b\n      \"c\": { \"d\": [1, 2] }\n"
        "    }\n  ],\n  // assumed: change it; " +
            wide + "\n  \"e\": { \"f\": \"x\" }\n}\n");
  CHECK(draft.count(DraftBasis::given) == 1);
  CHECK(draft.values().size() == 2);
}
