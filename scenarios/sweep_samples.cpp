#include "scenarios/sweep_samples.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "models/random_stream.hpp"
#include "scenarios/sweep_text.hpp"

namespace saturn {

namespace {

/// What numbers of a sample are drawn for.
enum class Draw : std::uint32_t { strata = 0, within_strata = 1, exchanges = 2, combinations = 3, steps = 4 };

RandomStream stream_of(std::uint64_t seed, Draw draw, std::size_t axis = 0) {
  return {seed, static_cast<std::uint32_t>(draw), static_cast<std::uint32_t>(axis), Purpose::sweep};
}

/// A whole number below `end`.
std::uint64_t draw_below(std::uint64_t end, RandomStream& stream) {
  return std::min(end - 1, static_cast<std::uint64_t>(stream.uniform() * static_cast<double>(end)));
}

/// The step of an axis at each point: every stratum once.
std::vector<std::uint32_t> stratified_steps(std::uint64_t size, std::uint64_t points, std::uint64_t seed,
                                            std::size_t axis) {
  std::vector<std::uint64_t> strata(points);
  std::iota(strata.begin(), strata.end(), std::uint64_t{0});
  RandomStream order = stream_of(seed, Draw::strata, axis);
  for (std::uint64_t i = 0; i + 1 < points; ++i) std::swap(strata[i], strata[i + draw_below(points - i, order)]);
  RandomStream within = stream_of(seed, Draw::within_strata, axis);
  std::vector<std::uint32_t> steps;
  for (const std::uint64_t stratum : strata) {
    const double at = (static_cast<double>(stratum) + within.uniform()) * static_cast<double>(size);
    const auto step = static_cast<std::uint64_t>(at / static_cast<double>(points));
    // The first step that the stratum touches and the last one, in whole numbers, which rounding cannot move.
    const std::uint64_t first = stratum * size / points;
    const std::uint64_t last = ((stratum + 1) * size + points - 1) / points - 1;
    steps.push_back(static_cast<std::uint32_t>(std::clamp(step, first, last)));
  }
  return steps;
}

/// Equal points of a sample exchange values with others.
class Exchanges {
 public:
  Exchanges(std::vector<GridPoint>& points, const std::vector<std::uint32_t>& sizes, std::uint64_t seed)
      : points_(points), stream_(stream_of(seed, Draw::exchanges)) {
    for (std::size_t axis = 0; axis < sizes.size(); ++axis)
      if (sizes[axis] > 1) movable_.push_back(axis);
    for (const GridPoint& point : points_) ++times_[point];
  }

  void separate() {
    constexpr int most_tries = 1000;
    for (GridPoint& point : points_)
      for (int tries = 0; tries < most_tries && times_.at(point) > 1 && !movable_.empty(); ++tries) try_one(point);
  }

 private:
  void try_one(GridPoint& point) {
    GridPoint& other = points_[draw_below(points_.size(), stream_)];
    const std::size_t axis = movable_[draw_below(movable_.size(), stream_)];
    GridPoint moved = point;
    GridPoint other_moved = other;
    std::swap(moved[axis], other_moved[axis]);
    if (moved == other_moved || times_.contains(moved) || times_.contains(other_moved)) return;
    leave(point);
    leave(other);
    ++times_[moved];
    ++times_[other_moved];
    point = std::move(moved);
    other = std::move(other_moved);
  }

  void leave(const GridPoint& point) {
    const auto known = times_.find(point);
    if (--known->second == 0) times_.erase(known);
  }

  std::vector<GridPoint>& points_;
  std::vector<std::size_t> movable_;
  std::map<GridPoint, std::size_t> times_;
  RandomStream stream_;
};

GridPoint point_of(std::uint64_t combination, const std::vector<std::uint32_t>& sizes) {
  GridPoint point(sizes.size(), 0);
  for (std::size_t axis = sizes.size(); axis-- > 0; combination /= sizes[axis])
    point[axis] = static_cast<std::uint32_t>(combination % sizes[axis]);
  return point;
}

/// Draws from a grid that is small enough to be listed, so that every wanted point can be found.
std::vector<GridPoint> drawn_from_list(const std::vector<std::uint32_t>& sizes, std::uint64_t points,
                                       std::uint64_t seed, std::uint64_t combinations,
                                       const std::function<bool(const GridPoint&)>& wanted) {
  std::vector<std::uint32_t> left(combinations);
  std::iota(left.begin(), left.end(), 0U);
  RandomStream stream = stream_of(seed, Draw::combinations);
  std::vector<GridPoint> sample;
  for (std::uint64_t i = 0; i < combinations && sample.size() < points; ++i) {
    std::swap(left[i], left[i + draw_below(combinations - i, stream)]);
    GridPoint point = point_of(left[i], sizes);
    if (wanted(point)) sample.push_back(std::move(point));
  }
  std::sort(sample.begin(), sample.end());
  return sample;
}

std::vector<GridPoint> drawn_by_axis(const std::vector<std::uint32_t>& sizes, std::uint64_t points, std::uint64_t seed,
                                     const std::function<bool(const GridPoint&)>& wanted) {
  std::vector<RandomStream> streams;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) streams.push_back(stream_of(seed, Draw::steps, axis));
  std::set<GridPoint> sample;
  const std::uint64_t most_draws = 100 * points + 1'000'000;
  for (std::uint64_t draws = 0; draws < most_draws && sample.size() < points; ++draws) {
    GridPoint point;
    for (std::size_t axis = 0; axis < sizes.size(); ++axis)
      point.push_back(static_cast<std::uint32_t>(draw_below(sizes[axis], streams[axis])));
    if (wanted(point)) sample.insert(std::move(point));
  }
  return {sample.begin(), sample.end()};
}

}  // namespace

std::vector<GridPoint> latin_hypercube(const std::vector<std::uint32_t>& sizes, std::uint64_t points,
                                       std::uint64_t seed) {
  std::vector<GridPoint> sample(points, GridPoint(sizes.size(), 0));
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    const std::vector<std::uint32_t> steps = stratified_steps(sizes[axis], points, seed, axis);
    for (std::uint64_t point = 0; point < points; ++point) sample[point][axis] = steps[point];
  }
  Exchanges(sample, sizes, seed).separate();
  std::sort(sample.begin(), sample.end());
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
  return sample;
}

std::vector<GridPoint> random_points(const std::vector<std::uint32_t>& sizes, std::uint64_t points, std::uint64_t seed,
                                     std::optional<std::uint64_t> combinations,
                                     const std::function<bool(const GridPoint&)>& wanted) {
  return combinations && *combinations <= most_points ? drawn_from_list(sizes, points, seed, *combinations, wanted)
                                                      : drawn_by_axis(sizes, points, seed, wanted);
}

}  // namespace saturn
