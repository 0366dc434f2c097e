#include "calibration/score/own_measurements.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "calibration/score/placed_rows.hpp"
#include "scenarios/read_scenario.hpp"

using namespace saturn;

namespace {

/// Jobs of one CPU stage and one call; a second pool where it is asked for.
std::string scenario_text(const std::string& cpu, const std::string& more_jobs = "",
                          const std::string& more_models = "") {
  return R"({"schema": "saturn-scenario/1", "title": "t", "jobs": [{"name": "reco", "site": "s", "count": 3, "event": [)" +
         cpu + R"({"infer": "net", "items": 100, "request_batch": 10}]})" + more_jobs +
         R"(], "models": {"net": {"input": "0 B", "max_batch_size": 64, "service": {"t4": {"per_item": "1 ms"}}})" +
         more_models +
         R"(}, "servers": [{"name": "gpus", "site": "s", "devices": {"type": "t4", "count": 1}, "models": ["net")" +
         (more_models.empty() ? "" : ", \"other\"") + R"(]}], "devices": {"t4": {"kind": "gpu"}}})";
}

Scenario scenario_of(const std::string& text, const std::vector<Override>& set = {}) {
  return read_scenario_text(text, "s.json", set).scenario;
}

const std::string one_cpu = R"({"cpu": {"gamma": {"mean": "50 s", "cv": 0.2}}, "label": "reco"}, )";

MeasuredFile client_file(const std::string& path, std::vector<ClosedLoopPoint> points) {
  return {.path = path, .format = "plain table", .sha256 = std::string(64, 'a'), .closed_loop = std::move(points)};
}

ClosedLoopPoint client_point(const std::string& file, std::size_t line, double clients,
                             std::map<std::string, double> measured) {
  return {.at = {.file = file, .line = line}, .clients = clients, .measured = std::move(measured)};
}

LoadPoint load_point(std::size_t line, double concurrency, std::optional<double> batch, double items_per_s) {
  return {.at = {.file = "l.csv", .line = line},
          .concurrency = concurrency,
          .request_batch = batch,
          .batch_from = batch ? BatchOrigin::given : BatchOrigin::unknown,
          .items_per_s = items_per_s};
}

MeasuredFile load_file(std::vector<LoadPoint> points) {
  return {.path = "l.csv", .format = "plain table", .sha256 = std::string(64, 'b'), .loads = std::move(points)};
}

OwnMeasurements own(const std::string& scenario, const std::vector<MeasuredFile>& files, OwnChoice choice = {}) {
  choice.scenario = "s.json";
  return own_measurements(scenario_of(scenario), files, {}, choice);
}

std::vector<std::string> formatted(const std::vector<Complaint>& complaints) {
  std::vector<std::string> texts;
  for (const Complaint& one : complaints) texts.push_back(one.formatted());
  return texts;
}

std::vector<std::string> refusals(const std::string& scenario, const std::vector<MeasuredFile>& files,
                                  const OwnChoice& choice = {}) {
  try {
    own(scenario, files, choice);
  } catch (const InputError& error) {
    return formatted(error.complaints());
  }
  return {};
}

}  // namespace

TEST_CASE("a server's counters are a row of the scenario as it stands: means, quantiles, and those of narrow buckets") {
  ServerCounters counted{.at = {.file = "m.prom", .line = 2},
                         .model = "net",
                         .requests = 200,
                         .items = 2000,
                         .executions = 100,
                         .sums_s = {{"request_s", 8}, {"queue_s", 2}, {"compute_infer_s", 5}, {"compute_input_s", 1}},
                         .quantiles_s = {{0.5, 0.03}},
                         .elapsed_s = 10.0};
  // 188 of 200 requests took 80 ms at most, 192 at most 90 ms, 199 at most 300 ms.
  counted.first_response = {{0.08, 188}, {0.09, 192}, {0.3, 199}, {std::numeric_limits<double>::infinity(), 200}};
  const MeasuredFile file{
      .path = "m.prom", .format = "Triton metrics", .sha256 = std::string(64, 'c'), .counters = {counted}};
  const OwnMeasurements found = own(scenario_text(one_cpu), {file});
  const MeasuredRow& row = found.cases.at(0).rows.at(0);
  CHECK(row.set.empty());
  CHECK(row.model == "net");
  CHECK(row.point.label == "net");
  std::map<std::string, double> values;
  std::map<std::string, bool> scored;
  for (const MeasuredValue& value : row.point.values) {
    values[std::string(value.quantity->name)] = value.value;
    scored[std::string(value.quantity->name)] = value.scored;
  }
  CHECK(values.at("requests_per_s") == doctest::Approx(20));
  CHECK(values.at("items_per_s") == doctest::Approx(200));
  CHECK(values.at("server_mean_s") == doctest::Approx(0.04));
  CHECK(values.at("queue_s") == doctest::Approx(0.01));
  CHECK(values.at("compute_s") == doctest::Approx(0.03));
  CHECK(values.at("server_p50_s") == doctest::Approx(0.03));
  // The 190th of 188 to 192 requests lies in the middle of its bucket, the 198th at six sevenths of its own.
  CHECK(values.at("server_p95_s") == doctest::Approx(0.085));
  CHECK(values.at("server_p99_s") == doctest::Approx(0.09 + 0.21 * 6 / 7));
  CHECK(scored.at("server_p95_s"));
  CHECK_FALSE(scored.at("server_p99_s"));
  CHECK(row.point.remark.find("99 % quantile from a bucket, 90 to 300 ms") != std::string::npos);
}

TEST_CASE("of two readings of a server what lies between them is a row, and other models are left out") {
  const auto reading = [](const std::string& path, double requests, const std::string& model) {
    return MeasuredFile{.path = path,
                        .format = "Triton metrics",
                        .sha256 = path,
                        .counters = {{.at = {.file = path, .line = 1},
                                      .model = model,
                                      .requests = requests,
                                      .items = requests,
                                      .executions = requests,
                                      .sums_s = {{"request_s", 0.01 * requests * requests}},
                                      .read_at_s = requests}}};
  };
  const OwnMeasurements found = own(scenario_text(one_cpu), {reading("1", 10, "net"), reading("2", 20, "net")});
  REQUIRE(found.cases.size() == 1);
  const PublishedPoint& point = found.cases[0].rows.at(0).point;
  CHECK(point.values.at(0).value == doctest::Approx(1.0));
  // 0.01·(20² − 10²) s over ten requests.
  CHECK(point.values.back().value == doctest::Approx(0.3));
  CHECK(own(scenario_text(one_cpu), {reading("1", 10, "tagger")}).cases.at(0).rows.at(0).model == "net");
}

TEST_CASE("clients become jobs in the order of their number, each with its own time outside the module") {
  const MeasuredFile file =
      client_file("a.csv", {client_point("a.csv", 2, 8, {{"event_time_s", 120.0}, {"module_time_s", 20.0}}),
                            client_point("a.csv", 3, 2, {{"events_per_s", 0.5}, {"events_per_s_sem", 0.1}}),
                            client_point("a.csv", 4, 2.5, {{"event_time_s", 7.0}})});
  const OwnMeasurements found = own(scenario_text(one_cpu), {file});
  REQUIRE(found.cases.size() == 1);
  const MeasuredCase& one = found.cases[0];
  REQUIRE(one.rows.size() == 2);
  CHECK(one.rows[0].point.label == "2 clients");
  CHECK(one.rows[0].nonml_s == doctest::Approx(50.0));
  CHECK(one.rows[0].point.values[0].sem == 0.1);
  const Scenario few = scenario_of(scenario_text(one_cpu), one.rows[0].set);
  CHECK(few.jobs[0].count == 2);
  // 120 s less 20 s; the distribution keeps its shape.
  const Scenario many = scenario_of(scenario_text(one_cpu), one.rows[1].set);
  CHECK(many.jobs[0].count == 8);
  const auto& time = std::get<GammaTime>(std::get<CpuStage>(many.jobs[0].event[0]).time);
  CHECK(time.mean.value == 100.0);
  CHECK(time.cv == 0.2);
  CHECK(one.rows[1].nonml_s == 100.0);
  CHECK(
      formatted(found.warnings) ==
      std::vector<std::string>{"a.csv:4: score.clients\n  The row has 2.5 clients; a whole number from 1 to 2,000,000 "
                               "can be simulated. It is not used."});
  CHECK(one.about.notes ==
        "Of 2 rows 1 are simulated with its own time outside the offloaded module, the others with the scenario's. "
        "Left out: a.csv:4 (score.clients).");
}

TEST_CASE("a row's own time is not used where several stages could take it, and the case says so") {
  const MeasuredFile file =
      client_file("a.csv", {client_point("a.csv", 2, 8, {{"event_time_s", 120.0}, {"module_time_s", 20.0}})});
  const OwnMeasurements found = own(scenario_text(one_cpu + R"({"cpu": "5 s"}, )"), {file});
  CHECK(found.cases[0].rows[0].set.size() == 1);
  // What the simulation spends outside the module, which is then taken off its event time.
  CHECK(found.cases[0].rows[0].nonml_s == doctest::Approx(55.0));
  CHECK(found.cases[0].about.notes ==
        "The rows' own times outside the offloaded module are not used: the scenario has 2 CPU stages that every job "
        "does, and one is needed to take them.");
}

TEST_CASE("a rate and a time that cannot be of the same jobs are noted") {
  const auto notes = [](double rate) {
    return own(scenario_text(one_cpu),
               {client_file("a.csv", {client_point("a.csv", 2, 8, {{"event_time_s", 40.0}, {"events_per_s", rate}})})})
        .cases[0]
        .about.notes;
  };
  CHECK(notes(0.2).empty());
  CHECK(notes(0.1) ==
        "Little's law does not hold in a.csv:2: rate times event time is 0.5 times the streams of the clients, so "
        "the scenario cannot meet both.");
}

TEST_CASE("with several pools the one of the clients is asked for by name, or chosen") {
  const std::string two =
      scenario_text(one_cpu, R"(, {"name": "fast", "site": "s", "count": 4, "event": [{"cpu": "1 s"}]})");
  const MeasuredFile file = client_file("a.csv", {client_point("a.csv", 2, 8, {{"event_time_s", 60.0}})});
  CHECK(refusals(two, {file}) ==
        std::vector<std::string>{"s.json: score.several_pools\n  The scenario has 2 pools of jobs, and the rows give "
                                 "one number of clients; say which pool they are: --vary /jobs/0/count (\"reco\"), "
                                 "--vary /jobs/1/count (\"fast\")."});
  const OwnMeasurements found = own(two, {file}, {.scenario = "", .vary = "/jobs/1/count"});
  CHECK(found.cases[0].rows[0].set[0].pointer == "/jobs/1/count");
}

TEST_CASE("the loads of a load generator take the place of jobs that are none") {
  const OwnMeasurements found = own(scenario_text(one_cpu), {load_file({load_point(2, 4, 16, 900.0)})});
  const MeasuredRow& row = found.cases[0].rows[0];
  CHECK(row.point.label == "concurrency 4, batch 16");
  const Scenario simulated = scenario_of(scenario_text(one_cpu), row.set);
  REQUIRE(simulated.jobs.size() == 1);
  CHECK(simulated.jobs[0].count == 4);
  CHECK(simulated.jobs[0].site == "s");
  REQUIRE(simulated.jobs[0].event.size() == 1);
  const auto& call = std::get<InferStage>(simulated.jobs[0].event[0]);
  CHECK(call.items.largest() == 16);
  CHECK(call.request_batch == 16);
  CHECK(found.cases[0].about.notes ==
        "The file is of a load generator, and the scenario's jobs are none: each row is simulated with a pool at \"s\" "
        "in their place, in which every job sends one request to \"net\" after the other and does nothing else.");
}

TEST_CASE("loads beside a server of several nodes say how to compare with one") {
  std::string farm = scenario_text(one_cpu);
  farm.replace(farm.find(R"("name": "gpus")"), 14, R"("name": "gpus", "nodes": 6)");
  CHECK(own(farm, {load_file({load_point(2, 4, 16, 900.0)})})
            .cases[0]
            .about.notes.ends_with("6 nodes of \"gpus\" serve \"net\" here; if one was measured, add --set "
                                   "/servers/0/nodes=1."));
}

TEST_CASE("jobs that are a load generator keep what the file does not say") {
  LoadPoint point = load_point(2, 4, std::nullopt, 900.0);
  point.measured = {{"latency_mean_s", 0.05},   {"latency_sd_s", 0.01},    {"queue_s", 0.0001},
                    {"compute_input_s", 0.001}, {"compute_infer_s", 0.02}, {"compute_output_s", 0.002}};
  const OwnMeasurements found = own(scenario_text(""), {load_file({point})});
  const MeasuredRow& row = found.cases[0].rows[0];
  const Scenario simulated = scenario_of(scenario_text(""), row.set);
  CHECK(simulated.jobs[0].name == "reco");
  CHECK(simulated.jobs[0].count == 4);
  CHECK(std::get<InferStage>(simulated.jobs[0].event[0]).request_batch == 10);
  std::map<std::string, MeasuredValue> values;
  for (const MeasuredValue& value : row.point.values) values[std::string(value.quantity->name)] = value;
  CHECK(values.size() == 4);
  CHECK(values["items_per_s"].value == 900.0);
  CHECK(values["latency_mean_s"].sd == 0.01);
  CHECK(values["compute_s"].value == doctest::Approx(0.023));
  // A queue of 0.2 % of the latency.
  CHECK_FALSE(values["queue_s"].scored);
}

TEST_CASE("loads that the scenario cannot have are left out, each with its reason") {
  LoadPoint offered = load_point(5, 1, 1, 10.0);
  offered.concurrency.reset();
  offered.request_rate_per_s = 10.0;
  const OwnMeasurements found =
      own(scenario_text(one_cpu), {load_file({load_point(2, 1, 1, 900.0), load_point(3, 1, 100, 900.0),
                                              load_point(4, 2, std::nullopt, 900.0), offered})});
  CHECK(found.cases[0].rows.size() == 1);
  CHECK(
      formatted(found.warnings) ==
      std::vector<std::string>{
          "l.csv:3: score.batch\n  A request has 100 items, above max_batch_size of \"net\", which is 64; if the "
          "server took them, --set /models/net/max_batch_size=100.",
          "l.csv:4: score.batch\n  The items of a request are not known, and the scenario's jobs are no load "
          "generator that could tell them. Say them with --batch N, perf_analyzer's -b, or add a column \"batch\" to a "
          "table.",
          "l.csv:5: score.request_rate\n  The row is a request rate without a concurrency. How its requests were "
          "spaced is not known, so it is not simulated; measure with --concurrency-range."});
}

namespace {

/// Rows of a closed loop of requests of 16 items whose printed rate falls behind by latency over 2 s, as read: each
/// with the items that Little's law tells of it.
std::vector<LoadPoint> biased_loads() {
  std::vector<LoadPoint> points;
  for (const double concurrency : {1.0, 4.0, 16.0, 64.0}) {
    const double latency = 8e-3 * concurrency;
    LoadPoint point = load_point(2 + points.size(), concurrency, std::round(16.0 * (1.0 - latency / 2.0)),
                                 concurrency * 16.0 / latency * (1.0 - latency / 2.0));
    point.batch_from = BatchOrigin::littles_law;
    point.measured = {{"latency_mean_s", latency}};
    points.push_back(point);
  }
  return points;
}

std::vector<std::string> labels(const OwnMeasurements& found) {
  std::vector<std::string> texts;
  for (const MeasuredRow& row : found.cases.at(0).rows) texts.push_back(row.point.label);
  return texts;
}

}  // namespace

TEST_CASE("the items of a request are one number for a file that does not give them, and that is said") {
  // Row by row 16, 16, 15 and 12 would be simulated.
  REQUIRE(biased_loads()[3].request_batch == 12.0);
  const std::vector<std::string> all{"concurrency 1, batch 16", "concurrency 4, batch 16", "concurrency 16, batch 16",
                                     "concurrency 64, batch 16"};
  const OwnMeasurements inferred = own(scenario_text(""), {load_file(biased_loads())});
  CHECK(labels(inferred) == all);
  CHECK(inferred.cases[0].about.notes.starts_with(
      "The file does not give the items of a request: 16 is taken for every row, by Little's law from 4 rows: "
      "11.9 (l.csv:5) to 15.94 (l.csv:2); that falls with the latency"));
  const OwnMeasurements given = own(scenario_text(""), {load_file(biased_loads())}, {.scenario = "", .batch = 16.0});
  CHECK(labels(given) == all);
  for (const OwnMeasurements* found : {&inferred, &given}) {
    CHECK(found->cases[0].about.notes.find("The printed rates are low by R/W, R the mean latency and W = 2 s") !=
          std::string::npos);
    // Sixteen items in flight for each of the clients, over what they wait.
    for (const MeasuredRow& row : found->cases[0].rows) {
      CHECK(row.point.values[0].quantity->name == "items_per_s");
      CHECK(row.point.values[0].value == doctest::Approx(16.0 / 8e-3));
    }
  }
}

TEST_CASE("a file whose requests had different items without saying so is refused, with the way out") {
  std::vector<LoadPoint> points = biased_loads();
  points[1].items_per_s *= 4.0;
  const std::vector<std::string> found = refusals(scenario_text(""), {load_file(points)});
  REQUIRE(found.size() == 1);
  CHECK(
      found[0].starts_with("l.csv: score.batch\n  The file does not give the items of a request, and by Little's law "
                           "its rows had different ones: 11.9 (l.csv:5) to 62.98 (l.csv:3). Say it with --batch N"));
}

TEST_CASE("the model of a load is the one chosen, the file's, or the only one that the jobs call") {
  const std::string two =
      scenario_text(one_cpu + R"({"infer": "other", "items": 1}, )", "",
                    R"(, "other": {"input": "0 B", "max_batch_size": 8, "service": {"t4": {"per_item": "1 ms"}}})");
  LoadPoint unnamed = load_point(2, 1, 1, 900.0);
  LoadPoint named = load_point(3, 1, 1, 900.0);
  named.model = "other";
  LoadPoint strange = load_point(4, 1, 1, 900.0);
  strange.model = "resnet";
  CHECK(refusals(two, {load_file({unnamed})}) ==
        std::vector<std::string>{"l.csv: score.model\n  The file does not say which model its loads are of, and the "
                                 "scenario's jobs call \"net\" or \"other\"; name the model with --model, of \"net\" "
                                 "or \"other\"."});
  CHECK(own(two, {load_file({unnamed})}, {.scenario = "", .model = "other"}).cases[0].rows[0].model == "other");
  CHECK(own(two, {load_file({named})}).cases[0].rows[0].model == "other");
  const OwnMeasurements taken = own(scenario_text(one_cpu), {load_file({strange})});
  CHECK(taken.cases[0].rows[0].model == "net");
  CHECK(taken.cases[0].about.notes.starts_with(
      "The file's model \"resnet\" is taken as the scenario's \"net\", the only one that its jobs call. "));
  CHECK(refusals(two, {load_file({named, strange})}).empty());
  CHECK(refusals(two, {load_file({named})}, {.scenario = "", .model = "vgg"}) ==
        std::vector<std::string>{
            "--model: score.model\n  The scenario has no model \"vgg\"; it has \"net\" or \"other\"."});
}

TEST_CASE("files without a load are refused together with every other mistake") {
  const MeasuredFile ping{.path = "ping.txt", .format = "ping output"};
  const MeasuredFile halves = client_file("h.csv", {client_point("h.csv", 2, 0.5, {{"event_time_s", 60.0}})});
  CHECK(refusals(scenario_text(one_cpu), {ping, halves}) ==
        std::vector<std::string>{
            "ping.txt: score.no_rows\n  The file (ping output) has no load that a scenario predicts: rows of clients "
            "with event times or rates, or of concurrency with rates or latencies, or a server's counters, are needed. "
            "saturn calibrate fits other measurements.",
            "h.csv:2: score.clients\n  The row has 0.5 clients; a whole number from 1 to 2,000,000 can be simulated. "
            "It is not used.",
            "h.csv: score.no_rows\n  No row of the file can be simulated; the reasons stand above."});
}

TEST_CASE("measurements of the same load that differ by more than their errors are called a contradiction") {
  const auto told = [](std::map<std::string, double> first, std::map<std::string, double> second) {
    const OwnMeasurements found =
        own(scenario_text(one_cpu), {client_file("a.csv", {client_point("a.csv", 2, 300, std::move(first))}),
                                     client_file("b.csv", {client_point("b.csv", 7, 300, std::move(second))})});
    return formatted(found.warnings);
  };
  CHECK(told({{"event_time_s", 120.0}}, {{"event_time_s", 150.0}}) ==
        std::vector<std::string>{"a.csv:2: score.contradiction\n  a.csv:2 and b.csv:7 CONTRADICT each other at 300 "
                                 "clients: event time is 120 s in the one and 150 s in the other, a factor of 1.25; no "
                                 "scenario can meet both."});
  CHECK(told({{"event_time_s", 120.0}}, {{"event_time_s", 140.0}}).empty());
  // 30 s apart, at errors of 11.3 s each: less than two standard errors; at 5 s each more than four.
  CHECK(
      told({{"event_time_s", 120.0}, {"event_time_s_sem", 11.3}}, {{"event_time_s", 150.0}, {"event_time_s_sem", 11.3}})
          .empty());
  CHECK(told({{"event_time_s", 120.0}, {"event_time_s_sem", 5.0}}, {{"event_time_s", 150.0}, {"event_time_s_sem", 5.0}})
            .size() == 1);
  // Events of other work: their times may differ.
  CHECK(told({{"event_time_s", 120.0}, {"nonml_s", 90.0}}, {{"event_time_s", 150.0}, {"nonml_s", 120.0}}).empty());
}

TEST_CASE("rows that a fit of the scenario was made from are no prediction, whatever the file is called now") {
  const std::vector<MeasuredFile> files{load_file({load_point(2, 1, 1, 900.0), load_point(3, 1, 8, 900.0)})};
  const FittedFile fitted{.path = "fitted.json",
                          .text = R"({"data": [{"path": "old/perf.csv", "sha256": ")" + std::string(64, 'b') +
                                  R"("}], "fits": {"net": {"residuals": [{"from": "old/perf.csv:3"}]}}})"};
  const FittedFile other{.path = "other.json", .text = R"({"data": [{"path": "l.csv", "sha256": "c"}]})"};
  const Scenario scenario = scenario_of(scenario_text(one_cpu));
  const OwnChoice choice{.scenario = "s.json"};
  const OwnMeasurements found = own_measurements(scenario, files, std::vector{fitted, other}, choice);
  const std::string said =
      "NO PREDICTION: fitted.json, which the scenario takes values from, was fitted to this very file, 1 row of it "
      "among the fitted points. The errors say how well the fit describes its own data; validate with measurements "
      "that it has not seen.";
  CHECK(found.cases[0].about.calibration == said);
  CHECK(formatted(found.warnings) == std::vector<std::string>{"l.csv: score.fitted_to_it\n  " + said});
  CHECK(found.cases[0].rows[0].point.remark.empty());
  CHECK(found.cases[0].rows[1].point.remark == "a fit was made from this row: no prediction");
  CHECK(own_measurements(scenario, files, std::vector{other}, choice).warnings.empty());
}
