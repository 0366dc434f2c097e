#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/import/measured_file.hpp"
#include "calibration/measured_case.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

// Rows of the user's own files, on their way to a measured case.

/// A measured configuration, and where it stands.
struct PlacedRow {
  FoundAt at{};
  double load = 0.0;  ///< jobs, or items in flight; rows are ordered by it
  MeasuredRow row{};
};

/// What one file gives for one scenario.
struct RowsOfFile {
  std::vector<PlacedRow> rows{};
  std::vector<std::string> notes{};   ///< each once
  std::vector<Complaint> left_out{};  ///< rows that cannot be simulated, each with its reason
  std::vector<Complaint> refusals{};  ///< why no row of the file can be

  /// Says something once, however many rows it is about; after 20 notes only that there are more.
  void note(const std::string& text);
  /// Leaves a row out.
  void leave_out(const FoundAt& at, const std::string& code, const std::string& text);
  /// Says why the file cannot be used, once.
  void refuse(const std::string& source, const std::string& code, const std::string& text);
};

/// Adds a value to the point, with its spread where the file has it ("..._sd", "..._sem"), unless the file lacks it or
/// it is 0, which no error can be relative to.
/// @param quantity  of measured_quantities(), also its name in the file
void add_measured(PublishedPoint& point, std::string_view quantity, const std::map<std::string, double>& measured);

/// A whole number from 1 to `most`, for a number that a file gives; nothing for another.
std::optional<std::uint64_t> whole_count(double value, std::uint64_t most);

/// Most jobs that a pool may have.
inline constexpr std::uint64_t most_jobs = 2'000'000;

/// The rows of (clients, event time or rate) as configurations of a scenario: the pool gets as many jobs as there were
/// clients, and where the row tells the event's time outside the offloaded module, and one CPU stage stands for it in
/// the pool, that stage takes that time.
/// @param pool  index of the pool whose jobs are the clients
RowsOfFile client_rows(const Scenario& scenario, const MeasuredFile& file, std::size_t pool);

/// True when the scenario's jobs do what a load generator does: one stream a job with one blocking call of the model,
/// and nothing else, so that a request of each is under way all the time.
bool is_load_generator(const Scenario& scenario, const std::string& model);

/// The loads of a file as configurations of a scenario. Where the scenario's jobs are such a load generator, one
/// blocking call and nothing else, they become as many as there were requests in flight; where they are not, they give
/// way to a load generator at their site, and the file's notes say so.
/// @param chosen  name of the model that loads are of; empty: the file's, or the only one that the jobs call
RowsOfFile load_rows(const Scenario& scenario, const MeasuredFile& file, const std::string& chosen);

/// What a server counted of its models, as the scenario as it stands: means in the server, and quantiles where it has
/// them. Those of a histogram lie in a bucket, and count where it is narrow.
/// @param chosen  name of the model that the counters are of; empty: their own, or the only one that the jobs call
RowsOfFile server_rows(const Scenario& scenario, const MeasuredFile& file, const std::string& chosen);

/// Measurements of the same load that no scenario can meet together: for every quantity the two that differ by the
/// largest factor, in a sentence with the factor and the number of such loads. Two differ when they are more than three
/// standard errors apart, or, where a file gives no errors, by more than a fifth. Times and rates of events whose own
/// times outside the module differ are not compared.
/// Cost: O(n·log n)
std::vector<Complaint> contradictions(std::span<const PlacedRow> rows);

}  // namespace saturn
