#include "reports/figures/spec_words.hpp"

#include <nlohmann/json.hpp>

namespace saturn {

namespace {

void replace_words(nlohmann::ordered_json& place, const std::map<std::string, std::string>& words) {
  if (!place.is_structured()) return;
  for (auto entry = place.begin(); entry != place.end(); ++entry) {
    nlohmann::ordered_json& inner = entry.value();
    const bool may_change =
        place.is_object() && inner.is_string() && (entry.key() == "field" || entry.key() == "title");
    const auto found = may_change ? words.find(inner.get<std::string>()) : words.end();
    if (found != words.end()) inner = found->second;
    replace_words(inner, words);
  }
}

}  // namespace

std::string with_words(const std::string& spec, const std::map<std::string, std::string>& words) {
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(spec);
  replace_words(json, words);
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void take_away(std::vector<SpecChange>& changes, const std::vector<std::string>& lists,
               const std::vector<std::size_t>& places) {
  for (const std::string& list : lists) {
    for (std::size_t i = places.size(); i-- > 0;)
      changes.push_back({.pointer = list + "/" + std::to_string(places[i])});
  }
}

void make_logarithmic(std::vector<SpecChange>& changes, const std::string& channel) {
  changes.push_back({.pointer = channel + "/scale/type", .value = "log"});
  changes.push_back({.pointer = channel + "/scale/zero"});
}

}  // namespace saturn
