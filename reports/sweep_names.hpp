#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// Names of axes, metrics and values in complaints, and what a user means by a part of one.
namespace saturn {

/// What a text means among names.
struct NameMatch {
  std::optional<std::size_t> index{};  ///< the name that it is, or the only one that it is part of
  std::vector<std::string> several{};  ///< those that it is part of, where there are more
};

/// @param asked  a name or part of one; empty: nothing
NameMatch match_name(const std::string& asked, const std::vector<std::string>& names);

/// `"rtt"`, on a terminal harmless.
std::string quoted_name(const std::string& name);

/// `"a", "b" and "c"`; of more than 20 the first ones and how many there are besides; "none" of none.
std::string listed_names(const std::vector<std::string>& names);

}  // namespace saturn
