#include "calibration/import/triton/perf_command.hpp"

#include <vector>

#include "calibration/import/imported_text.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

std::vector<std::string_view> words(std::string_view line) {
  constexpr std::size_t most_words = 500;
  std::vector<std::string_view> result;
  while (result.size() < most_words) {
    line = trimmed(line);
    if (line.empty()) break;
    const std::size_t end = line.find_first_of(" \t");
    result.push_back(line.substr(0, end));
    line.remove_prefix(result.back().size());
  }
  return result;
}

bool is_program(std::string_view word) {
  word = word.substr(word.find_last_of("/#$>") + 1);
  return word == "perf_analyzer" || word == "perf_client";
}

// The value of an option: "-b 2", "-b=2".
std::optional<std::string_view> value_of(const std::vector<std::string_view>& words, std::size_t at,
                                         std::string_view option) {
  if (words[at] == option) return at + 1 < words.size() ? words[at + 1] : std::string_view();
  if (words[at].starts_with(option) && words[at].substr(option.size()).starts_with('='))
    return words[at].substr(option.size() + 1);
  return std::nullopt;
}

}  // namespace

std::optional<PerfCommand> perf_command(std::string_view line) {
  if (line.find("perf_analyzer") == std::string_view::npos && line.find("perf_client") == std::string_view::npos)
    return std::nullopt;
  const auto all = words(line);
  PerfCommand command;
  bool named = false;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (!named) {
      named = is_program(all[k]);
      continue;
    }
    if (const auto model = value_of(all, k, "-m")) command.model = *model;
    if (const auto batch = value_of(all, k, "-b")) {
      const auto items = plain_number(*batch);
      if (items && *items > 0.0) command.batch = items;
    }
    if (const auto percentile = value_of(all, k, "--percentile")) {
      const auto value = plain_number(*percentile);
      if (value && *value >= 1.0 && *value <= 99.0) command.percentile = static_cast<int>(*value);
    }
  }
  if (command.model.empty() || command.model.front() == '<' || command.model.front() == '$') return std::nullopt;
  return command;
}

}  // namespace saturn
