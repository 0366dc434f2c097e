#include "models/statistics/quantiles.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

using namespace saturn;

namespace {

doctest::Approx near(double value) {
  return doctest::Approx(value).epsilon(1e-9);
}

}  // namespace

TEST_CASE("quantiles and tails are those of printed tables") {
  CHECK(normal_quantile_above(0.025) == near(1.9599639845));
  CHECK(normal_quantile(0.025) == near(-1.9599639845));
  CHECK(normal_above(1.9599639845400545) == near(0.025));
  CHECK(student_quantile_above(10.0, 0.025) == near(2.2281388520));
  CHECK(student_above(10.0, 2.228138851964939) == near(0.025));
  CHECK(student_below(10.0, -2.228138851964939) == near(0.025));
  CHECK(chi_squared_quantile(10.0, 0.95) == near(18.3070380533));
  CHECK(chi_squared_above(10.0, 18.307038053275146) == near(0.05));
  CHECK(fisher_f_above(3.0, 10.0, 3.7082648190468444) == near(0.05));
}

TEST_CASE("quantiles and tails are those of laws that have a formula") {
  CHECK(student_quantile_above(1.0, 0.1) == near(std::tan(std::numbers::pi * 0.4)));
  CHECK(chi_squared_above(2.0, 3.0) == near(std::exp(-1.5)));
  CHECK(fisher_f_above(2.0, 2.0, 3.0) == near(0.25));
  CHECK(lognormal_quantile(1.5, 0.7, 0.5) == near(std::exp(1.5)));
  CHECK(gamma_quantile(1.0, 3.0, 0.9) == near(3.0 * std::log(10.0)));
  CHECK(binomial_above(3.0, 0.5, 1.0) == near(0.5));
  CHECK(digamma(1.0) == near(-std::numbers::egamma));
  CHECK(trigamma(1.0) == near(std::numbers::pi * std::numbers::pi / 6.0));
}

TEST_CASE("the functions of plain digits agree with the others") {
  CHECK(plain::normal_quantile(0.001) == near(normal_quantile(0.001)));
  CHECK(plain::chi_squared_below(7.5, 3.0) == near(1.0 - chi_squared_above(7.5, 3.0)));
  CHECK(plain::gamma_below(2.5, 3.0, gamma_quantile(2.5, 3.0, 0.3)) == near(0.3));
}

TEST_CASE("without degrees of freedom the normal distribution takes the place of Student's") {
  CHECK(student_or_normal_quantile_above(0.0, 0.025) == normal_quantile_above(0.025));
  CHECK(student_or_normal_quantile_above(10.0, 0.025) == student_quantile_above(10.0, 0.025));
}

TEST_CASE("a probability that is none is refused") {
  CHECK_THROWS_AS(normal_quantile(1.5), std::domain_error);
  CHECK_THROWS_AS(student_quantile_above(-1.0, 0.025), std::domain_error);
}
