#include "reports/models_text.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <sstream>

#include "models/words/texts.hpp"
#include "tests/reports/report_samples.hpp"

using namespace saturn;
using nlohmann::json;

TEST_CASE("the models' tables say where the time goes, how large batches are and why they were sent") {
  CHECK(models_text({sample_batching_model()}, {}) ==
        R"(
Models
  model   requests/s  data in [GB/s]  items/batch  latency [ms]  99 % below [ms]
  tagger    990 ± 10            1.98  4.72 ± 0.10  10.00 ± 0.10            20.00
  tagger: 10.0 ± 1.0 requests/s are rejected by the limits of its queue, 1 % of those that arrive

Where the time of a request goes [ms]
  model    send  host  fill batch  wait for instance  wait for device  execute  receive    sum
  tagger  0.500  1.00        2.00               3.00             1.20     1.80    0.500  10.00

Batches of tagger
  items  batches  of all items
      1     40 %         8.5 %  ████████████████████
      3      8 %         5.1 %  ████
      4      2 %         1.7 %  █
      8     50 %          85 %  ████████████████████████
  sent because: full 50 %, preferred size 30 %, delay over 15 %, at once 5 %
)");
}

TEST_CASE("rounding is not shown as a time") {
  ModelResults model = sample_batching_model();
  model.set("execute_s", sample_estimate(0.003, 0));
  model.set("device_wait_s", sample_estimate(0, 0));
  const std::string exact = models_text({model}, {});
  model.set("device_wait_s", sample_estimate(-7e-15, 0));
  CHECK(models_text({model}, {}) == exact);
}

TEST_CASE("models without a host stage, rejections or batches show nothing of them") {
  RunReport report = sample_run_report();
  ModelResults model = report.summary.models[0];
  model.batches = {{1719, 96}};
  const std::string text = models_text({model}, {});
  CHECK(text.find("host") == std::string::npos);
  CHECK(text.find("rejected") == std::string::npos);
  CHECK(text.find("Batches of") == std::string::npos);
  CHECK(text.find("sent because") == std::string::npos);
  model.batches.clear();
  model.clear("batch_items");
  CHECK(models_text({model}, {}).find("–") != std::string::npos);
  CHECK(models_text({}, {}).empty());
}

TEST_CASE("batches of one size are shown when they were formed dynamically") {
  ModelResults model = sample_batching_model();
  model.batches = {{8, 100}};
  model.sent_because = {0, 100, 0, 0, 0};
  const std::string text = models_text({model}, {});
  CHECK(text.find("Batches of tagger") != std::string::npos);
  CHECK(text.find("sent because: full 100 %\n") != std::string::npos);
}

TEST_CASE("a histogram's rows are at most 16, ascending, next to each other, and hold every batch once") {
  CHECK(rc::check([] {
    const auto largest = std::uint32_t{1} << *rc::gen::inRange(0, 32);
    std::map<std::uint32_t, std::uint64_t> batches;
    const int sizes = *rc::gen::inRange(1, 60);
    for (int i = 0; i < sizes; ++i) {
      batches[1 + *rc::gen::inRange<std::uint32_t>(0, largest)] = *rc::gen::inRange<std::uint64_t>(1, 1000);
    }
    const std::vector<BatchRow> rows = grouped_batches(batches);
    RC_ASSERT(rows.size() <= 16u);
    std::size_t next = 0;
    std::map<std::size_t, BatchRow> expected;
    for (const auto& [items, count] : batches) {
      while (next < rows.size() && rows[next].most < items) ++next;
      RC_ASSERT(next < rows.size());
      RC_ASSERT(rows[next].least <= items);
      expected[next].batches += static_cast<double>(count);
      expected[next].items += static_cast<double>(count) * items;
    }
    RC_ASSERT(expected.size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      RC_ASSERT(rows[i].batches == expected[i].batches);
      RC_ASSERT(rows[i].items == expected[i].items);
      if (batches.size() <= 16) RC_ASSERT(rows[i].least == rows[i].most);
      if (i > 0) RC_ASSERT(rows[i - 1].most < rows[i].least);
    }
  }));
}

TEST_CASE("many sizes are grouped into ranges that end at powers of two") {
  std::map<std::uint32_t, std::uint64_t> batches;
  for (std::uint32_t items = 1; items <= 20; ++items) batches[items] = 1;
  const std::vector<BatchRow> rows = grouped_batches(batches);
  REQUIRE(rows.size() == 6);
  const std::uint32_t edges[][2] = {{1, 1}, {2, 2}, {3, 4}, {5, 8}, {9, 16}, {17, 32}};
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(rows[i].least == edges[i][0]);
    CHECK(rows[i].most == edges[i][1]);
  }
  CHECK(rows[5].batches == 4.0);
  CHECK(rows[5].items == 17.0 + 18.0 + 19.0 + 20.0);
}

TEST_CASE("the parts of a request's time add up to its latency, and a histogram to its mean, in the JSON") {
  RunReport report = sample_run_report();
  report.summary.models.push_back(sample_batching_model());
  const json models = json::parse(run_json(report))["result"]["models"];
  for (const auto& [name, model] : models.items()) {
    CAPTURE(name);
    const auto mean = [&model = model](const char* part) { return model["breakdown_s"][part]["mean"].get<double>(); };
    CHECK(mean("send") + mean("host") + mean("queue") + mean("compute") + mean("receive") ==
          doctest::Approx(model["latency_s"]["mean"].get<double>()));
    CHECK(mean("fill") + mean("instance_wait") == doctest::Approx(mean("queue")));
    CHECK(mean("device_wait") <= mean("compute"));
    double batches = 0.0;
    double items = 0.0;
    for (const auto& [size, count] : model["batch_items"]["histogram"].items()) {
      batches += count.get<double>();
      items += std::stod(size) * count.get<double>();
    }
    CHECK(items / batches == doctest::Approx(model["batch_items"]["mean"].get<double>()));
  }
  CHECK(models["tagger"]["sent_because"]["delay_over"] == 15);
  CHECK(models["tagger"]["rejected_per_s"]["mean"] == 10.0);
  ModelResults idle = sample_batching_model();
  idle.clear("batch_items");
  report.summary.models = {idle};
  CHECK(json::parse(run_json(report))["result"]["models"]["tagger"]["batch_items"]["mean"].is_null());
}

TEST_CASE("the lines of a run's tables fit a terminal of 120 columns") {
  RunReport report = sample_run_report();
  report.summary.models.push_back(sample_batching_model());
  report.explanation = sample_explanation();
  std::istringstream lines(run_table(report, {}));
  for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(width_of(line) <= 120, line);
}
