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

/// "a, b or c". @param conjunction  with its blanks, " or "
std::string list_in_words(const std::vector<std::string>& parts, std::string_view conjunction);

/// Names in quotes, separated by commas, "or" before the last: `"a", "b" or "c"`; the tail is cut after 20 names.
std::string listed(const std::vector<std::string>& names);

/// "a job pool", "an ensemble".
/// @param noun  not empty
std::string with_article(const std::string& noun);

}  // namespace saturn
