#include "reports/sensitivity_report.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <algorithm>
#include <limits>

#include "reports/sensitivity_json.hpp"

using namespace saturn;
using nlohmann::json;

namespace {

SensitivityRow row(const std::string& pointer, double elasticity, double low, double high, double share) {
  return {.input = {.pointer = pointer, .value = "2 ms", .uncertainty = 0.1},
          .elasticity = {.mean = elasticity, .low = elasticity - 0.1, .high = elasticity + 0.1, .replications = 8},
          .when_low = low,
          .when_high = high,
          .variance_share = share};
}

Sensitivity sample() {
  return {.answer = "mean event time",
          .unit = "s",
          .value = 0.050,
          .rows = {row("/models/m/service/t4/per_batch", 1.0, 0.045, 0.055, 0.8),
                   row("/network/links/0/bandwidth", -0.5, 0.0525, 0.0475, 0.2)},
          .without_effect = {"/devices/t4/price"},
          .next_measurement = "Measure it.",
          .notes = {"something was left out."}};
}

}  // namespace

TEST_CASE("A bar reaches from the lower input to the higher one, whichever way the answer moves") {
  CHECK(tornado_bar(45, 55, 50, 5, 11) == "-====|====+");
  CHECK(tornado_bar(52.5, 47.5, 50, 5, 11) == "  +==|==-  ");
  CHECK(tornado_bar(50, 55, 50, 5, 11) == "     |====+");
  CHECK(tornado_bar(-1e9, std::numeric_limits<double>::infinity(), 50, 5, 11) == "-====|     ");
}

TEST_CASE("Every bar has its width and exactly one answer, for any numbers") {
  CHECK(rc::check([](double low, double high, double answer) {
    const double reach = 0.1 + *rc::gen::inRange(0, 1000);
    const std::string bar = tornado_bar(low, high, answer, reach, 21);
    RC_ASSERT(bar.size() == 21U);
    RC_ASSERT(std::count(bar.begin(), bar.end(), '|') == 1);
    RC_ASSERT(bar[10] == '|');
  }));
}

TEST_CASE("The tornado shows every row in the unit that fits, the next measurement and what has no effect") {
  const std::string text = sensitivity_text(sample(), {});
  const auto has = [&](const std::string& piece) {
    CAPTURE(text);
    CHECK(text.find(piece) != std::string::npos);
  };
  has("What the answer depends on: 50.00 ms, mean event time\n");
  has("1.00 ± 0.10");
  has("45.00");
  has("-=======|=======+   2 ms    10 %  /models/m/service/t4/per_batch\n");
  has("where none is known");
  has("    +===|===-       2 ms    10 %  /network/links/0/bandwidth\n");
  has("  next: Measure it.\n");
  has("  no effect: /devices/t4/price\n");
  has("  note: something was left out.\n");
}

TEST_CASE("A long tornado names what it leaves out, and nothing to show is no table") {
  Sensitivity many = sample();
  for (int i = 0; i < 20; ++i) many.rows.push_back(row("/jobs/0/event/" + std::to_string(i) + "/cpu", 0, 0, 0, 0.01));
  const std::string text = sensitivity_text(many, {});
  CHECK(text.find("/jobs/0/event/9/cpu\n") != std::string::npos);
  CHECK(text.find("/jobs/0/event/10/cpu") == std::string::npos);
  CHECK(text.find("not shown: 10 inputs with narrower bars, which bring 10 % of the variance") != std::string::npos);
  Sensitivity none = sample();
  none.rows.clear();
  CHECK(sensitivity_text(none, {}).find("elasticity") == std::string::npos);
}

TEST_CASE("JSON and CSV carry every input with its numbers") {
  const json document = json::parse(json_sensitivity<nlohmann::ordered_json>(sample()).dump());
  CHECK(document["inputs"].size() == 2);
  CHECK(document["inputs"][1]["input"] == "/network/links/0/bandwidth");
  CHECK(document["inputs"][1]["elasticity"]["low"] == doctest::Approx(-0.6));
  CHECK(document["inputs"][0]["variance_share"] == 0.8);
  CHECK(document["without_effect"] == json::array({"/devices/t4/price"}));
  CHECK(document["value"] == 0.05);
  CsvRows rows;
  add_sensitivity(rows, sample());
  CHECK(rows.text().find("sensitivity,/network/links/0/bandwidth,answer_when_low,0.0525,") != std::string::npos);
  CHECK(rows.text().find("sensitivity,/devices/t4/price,elasticity,0,") != std::string::npos);
}
