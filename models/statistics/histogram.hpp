#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace saturn {

/// How many durations there were, their sum, and the longest.
struct DurationTotals {
  std::uint64_t count = 0;
  double sum_s = 0.0;
  double max_s = 0.0;
};

/// Histogram of durations with bins of equal relative width (at most 0.8 %), for quantiles of millions of latencies in
/// a few kilobytes: only the range of bins between the shortest and the longest is kept. Each bin keeps the mean and
/// the variance of its values too, and a quantile is what its rank would be were they evenly spaced: exact when all
/// values of a bin are equal, and far nearer than a bin's width where they are dense. (The mean alone hardly differs
/// between replications while the quantile stays in its bin: their interval was a hundred times narrower than the bin.)
/// Domain: finite durations >= 0 [s]; whatever is below 2^-40 s shares the first bin, above 2^40 s the last.
class LogHistogram {
 public:
  void add(double duration_s);
  /// Adds all durations of another one.
  void add(const LogHistogram& other);
  std::uint64_t count() const { return totals_.count; }
  double sum_s() const { return totals_.sum_s; }
  double max_s() const { return totals_.max_s; }
  const DurationTotals& totals() const { return totals_; }

  /// The q-quantile [s]: the value of rank ceil(q·n), as its bin says it. @param q in (0, 1]; count() > 0
  double quantile_s(double q) const;

  /// The same between two values [s]: at rank q·(n + 1), where the q-quantile of n independent draws lies on average,
  /// by a straight line between the values of the ranks beside it.
  double quantile_between_s(double q) const;

  /// What this histogram holds beyond `earlier`, an older copy of it. max_s stays that of the whole.
  LogHistogram since(const LogHistogram& earlier) const;

 private:
  friend class HistogramHistory;
  struct Bin {
    std::uint64_t count = 0;
    double sum_s = 0.0;
    // Of the places in the bin, counted in cells from its lower edge: whole numbers, so that equal values have no
    // variance, and differences lose nothing.
    std::uint64_t cells = 0;
    std::uint64_t squared_cells = 0;

    void add(const Bin& other);
    void subtract(const Bin& other);
    double at_rank_s(std::uint64_t rank, std::size_t number) const;
  };
  [[gnu::cold, gnu::noinline]] Bin& bin_at(std::size_t number);
  double at_rank_s(std::uint64_t rank) const;

  std::vector<Bin> bins_;
  std::size_t first_ = 0;  // number of bins_[0]
  DurationTotals totals_;
};

/// What a histogram that only grows held at many dates: of each date the bins alone that had grown since the one
/// before.
class HistogramHistory {
 public:
  /// Keeps what it holds now. @param now  what it held at the date before, and more
  void keep(const LogHistogram& now);
  /// What it held, to the last bit. @param date  number of its keep(), from 0
  LogHistogram at(std::size_t date) const;

 private:
  struct Growth {
    std::size_t number = 0;  // of the bin
    LogHistogram::Bin bin;   // as it was then
  };
  struct Date {
    DurationTotals totals;
    std::size_t growths = 0;  // up to it
  };
  std::deque<Growth> growths_;  // thousands that are added one by one: a vector's copies would cost more than they do
  std::vector<Date> dates_;
  std::vector<std::uint64_t> counts_;  // of the bins at the last date
  std::size_t first_ = 0;              // number of counts_[0]
};

/// The non-descending sequence nearest to the values by weighted least squares: neighbours that descend share their
/// weighted mean.
/// @param weights  (n) > 0
/// @throws std::invalid_argument  not as many weights as values
/// Source  pool-adjacent-violators; R. E. Barlow et al., Statistical Inference under Order Restrictions (1972)
std::vector<double> non_descending(std::span<const double> values, std::span<const double> weights);

}  // namespace saturn
