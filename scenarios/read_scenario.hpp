#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/laws/parameter_spread.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/text_files.hpp"
#include "scenarios/scenario.hpp"
#include "scenarios/topology/simgrid_platform.hpp"

namespace saturn {

/// What a fit can stand for in a scenario.
enum class FitKind {
  service_law,
  time,
  bandwidth,
  count,
  closed_loop,  ///< nothing: it tells t_ideal and the bottleneck's demand, not which resource that is
};

/// "service law", "time", "bandwidth", "count", "closed loop": as fitted files call it.
const char* name_of(FitKind kind);

/// The kind of that name; nothing for another word.
std::optional<FitKind> find_fit_kind(std::string_view name);

/// A fit of a fitted parameter file that a scenario uses, at one place or several. Its parameters are drawn together.
struct UsedFit {
  std::string file{};  ///< as it was opened
  std::string name{};  ///< in the file
  FitKind kind = FitKind::time;
  std::string about{};  ///< how its share of an interval is named: "GPU times of resnet"
  std::string value{};  ///< what stands in the scenario's place, as JSON text
  FittedParameters parameters{};
  std::vector<std::string> at{};                   ///< (n) JSON pointers into the value
  std::vector<std::string> units{};                ///< (n) "s", "B/s", "B", "1/s" or "" of a bare number
  std::optional<ParameterInterval> batch_items{};  ///< range of validity of a service law [item]; absent: none is known
  std::vector<std::string> places{};               ///< JSON pointers of the scenario, in the order of the document
};

/// A fitted parameter file as it was read.
struct FittedFile {
  std::string path{};  ///< as it was opened
  std::string text{};  ///< its bytes
};

/// The value of a fit with other values of its parameters.
/// @param parameters  (n) in the fit's order and units
/// @returns a value as a `--set` option spells it
std::string value_with(const UsedFit& fit, const std::vector<double>& parameters);

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
