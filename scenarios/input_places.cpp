#include "scenarios/input_places.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "scenarios/document.hpp"

namespace saturn {

namespace {

/// How the values at a pattern are written.
enum class Written { number, whole, time, count, speed, arrivals, numbers, points, price };

struct Pattern {
  std::string_view pointer;  ///< "*" stands for any key or index
  Written written;
};

constexpr std::array patterns{
    Pattern{"/jobs/*/speed", Written::speed},
    Pattern{"/jobs/*/events_per_job", Written::whole},
    Pattern{"/jobs/*/job_setup", Written::number},
    Pattern{"/jobs/*/arrivals", Written::arrivals},
    Pattern{"/jobs/*/event/*/cpu", Written::time},
    Pattern{"/jobs/*/event/*/items", Written::count},
    Pattern{"/jobs/*/event/*/cpu_alternative", Written::number},
    Pattern{"/jobs/*/event/*/item_lengths", Written::numbers},
    Pattern{"/jobs/*/event/*/client_cost/per_request", Written::number},
    Pattern{"/jobs/*/event/*/client_cost/per_item", Written::number},
    Pattern{"/models/*/input", Written::number},
    Pattern{"/models/*/output", Written::number},
    Pattern{"/models/*/service/*/per_batch", Written::time},
    Pattern{"/models/*/service/*/per_item", Written::time},
    Pattern{"/models/*/service/*/points", Written::points},
    Pattern{"/models/*/service/*/scatter", Written::number},
    Pattern{"/models/*/service/*/host/per_batch", Written::number},
    Pattern{"/models/*/service/*/host/per_item", Written::number},
    Pattern{"/servers/*/nic", Written::number},
    Pattern{"/servers/*/host/per_request", Written::number},
    Pattern{"/servers/*/host/per_item", Written::number},
    Pattern{"/servers/*/host/workers", Written::number},
    Pattern{"/servers/*/host/scatter", Written::number},
    Pattern{"/servers/*/devices/interference", Written::number},
    Pattern{"/servers/*/attached/bus", Written::number},
    Pattern{"/servers/*/attached/latency", Written::number},
    Pattern{"/servers/*/host_price", Written::price},
    Pattern{"/devices/*/contention", Written::number},
    Pattern{"/devices/*/price", Written::price},
    Pattern{"/devices/*/power", Written::price},
    Pattern{"/costs/core", Written::price},
    Pattern{"/costs/core_power", Written::price},
    Pattern{"/costs/electricity", Written::price},
    Pattern{"/network/sites/*/uplink", Written::number},
    Pattern{"/network/sites/*/egress", Written::price},
    Pattern{"/network/links/*/bandwidth", Written::number},
    Pattern{"/network/links/*/bandwidth_back", Written::number},
    Pattern{"/network/links/*/rtt", Written::number},
    Pattern{"/network/links/*/per_flow", Written::number},
};

/// What is left of the keys behind a pattern that they begin with.
std::optional<std::vector<std::string>> behind(const Pattern& pattern, const std::vector<std::string>& keys) {
  const std::vector<std::string> wanted = split_pointer(pattern.pointer);
  if (keys.size() < wanted.size()) return std::nullopt;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i] != "*" && wanted[i] != keys[i]) return std::nullopt;
  return std::vector<std::string>(keys.begin() + static_cast<std::ptrdiff_t>(wanted.size()), keys.end());
}

bool is_one_of(const std::vector<std::string>& rest, std::initializer_list<std::vector<std::string>> known) {
  return std::find(known.begin(), known.end(), rest) != known.end();
}

/// Distributions name their law, then their parameters.
std::optional<InputForm> form_of_time(const std::vector<std::string>& rest) {
  if (rest.empty()) return InputForm::number;
  if (is_one_of(rest, {{"constant"},
                       {"exponential", "mean"},
                       {"gamma", "mean"},
                       {"gamma", "cv"},
                       {"lognormal", "mean"},
                       {"lognormal", "cv"}}))
    return InputForm::number;
  if (is_one_of(rest, {{"uniform"}, {"empirical"}})) return InputForm::numbers;
  return std::nullopt;
}

std::optional<InputForm> form_of_count(const std::vector<std::string>& rest) {
  if (rest.empty()) return InputForm::whole;
  if (is_one_of(rest, {{"poisson", "mean"}, {"geometric", "mean"}, {"lognormal", "mean"}, {"lognormal", "cv"}}))
    return InputForm::number;
  if (is_one_of(rest, {{"values"}})) return InputForm::wholes;
  return std::nullopt;
}

std::optional<InputForm> form_of_speed(const std::vector<std::string>& rest) {
  if (rest.empty() || is_one_of(rest, {{"lognormal", "mean"}, {"lognormal", "cv"}})) return InputForm::number;
  if (is_one_of(rest, {{"uniform"}, {"values"}})) return InputForm::numbers;
  return std::nullopt;
}

std::optional<InputForm> form_of_arrivals(const std::vector<std::string>& rest) {
  if (is_one_of(rest, {{"poisson", "rate"}, {"constant", "rate"}, {"gamma", "rate"}, {"gamma", "cv"}}))
    return InputForm::number;
  if (is_one_of(rest, {{"profile"}})) return InputForm::profile;
  return std::nullopt;
}

std::optional<InputForm> form_of(Written written, const std::vector<std::string>& rest) {
  const auto itself = [&](InputForm form) { return rest.empty() ? std::optional(form) : std::nullopt; };
  switch (written) {
    case Written::number:
      return itself(InputForm::number);
    case Written::price:
      return rest.empty() || rest == std::vector<std::string>{"value"} ? std::optional(InputForm::number)
                                                                       : std::nullopt;
    case Written::whole:
      return itself(InputForm::whole);
    case Written::numbers:
      return itself(InputForm::numbers);
    case Written::points:
      return itself(InputForm::points);
    case Written::time:
      return form_of_time(rest);
    case Written::count:
      return form_of_count(rest);
    case Written::speed:
      return form_of_speed(rest);
    case Written::arrivals:
      break;
  }
  return form_of_arrivals(rest);
}

}  // namespace

std::optional<InputPlace> input_place(const std::vector<std::string>& keys) {
  for (const Pattern& pattern : patterns) {
    const auto rest = behind(pattern, keys);
    if (!rest) continue;
    if (const auto form = form_of(pattern.written, *rest))
      return InputPlace{.form = *form, .simulated = pattern.written != Written::price};
  }
  return std::nullopt;
}

}  // namespace saturn
