#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/results/estimate.hpp"
#include "models/results/measures.hpp"

/// What a plan is judged by: figures of a candidate, requirements on them, and what is to be least or most.

namespace saturn {

/// "latency_p99:emtrk <= 50 ms".
struct Requirement {
  MeasureId figure{};
  std::string of{};     ///< model, link or server; empty: the worst of them
  bool at_most = true;  ///< else at least
  double limit = 0.0;   ///< in the measure's unit
  std::string text{};   ///< as the user wrote it, or as he would have
};

/// What is to be least, or most.
struct Objective {
  MeasureId figure{};
  bool least = true;
  std::string name{};  ///< as on the command line: "fewest-gpus"
};

/// The figures of one candidate, as far as they are known: by formula, or simulated.
struct CandidateFigures {
  struct Entry {
    MeasureId figure{};
    std::string of{};  ///< empty: of all
    /// Of a bound, and where nothing has to be simulated (devices, rent): mean = low = high, replications = 0. A bound
    /// is the best value that is possible.
    Estimate value{};

    bool exact() const { return is_exact(figure->average); }
  };
  std::vector<Entry> entries{};

  const Entry* find(MeasureId figure, std::string_view of = {}) const;
};

/// How far a figure is beyond a requirement's limit, relative to the limit (absolute where the limit is 0); negative
/// when within it.
double excess(const Requirement& requirement, double value);

/// The end of an interval that is worst for a requirement: with a limit there the estimate meets it beyond its noise.
double worst_end(const Requirement& requirement, const Estimate& value);
/// The other end: where even that misses, the requirement is missed beyond noise.
double best_end(const Requirement& requirement, const Estimate& value);

}  // namespace saturn
