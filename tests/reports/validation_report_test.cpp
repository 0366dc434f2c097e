#include "reports/calibration/validation_report.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/reports/report_samples.hpp"

using namespace saturn;
using nlohmann::json;

namespace {

ValidationRow sample_row(const std::string& label, double measured, double simulated) {
  ValidationRow row;
  row.measured.label = label;
  row.measured.values = {{.quantity = find_measured_quantity("items_per_s"), .value = measured, .sd = {}, .sem = {}}};
  row.simulated = {sample_estimate(simulated, 0.5)};
  return row;
}

// Errors are +10 %, -5 %, +50 % and 0 %.
ValidationCase sample_case() {
  ValidationCase validation;
  validation.about.id = "sample";
  validation.about.title = "A sample";
  validation.about.source = "A paper";
  validation.about.verified = true;
  validation.about.scenario = "first-steps";
  validation.rows = {sample_row("one", 10, 11), sample_row("two", 20, 19), sample_row("three", 40, 60),
                     sample_row("four", 50, 50)};
  return validation;
}

Answer answer_of(std::vector<ValidationCase> cases, std::vector<std::string> changes = {}) {
  return validation_answer({.provenance = {}, .changes = std::move(changes), .cases = std::move(cases)}, false);
}

Score only_score(const ValidationCase& validation) {
  const std::vector<Score> all = scores(validation);
  REQUIRE(all.size() == 1);
  return all.front();
}

std::string verdict_for(std::optional<double> median, std::optional<double> worst) {
  ValidationCase validation = sample_case();
  validation.about.targets = {{.quantity = find_measured_quantity("items_per_s"), .median = median, .worst = worst}};
  const auto within = only_score(validation).within();
  return !within ? "none" : *within ? "within" : "outside";
}

}  // namespace

TEST_CASE("a score holds the median between the middle two errors, the worst with its sign and row, and the mean") {
  const Score score = only_score(sample_case());
  CHECK(score.rows == 4);
  CHECK(score.median_absolute_error == doctest::Approx(0.075));
  CHECK(score.worst_error == doctest::Approx(0.5));
  CHECK(score.worst_at == "three");
  CHECK(score.mean_error == doctest::Approx(0.55 / 4));
  // Ranks of the errors along the rows are 3, 1, 4, 2: no order at all.
  CHECK(score.trend->rho == doctest::Approx(0.0));
  CHECK(score.trend->p_value == doctest::Approx(1.0));
  CHECK(!score.within().has_value());
}

TEST_CASE("rows of the calibration, rows kept out, and values kept out are shown and not scored") {
  ValidationCase validation = sample_case();
  validation.rows[0].measured.use = PointUse::calibration;
  validation.rows[1].measured.use = PointUse::shown;
  validation.rows[2].measured.values[0].scored = false;
  const Score score = only_score(validation);
  CHECK(score.rows == 1);
  CHECK(score.worst_at == "four");
  CHECK(!score.trend.has_value());
  const std::string text = shown(answer_of({validation}));
  CHECK(holds(text, "(+10.0 %)  calibration\n"));
  CHECK(holds(text, "(-5.0 %)  shown\n"));
  CHECK(holds(text, "(+50.0 %)\n"));
}

TEST_CASE("a row with more in flight than its clients can have is kept out, beyond 5 %") {
  ValidationCase validation = sample_case();
  validation.rows[2].little_ratio = 1.0 / 1.051;
  validation.rows[3].little_ratio = 1.0 / 1.049;
  const Score score = only_score(validation);
  CHECK(score.rows == 3);
  CHECK(score.worst_at == "one");
  CHECK(validation.rows[2].unscored() == "Little 0.95");
  CHECK(validation.rows[3].unscored().empty());
  // Jobs that compute between requests have fewer in flight than they could.
  validation.rows[3].little_ratio = 2.0;
  CHECK(validation.rows[3].mark().empty());
}

TEST_CASE(
    "a load generator's printed rate is marked beyond 5 % both ways, and one that is too low does not cost the row") {
  const auto row_with = [](double printed) {
    ValidationRow row = sample_row("clients", 100.0, 100.0);
    row.measured.values.push_back(
        {.quantity = find_measured_quantity("latency_mean_s"), .value = 0.16, .sd = {}, .sem = {}});
    row.simulated.push_back(sample_estimate(0.16, 0.001));
    row.in_flight = 16.0;
    row.measured.printed_per_s = printed;
    row.little_ratio = little_ratio(row.measured, 16.0);
    return row;
  };
  CHECK(row_with(96.0).mark().empty());
  CHECK(row_with(104.0).mark().empty());
  CHECK(row_with(94.0).mark() == "printed -6.0 %");
  CHECK(row_with(94.0).unscored().empty());
  CHECK(row_with(106.0).unscored() == "printed +6.0 %");
  ValidationCase validation = sample_case();
  validation.rows = {row_with(94.0), row_with(100.0)};
  const std::string text = shown(answer_of({validation}));
  CHECK(holds(text, "printed items/s"));
  const std::vector<ClosedLoopRate> loads{row_with(94.0).loop().value(), row_with(100.0).loop().value()};
  CHECK(holds(rates_in_words(loads), "Printed rates that differ from them by more than 5 %: clients by -6 %; fewer"));
}

TEST_CASE("a target is kept when median and worst are both within it") {
  CHECK(verdict_for(0.08, std::nullopt) == "within");
  CHECK(verdict_for(0.07, std::nullopt) == "outside");
  CHECK(verdict_for(std::nullopt, 0.51) == "within");
  CHECK(verdict_for(std::nullopt, 0.49) == "outside");
  CHECK(verdict_for(0.08, 0.49) == "outside");
  CHECK(verdict_for(0.08, 0.51) == "within");
}

TEST_CASE("a target without a row that counts is not kept silently") {
  ValidationCase validation = sample_case();
  validation.about.targets = {{.quantity = find_measured_quantity("items_per_s"), .median = 0.1, .worst = {}}};
  for (ValidationRow& row : validation.rows) row.measured.use = PointUse::shown;
  CHECK(!only_score(validation).within().has_value());
  CHECK(holds(shown(answer_of({validation})), "NO ROWS"));
}

TEST_CASE("the CSV of a validation is one comparison a line") {
  ValidationCase validation = sample_case();
  validation.rows.resize(2);
  validation.rows[0].measured.label = "a, b";
  validation.rows[0].measured.values[0].sem = 0.25;
  validation.rows[1].measured.use = PointUse::shown;
  CHECK(csv_text(answer_of({validation})) ==
        "case,point,quantity,measured,measured_sem,simulated,low,high,confidence,replications,error,scored\n"
        "sample,\"a, b\",items_per_s,10,0.25,11,10.5,11.5,0.95,3,0.10000000000000009,true\n"
        "sample,two,items_per_s,20,,19,18.5,19.5,0.95,3,-0.050000000000000044,false\n");
}

TEST_CASE("the JSON of a validation carries errors, scores and what was changed") {
  ValidationCase validation = sample_case();
  validation.about.targets = {{.quantity = find_measured_quantity("items_per_s"), .median = 0.11, .worst = {}}};
  validation.rows[1].little_ratio = 0.9;
  const json document = json::parse(json_text(answer_of({validation}, {"/a=1"})));
  CHECK(document["changes"] == json::array({"/a=1"}));
  CHECK(document["cases"]["sample"]["source"] == "A paper");
  CHECK(document["rows"][1]["unscored"] == "Little 0.90");
  CHECK(document["comparisons"][1]["scored"] == false);
  const json& score = document["errors"][0];
  CHECK(score["quantity"] == "items_per_s");
  CHECK(score["rows"] == 3);
  CHECK(score["worst_at"] == "three");
  CHECK(score["target_median"] == 0.11);
  CHECK(score["within_target"] == true);
}

TEST_CASE("a table of changed scenarios says so in its heading, and remarks are wrapped and said once for all rows") {
  ValidationCase validation = sample_case();
  const std::string remark =
      "digitised from a figure of the paper whose axis is logarithmic, so that a millimetre on it is a factor of two";
  for (const std::size_t i : {0U, 2U}) validation.rows[i].measured.remark = remark;
  const std::string text = shown(answer_of({validation}, {"/a=1", "/b=2"}));
  CHECK(text.starts_with("A sample, CHANGED: /a=1, /b=2\n"));
  CHECK(holds(text,
              "  * one, three: digitised from a figure of the paper whose axis is logarithmic, so that a millimetre on "
              "it\n    is a factor of two\n"));
}

TEST_CASE("several cases begin with all their scores in one table") {
  const ValidationCase validation = sample_case();
  const std::string one = shown(answer_of({validation}));
  CHECK_FALSE(holds(one, "All cases"));
  const std::string two = shown(answer_of({validation, validation}));
  CHECK(holds(two, "\nAll cases\n"));
}

TEST_CASE("rows that give their own parameter count, are marked, and do not pass for predictions") {
  ValidationCase validation = sample_case();
  validation.rows = {sample_row("one", 10, 10), sample_row("two", 20, 20)};
  validation.about.targets = {{.quantity = find_measured_quantity("items_per_s"), .median = 0.01, .worst = 0.01}};
  for (ValidationRow& row : validation.rows) row.measured.use = PointUse::identity;
  CHECK(only_score(validation).rows == 2);
  CHECK(only_score(validation).identities == 2);
  const std::string all = shown(answer_of({validation}));
  CHECK(holds(all, "0.0 %  identity\n"));
  CHECK(holds(all, "within (identity)\n"));
  validation.rows[0].measured.use = PointUse::scored;
  const std::string some = shown(answer_of({validation}));
  CHECK(holds(some, "within\n"));
}

TEST_CASE("bands are kept when every target of every case is, and a target without rows is not kept") {
  ValidationCase kept = sample_case();
  kept.about.targets = {{.quantity = find_measured_quantity("items_per_s"), .median = 0.1, .worst = 0.6}};
  ValidationCase left = kept;
  left.about.targets[0].worst = 0.4;
  ValidationCase empty = kept;
  for (ValidationRow& row : empty.rows) row.measured.use = PointUse::shown;
  CHECK(within_bands({.provenance = {}, .changes = {}, .cases = {kept, sample_case()}}));
  CHECK_FALSE(within_bands({.provenance = {}, .changes = {}, .cases = {kept, left}}));
  CHECK_FALSE(within_bands({.provenance = {}, .changes = {}, .cases = {kept, empty}}));
}

TEST_CASE("the page of a validation counts its bands, and names what was changed and not verified") {
  ValidationCase kept = sample_case();
  kept.about.targets = {{.quantity = find_measured_quantity("items_per_s"), .median = 0.1, .worst = 0.6}};
  ValidationCase left = kept;
  left.about.targets[0].worst = 0.4;
  left.about.verified = false;
  left.rows[1].measured.remark = "read off a figure";
  const std::string page = validation_page({.provenance = {}, .changes = {"/a=1"}, .cases = {kept, left}});
  CHECK(holds(page, "\n2 cases with 8 measured rows; 1 of 2 stated bands are kept, 0 of them by rows"));
  CHECK(holds(page, "\nChanged in every scenario: /a=1.\n"));
  CHECK(holds(page, "\nmeasured: A paper; not compared with the publication\n"));
  CHECK(holds(page, "\n| three | 40.00 | 60.0 ± 0.5 | +50.0 % |\n"));
  CHECK(holds(page, "\n\\* two: read off a figure\n"));
  CHECK(holds(page, "| three | +13.8 % | 0.00 | 1.0 | median 10 %, worst 40 % | OUTSIDE |\n"));
}
