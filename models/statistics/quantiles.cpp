#include "models/statistics/quantiles.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/lognormal.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

namespace saturn {

namespace {

using PlainDigits = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

template <class Law>
double quantile_above(const Law& law, double tail) {
  return boost::math::quantile(boost::math::complement(law, tail));
}

template <class Law>
double chance_above(const Law& law, double value) {
  return boost::math::cdf(boost::math::complement(law, value));
}

}  // namespace

double normal_quantile(double probability) {
  return boost::math::quantile(boost::math::normal(), probability);
}

double normal_quantile_above(double tail) {
  return quantile_above(boost::math::normal(), tail);
}

double normal_above(double value) {
  return chance_above(boost::math::normal(), value);
}

double student_below(double degrees_of_freedom, double value) {
  return boost::math::cdf(boost::math::students_t(degrees_of_freedom), value);
}

double student_above(double degrees_of_freedom, double value) {
  return chance_above(boost::math::students_t(degrees_of_freedom), value);
}

double student_quantile_above(double degrees_of_freedom, double tail) {
  return quantile_above(boost::math::students_t(degrees_of_freedom), tail);
}

double student_or_normal_quantile_above(double degrees_of_freedom, double tail) {
  return degrees_of_freedom > 0.0 ? student_quantile_above(degrees_of_freedom, tail) : normal_quantile_above(tail);
}

double chi_squared_above(double degrees_of_freedom, double value) {
  return chance_above(boost::math::chi_squared(degrees_of_freedom), value);
}

double chi_squared_quantile(double degrees_of_freedom, double probability) {
  return boost::math::quantile(boost::math::chi_squared(degrees_of_freedom), probability);
}

double fisher_f_above(double degrees_above, double degrees_below, double value) {
  return chance_above(boost::math::fisher_f(degrees_above, degrees_below), value);
}

double lognormal_quantile(double location, double scale, double probability) {
  return boost::math::quantile(boost::math::lognormal(location, scale), probability);
}

double gamma_quantile(double shape, double scale, double probability) {
  return boost::math::quantile(boost::math::gamma_distribution<>(shape, scale), probability);
}

double binomial_above(double trials, double probability, double value) {
  return chance_above(boost::math::binomial(trials, probability), value);
}

double digamma(double x) {
  return boost::math::digamma(x);
}

double trigamma(double x) {
  return boost::math::trigamma(x);
}

double plain::normal_quantile(double probability) {
  return boost::math::quantile(boost::math::normal_distribution<double, PlainDigits>(), probability);
}

double plain::chi_squared_below(double degrees_of_freedom, double value) {
  return boost::math::cdf(boost::math::chi_squared_distribution<double, PlainDigits>(degrees_of_freedom), value);
}

double plain::gamma_below(double shape, double scale, double value) {
  return boost::math::cdf(boost::math::gamma_distribution<double, PlainDigits>(shape, scale), value);
}

}  // namespace saturn
