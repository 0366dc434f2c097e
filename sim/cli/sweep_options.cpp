#include "sim/cli/sweep_options.hpp"

#include <charconv>
#include <fmt/core.h>

#include "scenarios/complaint.hpp"
#include "scenarios/demands.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/option_quantity.hpp"

namespace saturn {

namespace {

constexpr std::uint64_t most_shards = 1'000'000;

std::optional<std::uint64_t> whole(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string Shard::name() const {
  return fmt::format("shard-{:04}-of-{:04}", number, of);
}

std::uint64_t SweepOptions::memory_of_a_point() const {
  return parse_memory("--point-memory", point_memory.value_or("8 GB"));
}

Shard parse_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string::npos) {
    const auto number = whole(std::string_view(text).substr(0, slash));
    const auto of = whole(std::string_view(text).substr(slash + 1));
    if (number && of && *number >= 1 && *number <= *of && *of <= most_shards) return {.number = *number, .of = *of};
  }
  throw InputError(
      {{.source = "--shard " + text,
        .code = "option.bad_shard",
        .text = "\"" + text +
                "\" names no shard; it takes I/N with whole numbers 1 <= I <= N <= 1000000: --shard 1/8 to "
                "--shard 8/8 are the eight parts of a sweep.",
        .excerpt = ""}});
}

PointAsked point_asked(const SweepOptions& options, const Scenario& scenario) {
  PointAsked asked{.plan = options.answer == "plan", .question = {}};
  // A map of clients per GPU needs no search for a number of GPUs at each of its points.
  asked.question.how_many_gpus = false;
  if (!asked.plan && options.slowdown)
    throw InputError({{.source = "--slowdown",
                       .code = "option.needs_plan",
                       .text = "A tolerated slowdown belongs to plans: add --answer plan, or leave --slowdown out.",
                       .excerpt = ""}});
  if (asked.plan && any_open(scenario))
    throw InputError(
        {{.source = "--answer plan",
          .code = "sweep.no_single_answer",
          .text = "Events arrive from outside at a pool of this scenario: there is no number of jobs to plan "
                  "for. Sweep /servers/0/devices/count with --answer run, or take the arrivals away with "
                  "--set /jobs/0/arrivals=null (and /jobs/0/buffer=null).",
          .excerpt = ""}});
  asked.question.slowdown = parse_slowdown(options.slowdown);
  return asked;
}

std::vector<std::string> sweep_words(const SweepOptions& options) {
  std::vector<std::string> words;
  const auto add = [&](const std::string& option, const std::string& value) {
    words.push_back(option);
    words.push_back(value);
  };
  for (const std::string& change : options.scenario.set) add("--set", change);
  if (options.scenario.seed) add("--seed", std::to_string(*options.scenario.seed));
  for (const std::string& axis : options.sweep.axes) add("--axis", axis);
  for (const std::string& condition : options.sweep.where) add("--where", condition);
  if (options.sweep.sample) add("--sample", std::to_string(*options.sweep.sample));
  if (options.sweep.sampling == Sampling::random) add("--sampling", "random");
  if (options.answer != "run") add("--answer", options.answer);
  if (options.slowdown) add("--slowdown", *options.slowdown);
  if (options.skip_refused) words.emplace_back("--skip-refused");
  return words;
}

std::string sweep_command_of(const SweepOptions& options) {
  std::string command = "saturn sweep " + shell_word(options.scenario.scenario);
  for (const std::string& word : sweep_words(options)) command += " " + shell_word(word);
  return command;
}

}  // namespace saturn
