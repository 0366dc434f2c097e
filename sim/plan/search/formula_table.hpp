#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scenarios/scenario.hpp"
#include "sim/plan/question/search_goal.hpp"
#include "sim/plan/search/search.hpp"

namespace saturn {

/// How loaded a scenario is by the formulas.
struct ExpectedLoad {
  /// Event time over the ideal one, by mean value analysis where that is exact enough and cheap, else by the bound with
  /// a rounded knee; where events arrive from outside, their rate over what can be served [1].
  double slowdown = 1.0;
  bool by_mva = false;
  std::string binding{};           ///< saturates first; empty when nothing is contended
  double saturates_at_jobs = 0.0;  ///< 0: nothing, or not by jobs that begin their events themselves
  std::string next{};              ///< and the one after it
  double next_at_jobs = 0.0;
};

/// Cost: some 20 to 200 µs
ExpectedLoad expected_load(const System& system);

/// What the formulas say of every candidate: the best that some figures can be, and how loaded it is expected to be.
/// Some 200 bytes a candidate; scenarios and figures are not kept.
class FormulaTable {
 public:
  /// @param figures      that are kept: figures_asked()
  /// @param out_of_time  candidates that it cuts off stay unknown
  FormulaTable(const SearchedSpace& space, std::vector<FigureOf> figures, const std::function<bool()>& out_of_time);
  /// Of those candidates alone; the others are as if the reader had refused them.
  FormulaTable(const SearchedSpace& space, std::vector<FigureOf> figures, const std::function<bool()>& out_of_time,
               std::span<const std::uint64_t> candidates);

  std::uint64_t size() const { return expected_.size(); }
  bool complete() const { return complete_; }
  bool used_mva() const { return used_mva_; }
  /// Refused by the reader, or not reached in time: there are no figures.
  bool is_known(std::uint64_t candidate) const { return known_[candidate] != 0; }
  /// Why the formulas reject it; nothing while they do not.
  const std::optional<Rejection>& rejection(std::uint64_t candidate) const { return rejections_[candidate]; }
  /// Best value that is possible; nothing where the formulas say nothing.
  std::optional<double> best(std::uint64_t candidate, const FigureOf& figure) const;
  /// True when no candidate's value has to be simulated.
  bool is_exact(const FigureOf& figure) const;
  double expected_slowdown(std::uint64_t candidate) const { return expected_[candidate]; }

 private:
  std::size_t column_of(const FigureOf& figure) const;
  void fill(const SearchedSpace& space, std::uint64_t candidate);
  void reject_by_bound(const SearchedSpace& space, std::uint64_t candidate, const std::string& binding);

  std::vector<FigureOf> figures_;
  std::vector<char> exact_;          ///< (figures)
  std::vector<double> best_;         ///< (candidates, figures), NaN: unknown
  std::vector<float> expected_;      ///< (candidates)
  std::vector<std::uint8_t> known_;  ///< (candidates)
  std::vector<std::optional<Rejection>> rejections_;
  bool complete_ = true;
  bool used_mva_ = false;
};

/// True when a best value that is possible misses the requirement, by more than rounding.
bool misses(const Requirement& requirement, double value);

}  // namespace saturn
