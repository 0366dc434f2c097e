#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace saturn {

/// The candidate that a mistyped name most likely meant: smallest edit distance (insertions, deletions, substitutions
/// and swaps of neighbours; a letter in the wrong case costs nothing), at most a third of the longer name, at least 1.
/// @returns the name, or an empty text when none is near; of equally near ones the first
/// Cost: O(length²) for each candidate
std::string nearest_name(std::string_view wrong, const std::vector<std::string>& candidates);

}  // namespace saturn
