#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <stdexcept>
#include <vector>

#include "models/results/measured_quantity.hpp"
#include "models/statistics/hypotheses.hpp"

using namespace saturn;

namespace {

Estimate about(double mean) {
  return {.mean = mean, .low = mean - 1, .high = mean + 1, .confidence = 0.95, .replications = 3};
}

}  // namespace

TEST_CASE("every measured quantity stands beside the simulated number of its own name") {
  Results run;
  run.all_jobs.set("event_time_s", about(120));
  run.all_jobs.set("events_per_s", about(2));
  ModelResults model;
  model.set("requests_per_s", about(30));
  model.set("items_per_s", about(40));
  model.set("ingress_bytes_per_s", about(80));
  model.set("latency_s", about(50));
  model.set("latency_p50_s", about(51));
  model.set("latency_p95_s", about(52));
  model.set("latency_p99_s", about(53));
  model.set("queue_s", about(60));
  model.set("compute_s", about(70));
  model.set("send_s", about(3));
  model.set("host_s", about(1));
  model.set("receive_s", about(2));
  const std::map<std::string_view, double> wanted{
      {"event_time_s", 120}, {"module_time_s", 20},  {"events_per_s", 2},   {"requests_per_s", 30},
      {"items_per_s", 40},   {"latency_mean_s", 50}, {"latency_p50_s", 51}, {"latency_p95_s", 52},
      {"latency_p99_s", 53}, {"queue_s", 60},        {"compute_s", 70},     {"ingress_bytes_per_s", 80},
      {"server_mean_s", 44}, {"server_p50_s", 45},   {"server_p95_s", 46},  {"server_p99_s", 47}};
  CHECK(measured_quantities().size() == wanted.size());
  for (const auto& want : wanted) {
    const auto& [name, mean] = want;
    CAPTURE(want.first);
    const MeasuredQuantity* quantity = find_measured_quantity(name);
    REQUIRE(quantity != nullptr);
    const Estimate simulated = simulated_number(*quantity, run, {.model = &model, .nonml_s = 100});
    CHECK(simulated.mean == mean);
    CHECK(simulated.low == mean - 1);
    CHECK(simulated.high == mean + 1);
  }
  CHECK(find_measured_quantity("latency_p90_s") == nullptr);
}

namespace {

/// Rows of measured value 1 whose predictions are off by these factors' logarithms.
std::vector<RivalPredictions> rows_of(const std::vector<std::pair<double, double>>& log_errors) {
  std::vector<RivalPredictions> rows;
  for (const auto& [first, second] : log_errors) {
    rows.push_back({.measured = 1.0, .first = std::exp(first), .second = std::exp(second)});
  }
  return rows;
}

HypothesisComparison comparison_of(const std::vector<std::pair<double, double>>& log_errors) {
  return *compare_hypotheses(rows_of(log_errors));
}

}  // namespace

TEST_CASE("typical errors, likelihood ratio and closer rows are those of the formulas") {
  const HypothesisComparison found = comparison_of({{0.1, 0.2}, {-0.1, 0.2}, {0.1, -0.2}, {0.3, 0.1}});
  CHECK(found.rows == 4);
  CHECK(found.telling_rows == 4);
  CHECK(found.first.typical_error == doctest::Approx(std::sqrt(0.12 / 4)));
  CHECK(found.second.typical_error == doctest::Approx(std::sqrt(0.13 / 4)));
  CHECK(found.log_likelihood_ratio == doctest::Approx(2 * std::log(0.13 / 0.12)));
  CHECK(found.first.rows_closer == 3);
  CHECK(found.second.rows_closer == 1);
  CHECK(found.favours_first());
  // Differences of squares: 3, 3, 3, -8. Of the 16 signs all those with |sum| >= 1 count, which are all.
  CHECK(found.p_value == 1.0);
}

TEST_CASE("with few rows the p-value counts signs") {
  // All differences are equal, so that only all signs alike are as extreme: 2 of 2^n.
  CHECK(comparison_of({{0.1, 0.2}, {0.1, 0.2}, {0.1, 0.2}}).p_value == 0.25);
  CHECK(comparison_of({{0.1, 0.2}, {0.1, 0.2}, {0.1, 0.2}, {0.1, 0.2}, {0.1, 0.2}, {0.1, 0.2}}).p_value == 2.0 / 64);
  // Nearly equal predictions judge nothing, however many of them lie on the same side.
  CHECK(comparison_of({{0.1, 0.2}, {0.1, 0.2}, {0.1, 0.2}, {0.5, 0.509}, {0.5, 0.509}, {0.5, 0.509}}).p_value == 0.25);
}

TEST_CASE("with many rows the p-value is drawn and comes close to that of the sign test") {
  std::vector<std::pair<double, double>> log_errors(18, {0.1, 0.2});
  log_errors.insert(log_errors.end(), 6, {0.2, 0.1});
  // 24 equal differences, 18 of one sign: P(|2K - 24| >= 12) for K binomial (24, 1/2).
  double tail = 0.0;
  double coefficient = 1.0;
  for (int k = 0; k <= 6; ++k) {
    tail += coefficient;
    coefficient *= (24.0 - k) / (k + 1.0);
  }
  const double exact = 2.0 * tail / std::exp2(24);
  const HypothesisComparison found = comparison_of(log_errors);
  // Four standard errors of 100,000 draws.
  CHECK(std::abs(found.p_value - exact) < 4 * std::sqrt(exact / 1e5));
  CHECK(found.can_tell());
  CHECK(comparison_of(log_errors).p_value == found.p_value);
}

TEST_CASE("exchanging the hypotheses exchanges everything") {
  const HypothesisComparison one = comparison_of({{0.1, 0.2}, {0.05, -0.3}, {0.2, 0.1}});
  const HypothesisComparison other = comparison_of({{0.2, 0.1}, {-0.3, 0.05}, {0.1, 0.2}});
  CHECK(one.first.typical_error == other.second.typical_error);
  CHECK(one.first.rows_closer == other.second.rows_closer);
  CHECK(one.log_likelihood_ratio == doctest::Approx(-other.log_likelihood_ratio));
  CHECK(one.p_value == other.p_value);
}

TEST_CASE("rows for which both predict the same to a hundredth do not judge, and the words say so") {
  const HypothesisComparison same = comparison_of({{0.1, 0.105}, {0.2, 0.205}});
  CHECK(same.telling_rows == 0);
  CHECK(judgement_in_words(same, "A", "B") == "The rows cannot tell: both predict the same for each of them.");
  const HypothesisComparison few = comparison_of({{0.1, 0.2}, {0.1, 0.2}, {0.1, 0.2}});
  CHECK(judgement_in_words(few, "A", "B") ==
        "The rows cannot tell: A does better (typical error 10 % against 20 %, closer in 3 of 3 rows that tell them "
        "apart, p = 0.25).");
  const HypothesisComparison enough =
      comparison_of({{0.2, 0.05}, {0.2, 0.05}, {0.2, 0.05}, {0.2, 0.05}, {0.2, 0.05}, {0.2, 0.05}});
  CHECK(judgement_in_words(enough, "A", "B") ==
        "The rows favour B: typical error 5.0 % against 20 %, closer in 6 of 6 rows that tell them apart, p = "
        "0.031.");
}

TEST_CASE("without rows there is nothing to compare, and numbers need a logarithm") {
  CHECK(!compare_hypotheses({}).has_value());
  const std::vector<RivalPredictions> none{{.measured = 1.0, .first = 0.0, .second = 1.0}};
  CHECK_THROWS_AS(compare_hypotheses(none), std::invalid_argument);
}
