#include "reports/batch_scripts.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <stdexcept>

#include "reports/number_text.hpp"
#include "reports/shell_word.hpp"
#include "reports/yaml_text.hpp"

namespace saturn {

namespace {

constexpr std::uint64_t batch_mebibyte = 1u << 20u;

// Each shard is one call of shard.sh, whoever makes it. GNU parallel is told by its version: moreutils has another
// program of that name.
constexpr std::string_view local_pattern = R"sh(#!/bin/sh
# Computes all shards on this machine, then merges them: sh run-local.sh [SHARDS AT A TIME]
# Interrupted or killed, it goes on where it was when it is called again.
@about@
set -u
cd -- "$(dirname -- "$0")" || exit 2
cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
at_once=${1:-$(( (cores + @cores@ - 1) / @cores@ ))}
mkdir -p logs
trap 'exit 130' INT TERM

shard=1
while [ "$shard" -le @shards@ ]; do
  echo "$shard"
  shard=$((shard + 1))
done |
  if parallel --version 2>/dev/null | grep -q 'GNU parallel'; then
    # An interrupt lets running points finish: the shards have half a minute for it.
    parallel --will-cite --termseq TERM,30000,KILL -j "$at_once" \
      'sh ./shard.sh {} --workers @cores@ >>logs/shard-{}.txt 2>&1'
  else
    xargs -P "$at_once" -I '{}' sh -c 'sh ./shard.sh {} --workers @cores@ >>logs/shard-{}.txt 2>&1'
  fi || echo "run-local.sh: some shards did not finish; see logs/" >&2
exec sh ./merge.sh
)sh";

bool is_value_name(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

std::string sweep_words(const BatchSweep& sweep) {
  std::string words = "sweep " + shell_word(sweep.scenario);
  for (const std::string& option : sweep.options) {
    // An option and its value share a line.
    words += (option.starts_with("--") ? " \\\n  " : " ") + shell_word(option);
  }
  return words;
}

}  // namespace

std::string filled_text(std::string_view pattern, const BatchValues& values) {
  std::string text;
  while (!pattern.empty()) {
    const std::size_t begin = pattern.find('@');
    const std::size_t end = begin == std::string_view::npos ? begin : pattern.find('@', begin + 1);
    if (end == std::string_view::npos) break;
    const std::string_view name = pattern.substr(begin + 1, end - begin - 1);
    if (!is_value_name(name)) {
      text += pattern.substr(0, end);
      pattern.remove_prefix(end);
      continue;
    }
    const auto value = values.find(name);
    if (value == values.end()) throw std::logic_error("batch files: no value of " + std::string(name));
    text.append(pattern.substr(0, begin)).append(value->second);
    pattern.remove_prefix(end + 1);
  }
  return text.append(pattern);
}

BatchValues batch_values(const BatchSweep& sweep) {
  const std::string title = sweep.title.empty() ? "A sweep" : sweep.title;
  std::string about = title + ": " + whole_text(sweep.points) + " points in " + whole_text(sweep.shards) +
                      " shards. Made by saturn " + sweep.version + ".";
  // HTCondor goes on with a comment in the next line where this one ends in a backslash.
  std::replace(about.begin(), about.end(), '\\', '/');
  about = yaml_comment(about);
  if (about.ends_with('\n')) about.pop_back();
  return {{"about", about},
          {"directory", shell_word(sweep.directory)},
          {"folder", shell_word(sweep.folder)},
          {"program", shell_word(sweep.program)},
          {"words", sweep_words(sweep)},
          {"shards", std::to_string(sweep.shards)},
          {"points", whole_text(sweep.points)},
          {"cores", std::to_string(sweep.cores)},
          {"memory_mib", std::to_string((sweep.memory + batch_mebibyte - 1) / batch_mebibyte)},
          {"title", title},
          {"version", sweep.version}};
}

BatchFile local_script(const BatchSweep& sweep) {
  return {"run-local.sh", filled_text(local_pattern, batch_values(sweep))};
}

std::string shard_folder(std::uint64_t shard, std::uint64_t shards) {
  const std::size_t digits = std::max<std::size_t>(4, std::to_string(shards).size());
  return fmt::format("shard-{:0{}}", shard, digits);
}

std::uint64_t merge_memory_mib(const BatchSweep& sweep) {
  constexpr std::uint64_t bytes_a_point = 16384;
  return 1024 + sweep.points / (batch_mebibyte / bytes_a_point);
}

}  // namespace saturn
