#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/figures/spec_template.hpp"

namespace saturn {

/// A specification with other fields and titles: every "field" and "title" in it that is exactly a key becomes its
/// value. So one template serves several fields and units.
/// @param spec  JSON
std::string with_words(const std::string& spec, const std::map<std::string, std::string>& words);

/// Adds the changes that take some places of lists away, each list from its end, since places move.
/// @param lists   pointers to lists, "/layer"
/// @param places  of each list, ascending
void take_away(std::vector<SpecChange>& changes, const std::vector<std::string>& lists,
               const std::vector<std::size_t>& places);

/// Adds the changes that make an axis logarithmic.
/// @param channel  pointer to its channel, which has a scale with "zero": "/encoding/x"
void make_logarithmic(std::vector<SpecChange>& changes, const std::string& channel);

}  // namespace saturn
