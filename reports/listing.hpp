#pragma once

#include <string>
#include <vector>

#include "reports/text_table.hpp"

namespace saturn {

/// Something that is shipped with the program: its name and what it is.
struct ListedItem {
  std::string name;
  std::string title;
};

/// @param what  heading of the first column, for example "scenario"; the key of the JSON list with an "s"
std::string listing_table(const std::string& what, const std::vector<ListedItem>& items, TextStyle style);
std::string listing_json(const std::string& what, const std::vector<ListedItem>& items);
/// Columns: name,title
std::string listing_csv(const std::vector<ListedItem>& items);

}  // namespace saturn
