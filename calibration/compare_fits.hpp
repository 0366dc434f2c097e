#pragma once

#include <optional>
#include <string>

#include "calibration/calibrate.hpp"

namespace saturn {

/// A fit and where its data come from.
struct SourcedFit {
  std::string source{};
  const Fit& fit;
};

/// Compares what two laws of the same model say of the same batch: the geometric middle of the sizes that both were
/// measured at.
/// @returns nothing where they have no sizes in common, or one of them has no error that is known
std::optional<SourceComparison> compare_laws(const std::string& model, const SourcedFit& first,
                                             const SourcedFit& second);

/// Compares the first parameters, means of the same quantity.
/// @param quantity  with its unit, "round-trip time to 8.8.8.8 [s]"
std::optional<SourceComparison> compare_means(const std::string& quantity, const SourcedFit& first,
                                              const SourcedFit& second);

}  // namespace saturn
