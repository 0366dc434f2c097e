#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace saturn {

/// The flat tables of `validate --format json` by case, in the order of the cases: what `cases` says of each, with
/// "rows" (in each what was compared, by quantity), "errors" by quantity, "judgements" and "predictions".
inline std::vector<nlohmann::json> cases_of(const nlohmann::json& document) {
  std::vector<nlohmann::json> cases;
  const auto find = [&](const std::string& name) -> nlohmann::json& {
    for (nlohmann::json& one : cases)
      if (one["case"] == name) return one;
    cases.push_back(document["cases"][name]);
    cases.back()["case"] = name;
    return cases.back();
  };
  for (const nlohmann::json& row : document["rows"]) find(row["case"])["rows"].push_back(row);
  for (const nlohmann::json& one : document["comparisons"])
    for (nlohmann::json& row : find(one["case"])["rows"])
      if (row["point"] == one["point"]) row[one["quantity"].get<std::string>()] = one;
  for (const nlohmann::json& one : document["errors"])
    find(one["case"])["errors"][one["quantity"].get<std::string>()] = one;
  for (const char* list : {"judgements", "predictions"})
    if (document.contains(list))
      for (const nlohmann::json& one : document[list])
        if (document["cases"].contains(one["case"].get<std::string>())) find(one["case"])[list].push_back(one);
  return cases;
}

}  // namespace saturn
