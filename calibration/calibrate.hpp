#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "calibration/fitted_law.hpp"
#include "calibration/import/measured_file.hpp"
#include "calibration/measured_batches.hpp"
#include "models/results/estimate.hpp"

namespace saturn {

/// Puts what happened between two readings of a server's counters in the place of the later one: files with counters
/// that follow each other are readings of the same server, each to be compared with the one before. The first of them
/// then says nothing by itself. A single reading stays as it is: everything since the server started.
/// @throws InputError  import.no_difference
std::vector<MeasuredFile> with_differences(std::vector<MeasuredFile> files);

// What is wrong with, or known beyond, the files that somebody gives together.

/// Refuses files that hold the same bytes: the same measurements twice would count as more of them.
/// @throws InputError  calibration.same_file, one for each that repeats another
void refuse_doubles(std::span<const MeasuredFile> files);

/// Sets the items that a request carried wherever the files do not say: perf_analyzer's -b, which its CSV leaves out.
/// @param batch  > 0 [item]
void set_batches(std::span<MeasuredFile> files, double batch);

// From measured files to fits: what belongs together is fitted together, and sources of the same quantity are
// compared.

/// Two sources of the same quantity.
struct SourceComparison {
  std::string quantity{};  ///< with its unit, "time of a batch of 8 items of resnet [s]"
  std::string first{};
  std::string second{};
  Estimate first_value{};   ///< [unit of the quantity]
  Estimate second_value{};  ///< [unit of the quantity]
  Estimate factor{};        ///< second / first [1]
  double p = 1.0;           ///< that they differ so much by chance
  bool contradict = false;
};

/// Parts of a time that were measured one by one, added up.
struct NumberSum {
  std::string text{};  ///< "7 s preprocessing + 2.03 s bandwidth + 0.4 s travel + 2.7 s gpu"
  Estimate total_s{};  ///< [s]
};

/// What the files say.
struct Calibration {
  std::vector<NamedFit> fits{};
  std::vector<NumberSum> sums{};
  std::vector<SourceComparison> comparisons{};
  std::vector<Complaint> left_out{};  ///< figures that tell nothing, each with its reason

  void leave_out(const std::vector<Complaint>& complaints) {
    left_out.insert(left_out.end(), complaints.begin(), complaints.end());
  }
};

/// What becomes of a model whose batch was measured once, so that nothing tells the error of its time.
enum class SingleRows {
  refused,
  with_usual_error,  ///< perf_analyzer takes a row once three windows agree within 10 %: that, evenly spread
};

/// @param model  name of the model where a file does not say; empty: made from the file's name
/// @throws InputError  calibration.nothing_to_fit: none of the files holds what a fit could be made from; every reason
Calibration calibrate(std::span<const MeasuredFile> files, const std::string& model,
                      SingleRows single = SingleRows::refused);

/// The law of batch times: fit_service_law() for several sizes, a time in proportion to the items for one.
/// @throws InputError  as fit_service_law(); calibration.too_few_points for a single time without an error
Fit fit_batches(std::span<const FitPoint> points, BatchTimeFrom from, const std::string& name,
                SingleRows single = SingleRows::refused);

/// The parts of a calibration: each adds its fits, comparisons and complaints.
void calibrate_services(std::span<const MeasuredFile> files, const std::string& model, Calibration& result,
                        SingleRows single = SingleRows::refused);
void calibrate_cpu_times(std::span<const MeasuredFile> files, Calibration& result);
void calibrate_networks(std::span<const MeasuredFile> files, Calibration& result);
void calibrate_closed_loops(std::span<const MeasuredFile> files, Calibration& result);
/// Adds up preprocessing, bandwidth, travel and gpu where a file gives all four: the offloaded module of the published
/// formula. A bandwidth that is a rate needs the number "data", the bytes of an event.
void calibrate_numbers(std::span<const MeasuredFile> files, Calibration& result);

/// Fits that share a name get a number: "ping", "ping 2".
void make_names_unique(std::vector<NamedFit>& fits);

/// Loads that were measured while several instances of a model shared a device.
struct SharedLoads {
  MeasuredFile file{};
  std::size_t instances = 2;  ///< of the model on the device, >= 2
};

/// Splits the service law of the loads' model into the part that occupies the device and the part of the host beside
/// it, by the load of the largest rate whose executed batches are known (calibration/fit/device_split.hpp): counted by
/// the server, or each a request, as with at most one client more than instances; and puts the split law in the law's
/// place.
/// @param model  that the loads are of, where their file does not say; empty: the only model that was fitted
/// @throws InputError  calibration.no_lone_law (no law of one instance was fitted for that model),
///                     calibration.no_shared_load (no load of two clients or more with a known request),
///                     calibration.unknown_batches (the server may have joined the requests of every load), and those
///                     of split_host_device()
void split_shared(const SharedLoads& shared, const std::string& model, Calibration& result);

}  // namespace saturn
