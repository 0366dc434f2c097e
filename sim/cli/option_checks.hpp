#pragma once

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace saturn {

/// Accepts whole numbers from `least` to `most`, and says so when it does not.
inline CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  return {[least, most](std::string& text) -> std::string {
            std::uint64_t value = 0;
            const char* end = text.data() + text.size();
            const auto [stop, failed] = std::from_chars(text.data(), end, value);
            if (failed == std::errc{} && stop == end && value >= least && value <= most) return {};
            return "\"" + text + "\" is not allowed; it takes a whole number from " + std::to_string(least) + " to " +
                   std::to_string(most);
          },
          ""};
}

/// --batch N of the verbs that read loads.
inline void add_batch_option(CLI::App& verb, std::optional<std::uint64_t>& batch) {
  verb.add_option("--batch", batch,
                  "Items that a request carried, perf_analyzer's -b, where a file does not say; else from Little's law")
      ->check(whole_number(1, 1'000'000'000))
      ->type_name("N");
}

/// Accepts the words of a map and turns them into its values' numbers.
template <class Value>
CLI::Validator one_of(const std::map<std::string, Value>& words) {
  return {[words](std::string& text) -> std::string {
            const auto found = words.find(text);
            if (found != words.end()) {
              text = std::to_string(static_cast<int>(found->second));
              return {};
            }
            std::string allowed;
            for (const auto& [word, value] : words) allowed += (allowed.empty() ? "" : ", ") + word;
            return "\"" + text + "\" is not allowed; it takes one of: " + allowed;
          },
          ""};
}

}  // namespace saturn
