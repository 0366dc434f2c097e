#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace saturn {

/// The parts of a cell of Model Analyzer about several models, "a,b": at its commas, without margins.
std::vector<std::string> cell_parts(std::string_view cell);

/// A figure of each model. Of one model "421.0"; of several "421.0, [184.5,236.5]": the first is their total or mean.
/// @returns `models` numbers >= 0; absent when the cell is anything else
std::optional<std::vector<double>> cell_figures(std::string_view cell, std::size_t models);

/// Instances of a model, "3:GPU", older "3/GPU".
struct InstanceGroup {
  double count = 0.0;  ///< > 0
  bool on_cpu = false;
};

/// @returns absent when the text is not one such group
std::optional<InstanceGroup> instance_group(std::string_view text);

}  // namespace saturn
