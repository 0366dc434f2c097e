#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "scenarios/complaint.hpp"
#include "scenarios/embedded_file.hpp"
#include "scenarios/platform_network.hpp"
#include "scenarios/scenario.hpp"
#include "scenarios/used_fit.hpp"

namespace saturn {

/// Splits "/json/pointer=value".
/// @throws InputError set.not_an_override
Override parse_override(const std::string& text);

/// "/json/pointer=value".
std::string text_of(const Override& setting);

struct ReadScenario {
  Scenario scenario;
  /// The document as it was decoded: overrides applied, the values of model configurations
  /// and law files and of fits in their places, comments gone, keys sorted. Traces of arrivals and a platform file
  /// stand in it by name and fingerprint. It holds no `sweep`, which changes no answer.
  std::string resolved;
  std::vector<Complaint> warnings;  ///< worth saying, not worth refusing
  std::vector<UsedFit> fits{};      ///< of fitted parameter files, each once
  std::vector<FittedFile> fitted_files{};
  /// Decodes the document once more, with values changed after all files are in their places, so that the value of a
  /// fit can be another. Throws InputError like the reader. Cost: some 0.2 ms
  std::function<Scenario(std::span<const Override>)> again{};
  /// `resolved` with these values changed, unchecked. Cost: some 0.1 ms
  std::function<std::string(std::span<const Override>)> resolved_again{};
  /// A complaint that shows where a JSON pointer of the `sweep` block stands in the file; there if the scenario has
  /// such a block.
  std::function<Complaint(const std::string& pointer, const std::string& code, const std::string& text)> about_sweep{};
};

/// Reads, decodes and validates a scenario; `name` is what complaints call the text. Files that it names are looked for
/// in the folder of `name`.
/// @param reader  of SimGrid platform files; without one, naming such a file is a mistake
/// @throws InputError  every complaint at once
ReadScenario read_scenario_text(const std::string& text, const std::string& name, std::span<const Override> overrides,
                                const PlatformReader& reader = {});

/// The same from a file (at most 16 MiB). A bare name of a shipped scenario ("protodune-big-batch", with or without
/// ".json") is read from the program when no such file exists.
ReadScenario read_scenario_file(const std::string& path, std::span<const Override> overrides,
                                const PlatformReader& reader = {});

/// The shipped scenarios, sorted by name; generated from scenarios/library at build time.
std::span<const EmbeddedFile> shipped_scenarios();

/// JSON Schema (draft 2020-12) of a scenario, from the field table.
std::string scenario_schema();

/// docs/scenario-reference.md, from the field table.
std::string scenario_reference();

}  // namespace saturn
