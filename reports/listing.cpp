#include "reports/listing.hpp"

#include <nlohmann/json.hpp>

#include "models/csv_text.hpp"
#include "reports/json_parts.hpp"

namespace saturn {

std::string listing_table(const std::string& what, const std::vector<ListedItem>& items, TextStyle style) {
  TextTable table({{what}, {"what it is"}});
  for (const ListedItem& item : items) table.add_row({item.name, item.title});
  return table.text(style);
}

std::string listing_json(const std::string& what, const std::vector<ListedItem>& items) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ListedItem& item : items) list.push_back({{"name", item.name}, {"title", item.title}});
  nlohmann::ordered_json document;
  document[what + "s"] = std::move(list);
  return json_document(document);
}

std::string listing_csv(const std::vector<ListedItem>& items) {
  std::string text = "name,title\n";
  for (const ListedItem& item : items) text += csv_cell(item.name) + ',' + csv_cell(item.title) + '\n';
  return text;
}

}  // namespace saturn
