#include "sim/study/request.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <utility>

#include "models/values/sha256.hpp"
#include "models/values/text.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/fields/quantity_text.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/question/requirement.hpp"
#include "sim/run/read_platform.hpp"
#include "sim/study/reply.hpp"

namespace saturn {

namespace {

/// More would be beyond what the clock counts; some years.
constexpr double longest_budget_s = 1e8;

Seconds parsed_budget(const std::string& text) {
  const ReadQuantity read = read_quantity(text, Dimension::duration);
  if (read.reading == QuantityReading::good && read.value > 0.0) return Seconds{read.value};
  refuse_input("--budget", "option.not_a_quantity",
               "--budget is \"" + text +
                   "\"; a wall time above 0 needs its unit (s, min, h), for example \"30 s\". Without "
                   "--budget nothing ends early; `saturn check` answers by the formulas alone.");
}

}  // namespace

Budget::Budget(const std::optional<std::string>& text) {
  if (text) time_ = parsed_budget(*text);
}

Deadline Budget::deadline(double share) const {
  if (!time_) return std::nullopt;
  const std::chrono::duration<double> length(share * std::min(time_->value, longest_budget_s));
  return start_ + std::chrono::duration_cast<std::chrono::steady_clock::duration>(length);
}

bool Budget::allows(const std::function<void()>& extra) const {
  if (is_spent()) return false;
  try {
    extra();
    return true;
  } catch (const OutOfBudget&) {
    return false;
  } catch (const RunFailed& failed) {
    if (failed.exit_code() != ExitCode::precision_not_reached) throw;
    return false;
  }
}

void Complaints::add(const std::string& source, const std::string& code, const std::string& text) {
  all_.push_back({.source = source, .code = code, .text = text});
}

void Complaints::of(const std::function<void()>& check) {
  try {
    check();
  } catch (const InputError& error) {
    all_.insert(all_.end(), error.complaints().begin(), error.complaints().end());
  }
}

void Complaints::raise() const {
  if (!all_.empty()) throw InputError(all_);
}

OutputOptions output_options(const TypedCommand& typed) {
  OutputOptions output;
  typed.take_if_any("--format", output.format);
  typed.take_if_any("--out", output.out);
  typed.take_if_any("--force", output.force);
  typed.take_if_any("--quiet", output.quiet);
  typed.take_if_any("--details", output.details);
  return output;
}

ScenarioOptions scenario_options(const TypedCommand& typed) {
  ScenarioOptions scenario;
  typed.take_if_any("scenario", scenario.scenario);
  typed.take_if_any("--set", scenario.set);
  typed.take_if_any("--seed", scenario.seed);
  typed.take_if_any("--no-calibration-draws", scenario.fits_exact);
  scenario.command = typed.repeating_the_answer();
  return scenario;
}

MachineOptions machine_options(const TypedCommand& typed) {
  MachineOptions machine;
  typed.take_if_any("--workers", machine.processes);
  typed.take_if_any("--time-limit", machine.time_limit);
  typed.take_if_any("--memory-limit", machine.memory_limit);
  return machine;
}

RunLimits limits_of(const MachineOptions& options) {
  return {.time = parse_duration("--time-limit", options.time_limit),
          .memory_bytes = parse_memory("--memory-limit", options.memory_limit)};
}

namespace {

Method parsed_method(std::string_view word, const std::string& typed) {
  const auto found = std::find(method_words.begin(), method_words.end(), word);
  if (found != method_words.end()) return static_cast<Method>(found - method_words.begin());
  const std::vector<std::string> words(method_words.begin(), method_words.end());
  const std::string nearest = nearest_name(std::string(word), words);
  refuse_input("--method " + typed, "option.not_a_method",
               in_quotes(word) + " is no method; it takes one or several of " + joined(words) +
                   ", with commas between them" +
                   (nearest.empty() ? "." : "; did you mean " + in_quotes(nearest) + "?"));
}

/// What a typed option would do to simulations that there are none of.
void refuse_for_simulations(const TypedCommand& typed, const Methods& methods) {
  const OptionRow* sample = typed.find("--sample");
  const bool draws_points = sample != nullptr && !typed.values_of("--sample").empty();
  Complaints complaints;
  for (const std::string& option : typed.typed_where(&OptionRow::simulates)) {
    // A seed also draws the points of a sample.
    if (option == "--seed" && draws_points) continue;
    complaints.add(option, "option.needs_simulation",
                   option + " belongs to simulations, and --method " + methods.text() +
                       " simulates nothing: leave it out, or say --method " + methods.text() + ",simulation.");
  }
  complaints.raise();
}

}  // namespace

Methods asked_methods(const TypedCommand& typed, const Methods& usual) {
  std::optional<std::string> text;
  typed.take("--method", text);
  if (!text) return usual;
  Methods methods{};
  for (const std::string_view word : split_at(*text, ',')) methods.add(parsed_method(trimmed(word, " "), *text));
  if (methods.formulas_alone()) refuse_for_simulations(typed, methods);
  return methods;
}

void refuse_without_mva(const System& system) {
  const ReferencePoint point = reference_point(system, Method::mva);
  if (point.event_time_s) return;
  const std::string why = (point.remark.starts_with("does not") ? " " : " is ") + point.remark;
  refuse_input("--method mva", "option.no_formula",
               "Mean value analysis" + why + ". For this scenario --method takes bounds, simulation, or both.");
}

RunOptions run_options_of(const MachineOptions& machine, const RunLimits& limits, const ScenarioOptions& scenario,
                          const Deadline& deadline, Progress* progress) {
  return {.processes = machine.processes,
          .limits = limits,
          .command = scenario_command("run", scenario),
          .progress = progress != nullptr ? progress->callback() : nullptr,
          .deadline = deadline};
}

namespace {

constexpr double least_memory_bytes = 64e6;
constexpr double most_memory_bytes = 0x1p62;
constexpr double most_fraction = 100.0;
constexpr double default_slowdown = 0.01;

[[noreturn]] void complain(const std::string& option, const std::string& text, const std::string& code,
                           const std::string& allowed) {
  throw InputError(
      {{.source = option, .code = code, .text = option + " is \"" + text + "\"; " + allowed, .excerpt = ""}});
}

double parse(const std::string& option, const std::string& text, Dimension dimension, const std::string& allowed) {
  const ReadQuantity read = read_quantity(text, dimension);
  if (read.reading == QuantityReading::good && read.value > 0.0) return read.value;
  complain(option, text, "option.not_a_quantity", allowed);
}

}  // namespace

Seconds parse_duration(const std::string& option, const std::string& text) {
  return Seconds{parse(option, text, Dimension::duration,
                       "a duration above 0 needs its unit (ms, s, min, h), for example \"600 s\".")};
}

std::uint64_t parse_memory(const std::string& option, const std::string& text) {
  const double bytes =
      parse(option, text, Dimension::size, "a size above 0 needs its unit (MB, GB, MiB, GiB), for example \"8 GB\".");
  if (bytes < least_memory_bytes || bytes > most_memory_bytes) {
    complain(option, text, "option.out_of_range", "allowed is 64 MB to 4 EiB.");
  }
  return static_cast<std::uint64_t>(bytes);
}

UsdPerHour parse_price(const std::string& option, const std::string& text) {
  return UsdPerHour{
      parse(option, text, Dimension::price,
            "a price above 0 is in USD/h (/d, /month, /year), for example \"0.03 USD/h\"; no other currency is "
            "converted.")};
}

double parse_fraction(const std::string& option, const std::string& text) {
  double fraction = 0.0;
  const char* end = text.data() + text.size();
  const auto bare = std::from_chars(text.data(), end, fraction);
  const bool is_bare = bare.ec == std::errc{} && bare.ptr == end && fraction > 0.0 && std::isfinite(fraction);
  if (is_bare && fraction > 1.0)
    complain(option, text, "option.not_a_quantity", "above 1 a share needs its unit: did you mean \"" + text + " %\"?");
  if (!is_bare) {
    fraction = parse(option, text, Dimension::ratio, "a share above 0 is written as \"1 %\" or 0.01.");
  }
  if (!(fraction <= most_fraction)) complain(option, text, "option.out_of_range", "allowed is up to 10000 %.");
  return fraction;
}

double parse_slowdown(const std::optional<std::string>& text) {
  if (!text) return default_slowdown;
  if (const auto bare = bare_slowdown(*text)) refuse_input("--slowdown", "require.bare_slowdown", *bare);
  const double slowdown =
      parse("--slowdown", *text, Dimension::ratio, "the tolerated slowdown is a share above 0, written as \"1 %\".");
  if (!(slowdown <= most_fraction)) complain("--slowdown", *text, "option.out_of_range", "allowed is up to 10000 %.");
  return slowdown;
}

double parse_loss(const std::optional<std::string>& text) {
  const double loss = parse_fraction("--loss", text.value_or("0.1 %"));
  if (!(loss < 1.0))
    refuse_input("--loss " + *text, "option.out_of_range", "A plan may lose less than 100 % of the events.");
  return loss;
}

std::string name_of_scenario(const std::string& given) {
  if (given == "-") return "standard input";
  std::string name = std::filesystem::path(given).filename().string();
  if (name.ends_with(".json")) name.resize(name.size() - 5);
  return name;
}

std::vector<Override> overrides_of(const ScenarioOptions& options) {
  std::vector<Override> overrides;
  for (const std::string& text : options.set) overrides.push_back(parse_override(text));
  if (options.seed) overrides.push_back({.pointer = "/run/seed", .value = std::to_string(*options.seed)});
  return overrides;
}

ReadScenario load_scenario(const ScenarioOptions& options, Monitor& monitor) {
  ReadScenario read = read_scenario_file(options.scenario, overrides_of(options), read_platform_file);
  say_warnings(read.warnings, monitor);
  return read;
}

void say_warnings(const std::vector<Complaint>& warnings, Monitor& monitor) {
  for (const Complaint& warning : warnings) monitor.note("warning: " + warning.formatted() + "\n");
}

Provenance provenance_of(const ReadScenario& read, std::string command) {
  Provenance provenance = provenance_of(read.resolved, read.scenario.run.seed, std::move(command));
  for (const FittedFile& file : read.fitted_files) {
    FittedSource source{.path = file.path, .sha256 = sha256_hex(file.text), .fits = {}};
    for (const UsedFit& fit : read.fits)
      if (fit.file == file.path) source.fits.push_back(fit.name);
    provenance.fitted.push_back(std::move(source));
  }
  return provenance;
}

std::string seed_option(const std::optional<std::uint64_t>& seed) {
  return seed ? " --seed " + std::to_string(*seed) : "";
}

std::string scenario_command(const std::string& verb, const ScenarioOptions& options) {
  std::string command = "saturn " + verb;
  if (!options.scenario.empty()) command += " " + shell_word(options.scenario);
  for (const std::string& change : options.set) command += " --set " + shell_word(change);
  return command;
}

std::string reproducing_command(const std::string& verb, const ScenarioOptions& options) {
  return scenario_command(verb, options) + seed_option(options.seed);
}

std::string settings_of_replications(const RunControl& control, std::uint64_t replications, bool out_of_time) {
  if (!out_of_time && replications <= control.max_replications) return {};
  const std::string number = std::to_string(replications);
  return " --set /run/max_replications=" + number +
         (replications < control.min_replications ? " --set /run/min_replications=" + number : "");
}

}  // namespace saturn
