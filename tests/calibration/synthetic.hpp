#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "calibration/fit/fit.hpp"
#include "models/laws/parameter_spread.hpp"
#include "models/laws/random_stream.hpp"

namespace saturn {

/// Data sets of one coverage test; 95 % of them then scatters by 0.7 %, so that 93 to 97 % is nearly three deviations.
constexpr int coverage_sets = 1000;

inline double standard_normal(RandomStream& stream) {
  return std::sqrt(-2.0 * std::log(stream.uniform())) * std::cos(2.0 * 3.14159265358979323846 * stream.uniform());
}

inline bool has_note(const Fit& fit, const std::string& text) {
  for (const std::string& note : fit.notes)
    if (note.find(text) != std::string::npos) return true;
  return false;
}

/// The stream of one synthetic data set.
inline RandomStream set_stream(std::uint32_t law, std::uint32_t set) {
  return RandomStream(20261121, set, law, Purpose::service);
}

/// Counts how often intervals hold the truth.
class Coverage {
 public:
  void add(const ParameterInterval& interval, double truth) {
    ++all_;
    if (interval.low <= truth && truth <= interval.high) ++held_;
  }
  void add(const Fit& fit, std::size_t index, double truth) { add(interval(fit.parameters, index, 0.95), truth); }
  double percent() const { return 100.0 * held_ / all_; }

 private:
  int all_ = 0;
  int held_ = 0;
};

inline void check_coverage(const std::string& what, const Coverage& coverage) {
  CAPTURE(what);
  CHECK(coverage.percent() >= 93.0);
  CHECK(coverage.percent() <= 97.0);
}

using Coverages = std::map<std::string, Coverage>;

/// Goes through the data sets of a law; the intervals of every quantity that is added hold the truth in 93 to 97 %.
template <class DataSet>
void check_coverage(std::uint32_t law, DataSet data_set) {
  Coverages held;
  for (int set = 0; set < coverage_sets; ++set) {
    RandomStream stream = set_stream(law, static_cast<std::uint32_t>(set));
    data_set(stream, held);
  }
  for (const auto& [what, coverage] : held) check_coverage(what, coverage);
}

}  // namespace saturn
