#include "scenarios/near_name.hpp"

#include <algorithm>
#include <cctype>

namespace saturn {

namespace {

constexpr std::size_t longest_compared = 100;

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

// Optimal string alignment distance.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + substitution});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view wrong, const std::vector<std::string>& candidates) {
  std::string nearest;
  std::size_t smallest = longest_compared;
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(wrong.size(), candidate.size());
    if (longer > longest_compared) continue;
    const std::size_t distance = edit_distance(wrong, candidate);
    if (distance < smallest && distance < longer && distance <= std::max<std::size_t>(1, longer / 3)) {
      smallest = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string list_in_words(const std::vector<std::string>& parts, std::string_view conjunction) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? conjunction : ", ";
    text += parts[i];
  }
  return text;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 20;
  std::vector<std::string> quoted;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) quoted.push_back("\"" + names[i] + "\"");
  if (names.size() <= most) return list_in_words(quoted, " or ");
  return list_in_words(quoted, ", ") + " and " + std::to_string(names.size() - most) + " more";
}

std::string with_article(const std::string& noun) {
  return (std::string("aeiou").find(noun.front()) != std::string::npos ? "an " : "a ") + noun;
}

}  // namespace saturn
