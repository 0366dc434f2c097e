#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "calibration/import/measured_file.hpp"

/// The rate of a closed loop: a load generator whose clients each send the next request when they have the answer to
/// the last keeps so many items in flight all the time, so that its rate is that number over the mean latency. It is
/// no law of open loops, nor of jobs that also compute.

namespace saturn {

/// One load of a load generator.
struct ClosedLoopRate {
  double in_flight = 0.0;      ///< concurrency · items of a request [item], > 0
  double latency_s = 0.0;      ///< mean, > 0
  double printed_per_s = 0.0;  ///< items/s as the tool counted them, > 0
  std::string at{};            ///< what notes call the load

  /// By Little's law [item/s].
  double per_s() const { return in_flight / latency_s; }
  /// Share of that rate which the printed one lacks; below 0 it is larger [1].
  double lacks() const { return 1.0 - printed_per_s / per_s(); }
};

/// Rate and printed rate of a load differ by no more than this share, or the load is marked.
inline constexpr double printed_rate_within = 0.05;

/// What the printed rates lack is R/W where only requests that begin and end within a window of W are counted.
struct CountWindow {
  double window_s = 0.0;    ///< W
  double half_width = 0.0;  ///< of its 95 % interval [s]
  std::size_t rows = 0;

  double lacks(double latency_s) const { return latency_s / window_s; }
};

/// Fits lacks() = R/W to three loads or more by least squares through the origin. Nothing where the printed rates do
/// not clearly fall behind in proportion to the latency: by five standard errors, with residuals below half of what is
/// explained, and by 1 % somewhere.
std::optional<CountWindow> count_window(std::span<const ClosedLoopRate> loads);

/// "The printed rates are low by R/W, R the mean latency and W = 2.04 ± 0.19 s, by 5.1 % at most", where there is such
/// a window; and which loads differ beyond printed_rate_within, unless that explains them. Empty where all agree.
std::string rates_in_words(std::span<const ClosedLoopRate> loads);

/// Puts the rate by Little's law in the place of the printed one, which LoadPoint::printed_per_s keeps: of loads with a
/// concurrency, a mean latency and known items of a request. A load whose two rates differ by more than a fifth, with
/// no count window that says why, keeps the printed one: its numbers do not belong together. Notes say both; notes and
/// rates of an earlier call are taken back first.
void take_rates_of_loops(MeasuredFile& file);

/// Which runs of a file that does not give the items of a request get one number of them.
enum class ItemsFor {
  every_run,
  biased_runs,  ///< those whose printed rates fall behind; the others keep what each row tells
};

/// What infer_request_items() says.
struct InferredItems {
  std::vector<std::string> notes{};
  std::vector<Complaint> refusals{};  ///< of ItemsFor::every_run alone
};

/// Gives all loads of a file that lacks the items of a request (perf_analyzer's CSV) the same number of them, and says
/// which in a note; loads of several runs or models in one file are taken by themselves. By Little's law every row
/// tells rate · latency / concurrency items. A printed rate that falls behind the true one in proportion to the
/// latency, as perf_analyzer's does, makes that fall on a line; where the rows show one (slope below 0 by three
/// standard errors), the items are the line's value at no latency, else the rows' mean; then the nearest whole number.
/// Refuses the file where a row is more than 15 % off, since its requests then had different sizes, and where that
/// number would be 0; the user says the items with --batch. The rates then are those of take_rates_of_loops().
InferredItems infer_request_items(MeasuredFile& file, ItemsFor which);

}  // namespace saturn
