#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace saturn::fuzz {

/// A stream of numbers that a seed determines (SplitMix64).
class SeededDraws {
 public:
  explicit SeededDraws(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// Uniform enough on 0 to below - 1. @param below  >= 1
  std::size_t up_to(std::size_t below) { return static_cast<std::size_t>(next() % below); }

 private:
  std::uint64_t state_;
};

/// One of the samples after one to five blows: bytes flipped, pieces torn off, tokens and lines swapped, deleted and
/// doubled, numbers that are huge, negative or none, hostile texts, deep nesting, a piece of another sample.
/// @param samples  at least one
std::string mutant_of(std::span<const std::string> samples, SeededDraws dice);

}  // namespace saturn::fuzz
