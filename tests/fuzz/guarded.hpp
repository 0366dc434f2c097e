#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace saturn::fuzz {

/// What became of a case.
struct Finding {
  std::uint64_t index = 0;
  std::string what{};
};

/// Calls `check`, which says whether a case was answered and not refused, with 0 to count-1 in forked children, many
/// cases a child. A case that throws, crashes, ends its process, takes more than 20 s of a processor or more than 4 GB
/// of memory is a finding, and the others go on.
/// @returns how many were answered
std::uint64_t each_guarded(std::uint64_t count, const std::function<bool(std::uint64_t)>& check,
                           const std::function<void(const Finding&)>& found);

}  // namespace saturn::fuzz
