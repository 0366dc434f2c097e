#pragma once

#include <string>
#include <string_view>

namespace saturn {

/// Changes with every change to the program that changes results, so that a resumed sweep computes them again.
inline constexpr std::string_view results_version = "2";

/// What a point's answer depends on.
struct PointQuestion {
  std::string_view answer{};    ///< "run", or "plan" with what it was asked: "plan slowdown=0.01"
  std::string_view resolved{};  ///< the scenario's document at the point, seed and precision in it
};

/// 32 hexadecimal characters: the beginning of the SHA-256 of question and version of results.
std::string point_id(const PointQuestion& question);

}  // namespace saturn
