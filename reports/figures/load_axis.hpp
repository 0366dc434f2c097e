#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/figures/figure.hpp"
#include "reports/figures/saturation_study.hpp"

namespace saturn {

/// The axis that curves of a study have in common: clients per device, or clients where there are no devices.
struct LoadAxis {
  double devices = 0.0;    ///< 0: there are none
  double per_job = 1.0;    ///< clients of one job
  std::string title{};     ///< "clients per GPU"
  std::string head{};      ///< its column, "clients_per_gpu"
  std::string low_head{};  ///< "clients_per_gpu_low"
  std::string high_head{};

  double of_clients(double clients) const { return devices > 0.0 ? clients / devices : clients; }
  double of_jobs(double jobs) const { return of_clients(jobs * per_job); }
};

LoadAxis load_axis(const SystemFacts& facts);

/// Clients per device as a plan says them: whole, rounded down, from 10 on.
std::string plan_number(double clients);

/// "68 clients per GPU", "1 client per CPU".
/// @param number  as it is written
std::string counted_load(const std::string& number, const LoadAxis& axis);

/// What an axis of loads, or of rates, covers: from 0 to a bit more than the largest.
/// @param values  finite
/// @returns  (2) ends
std::vector<double> ends_from_zero(const std::vector<double>& values);

/// "plan: 68 (66 to 70) clients per GPU"; empty where the study has no knee.
std::string plan_label(const SaturationStudy& study, const LoadAxis& axis);

/// Where the words stand that belong to a place of an axis, so that they stay within the figure: "left", "center" or
/// "right".
std::string text_alignment(double place, double low, double high);

/// What an axis covers where all values are the same: a single value has no extent of its own.
/// @param values  finite
/// @returns  (2) ends; none where values differ
std::vector<double> ends_of_constant(const std::vector<double>& values);

/// A number for a cell; empty where it is not finite.
RowCell number_cell(double value);
RowCell number_cell(const std::optional<double>& value);

/// Whether an event time was simulated that means something: it is finite, and does not only grow.
bool has_times(const SimulatedLoad& load);

/// "simulation, 95 % interval", with the confidence of the first load.
std::string simulation_words(const SaturationStudy& study);

}  // namespace saturn
