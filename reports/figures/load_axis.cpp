#include "reports/figures/load_axis.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "reports/number_text.hpp"

namespace saturn {

namespace {

constexpr double outer_share = 0.3;
constexpr double same_within = 1e-9;
constexpr double smallest_whole = 10.0;
constexpr double free_share = 0.04;

/// "gpu": as a part of a head.
std::string in_heads(const std::string& word) {
  std::string head;
  for (const char c : word)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      head += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return head.empty() ? "device" : head;
}

}  // namespace

LoadAxis load_axis(const SystemFacts& facts) {
  LoadAxis axis{.title = "clients", .head = "clients"};
  if (facts.devices > 0.0 && std::isfinite(facts.devices)) {
    axis.devices = facts.devices;
    axis.title += " per " + facts.device_word;
    axis.head += "_per_" + in_heads(facts.device_word);
  }
  if (facts.jobs > 0.0 && facts.clients > 0.0) axis.per_job = facts.clients / facts.jobs;
  axis.low_head = axis.head + "_low";
  axis.high_head = axis.head + "_high";
  return axis;
}

std::string plan_number(double clients) {
  // A hair below a whole number is that number: rounding errors must not take a client away.
  return clients >= smallest_whole ? whole_text(std::floor(clients * (1.0 + 1e-12))) : compact_number(clients, 3);
}

std::string counted_load(const std::string& number, const LoadAxis& axis) {
  const std::string plural = "clients";
  std::string words = axis.title;
  if (number == "1" && words.starts_with(plural)) words.erase(plural.size() - 1, 1);
  return number + " " + words;
}

std::vector<double> ends_from_zero(const std::vector<double>& values) {
  double low = 0.0;
  double high = 0.0;
  for (const double value : values) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (!(high > low)) high = low + 1.0;
  // Half of it first, since the largest doubles have no room above them.
  return {low, high < std::numeric_limits<double>::max() / 2 ? high + free_share * (high - low) : high};
}

std::string plan_label(const SaturationStudy& study, const LoadAxis& axis) {
  if (!study.knee || !std::isfinite(study.knee->mean)) return "";
  const bool whole = study.knee->mean >= smallest_whole;
  const auto end = [&](double value) { return whole ? whole_text(value) : compact_number(value, 3); };
  const std::string low = end(study.knee->low);
  const std::string high = end(study.knee->high);
  const std::string interval = low == high ? "" : " (" + low + " to " + high + ")";
  return "plan: " + counted_load(plan_number(study.knee->mean) + interval, axis);
}

std::string text_alignment(double place, double low, double high) {
  if (!(high > low)) return "center";
  const double share = (place - low) / (high - low);
  if (share < outer_share) return "left";
  return share > 1.0 - outer_share ? "right" : "center";
}

std::vector<double> ends_of_constant(const std::vector<double>& values) {
  if (values.empty()) return {};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (*high - *low > same_within * std::max(std::abs(*low), std::abs(*high))) return {};
  if (*low == 0.0) return {-1.0, 1.0};
  return *low > 0.0 ? std::vector<double>{0.0, 2.0 * *low} : std::vector<double>{2.0 * *low, 0.0};
}

RowCell number_cell(double value) {
  return std::isfinite(value) ? RowCell(value) : RowCell();
}

RowCell number_cell(const std::optional<double>& value) {
  return value ? number_cell(*value) : RowCell();
}

bool has_times(const SimulatedLoad& load) {
  return !load.summary.all_jobs.times_grow && std::isfinite(load.summary.all_jobs["event_time_s"].mean);
}

std::string simulation_words(const SaturationStudy& study) {
  const double confidence =
      study.simulated.empty() ? 0.95 : study.simulated.front().summary.all_jobs["event_time_s"].confidence;
  return "simulation, " + percent_text(confidence) + " interval";
}

}  // namespace saturn
