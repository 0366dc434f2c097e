#include "models/statistics/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace saturn {

namespace {

constexpr int octaves = 80;  // 2^-40 s to 2^40 s
constexpr int lowest_exponent = -40;
constexpr int bits_per_octave = 7;  // 128 bins an octave
constexpr std::size_t bin_count = static_cast<std::size_t>(octaves) << bits_per_octave;

// The exponent and the leading mantissa bits of a double, read as an integer, count bins of equal relative width.
constexpr int mantissa_shift = 52 - bits_per_octave;
constexpr std::uint64_t first_key = static_cast<std::uint64_t>(1023 + lowest_exponent) << bits_per_octave;
// The next bits count cells of equal width in a bin: sums of their squares fit for 10^12 durations.
constexpr int bits_per_bin = 12;

std::size_t bin_of(double duration_s) {
  const std::uint64_t key = std::bit_cast<std::uint64_t>(duration_s) >> mantissa_shift;
  if (key < first_key) return 0;
  return std::min<std::size_t>(key - first_key, bin_count - 1);
}

std::uint64_t cell_of(double duration_s) {
  constexpr std::uint64_t last = (std::uint64_t{1} << bits_per_bin) - 1;
  return std::bit_cast<std::uint64_t>(duration_s) >> (mantissa_shift - bits_per_bin) & last;
}

double lower_edge_s(std::size_t number) {
  return std::bit_cast<double>((first_key + number) << mantissa_shift);
}

}  // namespace

void LogHistogram::Bin::add(const Bin& other) {
  count += other.count;
  sum_s += other.sum_s;
  cells += other.cells;
  squared_cells += other.squared_cells;
}

void LogHistogram::Bin::subtract(const Bin& other) {
  count -= other.count;
  sum_s -= other.sum_s;
  cells -= other.cells;
  squared_cells -= other.squared_cells;
}

double LogHistogram::Bin::at_rank_s(std::uint64_t rank, std::size_t number) const {
  const auto n = static_cast<double>(count);
  const double mean_s = sum_s / n;
  const auto first_moment = static_cast<double>(cells);
  const double spread = n * static_cast<double>(squared_cells) - first_moment * first_moment;  // n² times the variance
  // Values within a cell or two are equal but for rounding errors; the outermost bins have no cells of their own.
  if (spread <= n * n || number == 0 || number == bin_count - 1) return mean_s;
  const double lower_s = lower_edge_s(number);
  const double upper_s = lower_edge_s(number + 1);
  const double cell_s = std::ldexp(upper_s - lower_s, -bits_per_bin);
  const double step_s = cell_s * std::sqrt(12.0 * spread / (n * n * (n * n - 1.0)));
  return std::clamp(mean_s + step_s * (static_cast<double>(rank) - 0.5 * (n + 1.0)), lower_s, upper_s);
}

LogHistogram::Bin& LogHistogram::bin_at(std::size_t number) {
  if (bins_.empty()) first_ = number;
  if (number < first_) {
    bins_.insert(bins_.begin(), first_ - number, {});
    first_ = number;
  }
  if (number - first_ >= bins_.size()) bins_.resize(number - first_ + 1);
  return bins_[number - first_];
}

void LogHistogram::add(double duration_s) {
  const std::size_t number = bin_of(duration_s);
  // Below the first place the difference wraps around.
  const std::size_t place = number - first_;
  Bin& bin = place < bins_.size() ? bins_[place] : bin_at(number);
  const std::uint64_t cell = cell_of(duration_s);
  bin.add({1, duration_s, cell, cell * cell});
  ++totals_.count;
  totals_.sum_s += duration_s;
  totals_.max_s = std::max(totals_.max_s, duration_s);
}

void LogHistogram::add(const LogHistogram& other) {
  if (other.bins_.empty()) return;
  bin_at(other.first_);
  for (std::size_t i = other.bins_.size(); i-- > 0;) bin_at(other.first_ + i).add(other.bins_[i]);
  totals_.count += other.totals_.count;
  totals_.sum_s += other.totals_.sum_s;
  totals_.max_s = std::max(totals_.max_s, other.totals_.max_s);
}

double LogHistogram::quantile_s(double q) const {
  return at_rank_s(static_cast<std::uint64_t>(std::max(1.0, std::ceil(q * static_cast<double>(totals_.count)))));
}

double LogHistogram::quantile_between_s(double q) const {
  const auto n = static_cast<double>(totals_.count);
  const double rank = std::clamp(q * (n + 1.0), 1.0, n);
  const double below = at_rank_s(static_cast<std::uint64_t>(rank));
  const double above = at_rank_s(static_cast<std::uint64_t>(std::ceil(rank)));
  return below + (above - below) * (rank - std::floor(rank));
}

double LogHistogram::at_rank_s(std::uint64_t rank) const {
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < bins_.size(); below += bins_[i].count, ++i) {
    // A mean of equal values may be a rounding error larger than they are.
    if (below + bins_[i].count >= rank) return std::min(totals_.max_s, bins_[i].at_rank_s(rank - below, first_ + i));
  }
  return totals_.max_s;
}

LogHistogram LogHistogram::since(const LogHistogram& earlier) const {
  LogHistogram rest = *this;
  for (std::size_t i = 0; i < earlier.bins_.size(); ++i)
    rest.bins_[earlier.first_ - first_ + i].subtract(earlier.bins_[i]);
  rest.totals_.count -= earlier.totals_.count;
  rest.totals_.sum_s -= earlier.totals_.sum_s;
  return rest;
}

void HistogramHistory::keep(const LogHistogram& now) {
  if (counts_.empty()) first_ = now.first_;
  if (now.first_ < first_) {
    counts_.insert(counts_.begin(), first_ - now.first_, 0);
    first_ = now.first_;
  }
  counts_.resize(now.bins_.size());
  for (std::size_t i = 0; i < now.bins_.size(); ++i) {
    const LogHistogram::Bin& bin = now.bins_[i];
    if (bin.count == counts_[i]) continue;
    growths_.push_back({first_ + i, bin});
    counts_[i] = bin.count;
  }
  dates_.push_back({now.totals_, growths_.size()});
}

LogHistogram HistogramHistory::at(std::size_t date) const {
  LogHistogram then;
  then.first_ = first_;
  then.bins_.resize(counts_.size());
  for (std::size_t i = 0; i < dates_.at(date).growths; ++i) then.bins_[growths_[i].number - first_] = growths_[i].bin;
  then.totals_ = dates_[date].totals;
  return then;
}

namespace {

struct Block {
  double mean = 0.0;
  double weight = 0.0;
  std::size_t size = 0;
};

}  // namespace

std::vector<double> non_descending(std::span<const double> values, std::span<const double> weights) {
  if (values.size() != weights.size()) throw std::invalid_argument("non_descending: as many weights as values");
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < values.size(); ++i) {
    blocks.push_back({values[i], weights[i], 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean > blocks.back().mean) {
      const Block last = blocks.back();
      blocks.pop_back();
      Block& merged = blocks.back();
      const double weight = merged.weight + last.weight;
      merged.mean = (merged.mean * merged.weight + last.mean * last.weight) / weight;
      merged.weight = weight;
      merged.size += last.size;
    }
  }
  std::vector<double> fitted;
  for (const Block& block : blocks) fitted.insert(fitted.end(), block.size, block.mean);
  return fitted;
}

}  // namespace saturn
