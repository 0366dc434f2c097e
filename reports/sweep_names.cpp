#include "reports/sweep_names.hpp"

#include "models/words/texts.hpp"
#include "reports/number_text.hpp"
#include "reports/terminal_text.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_listed = 20;
constexpr std::size_t longest_listed = 60;

}  // namespace

NameMatch match_name(const std::string& asked, const std::vector<std::string>& names) {
  NameMatch match;
  if (asked.empty()) return match;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == asked) return {.index = i};
    if (names[i].find(asked) == std::string::npos) continue;
    match.index = i;
    match.several.push_back(names[i]);
  }
  if (match.several.size() > 1) {
    match.index.reset();
  } else {
    match.several.clear();
  }
  return match;
}

std::string quoted_name(const std::string& name) {
  return in_quotes(terminal_text(name, longest_listed));
}

std::string listed_names(const std::vector<std::string>& names) {
  return names.empty() ? "none" : joined_and(texts_of(names, quoted_name), most_listed);
}

}  // namespace saturn
