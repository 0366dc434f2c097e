#include "scenarios/sweep/sweep_space.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

#include "models/laws/random_stream.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/fields/value_rules.hpp"
#include "scenarios/inputs/named_fields.hpp"
#include "scenarios/scenario.hpp"
#include "scenarios/sweep/sweep_axes.hpp"
#include "scenarios/sweep/sweep_conditions.hpp"

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

namespace {

std::vector<std::uint32_t> sizes_of(const std::vector<SweepSpace::Axis>& axes) {
  std::vector<std::uint32_t> sizes;
  for (const SweepSpace::Axis& axis : axes) sizes.push_back(static_cast<std::uint32_t>(axis.cells.front().size()));
  return sizes;
}

/// "1,000,000,000", or "some 1e+40" where nobody counts.
std::string count_text(const std::vector<SweepSpace::Axis>& axes) {
  if (const std::optional<std::uint64_t> combinations = combinations_of(axes)) return with_commas(*combinations);
  double product = 1.0;
  for (const std::uint32_t size : sizes_of(axes)) product *= size;
  return "more than " + shortest(product > 9e15 ? 9e15 : product);
}

[[noreturn]] void stop(SweepComplaints& complaints) {
  complaints.stop_if_any();
  throw std::logic_error("a sweep was refused without a complaint");
}

SweepSpace whole_space(std::vector<SweepSpace::Axis> axes, SweepConditions& conditions, SweepComplaints& complaints) {
  const std::optional<std::uint64_t> combinations = combinations_of(axes);
  if (conditions.empty()) {
    if (combinations && *combinations <= most_points) return {std::move(axes), std::nullopt};
    complaints.about_axes("sweep.too_many", "The axes give " + count_text(axes) + " points; at most " +
                                                with_commas(most_points) +
                                                " are allowed. Draw some of them with --sample 500, thin them with "
                                                "--where, or take larger steps.");
    stop(complaints);
  }
  FoundCombinations met{.combinations = {}, .too_many = true};
  if (combinations) met = find_combinations(axes, conditions, most_points);
  if (met.too_many)
    complaints.about_axes("sweep.too_many", "The axes give " + count_text(axes) +
                                                " combinations, and the conditions leave too many of them, or take too "
                                                "long to look at them; at most " +
                                                with_commas(most_points) +
                                                " points are allowed. Draw some with --sample 500, or take larger "
                                                "steps.");
  else if (met.combinations.empty())
    complaints.about_condition(
        0, "sweep.no_points",
        "None of the " + with_commas(*combinations) + " combinations meets all conditions; loosen them.");
  if (!complaints.empty()) stop(complaints);
  return {std::move(axes), std::move(met.combinations)};
}

SweepSpace sampled_space(std::vector<SweepSpace::Axis> axes, SweepConditions& conditions, const SweepText& text,
                         std::uint64_t seed, SweepComplaints& complaints) {
  const std::uint64_t asked = *text.sample;
  const std::optional<std::uint64_t> combinations = combinations_of(axes);
  if (combinations && asked > *combinations) {
    complaints.about_sample("sweep.bad_sample", "The sample is to have " + counted_with_commas(asked, "point") +
                                                    ", but the axes have only " + with_commas(*combinations) +
                                                    " combinations; leave --sample out, or ask for fewer.");
    stop(complaints);
  }
  const std::vector<std::uint32_t> sizes = sizes_of(axes);
  const auto wanted = [&](const GridPoint& point) { return conditions.hold(point); };
  std::vector<GridPoint> sample;
  if (text.sampling == Sampling::random) {
    sample = random_points(sizes, asked, seed, combinations, wanted);
  } else {
    sample = latin_hypercube(sizes, asked, seed);
    std::erase_if(sample, [&](const GridPoint& point) { return !wanted(point); });
  }
  if (sample.empty())
    complaints.about_condition(0, "sweep.no_points",
                               "No point that was drawn meets all conditions; loosen them, or draw more points.");
  else if (text.sampling == Sampling::random && sample.size() < asked)
    complaints.about_sample("sweep.bad_sample", "The sample is to have " + counted_with_commas(asked, "point") +
                                                    ", but only " + with_commas(sample.size()) +
                                                    " were found that meet the conditions; ask for these, or loosen "
                                                    "the conditions.");
  if (!complaints.empty()) stop(complaints);
  return {std::move(axes), std::move(sample)};
}

void check_sample(const SweepText& text, SweepComplaints& complaints) {
  if (!text.sample || (*text.sample > 0 && *text.sample <= most_points)) return;
  complaints.about_sample("sweep.bad_sample", "The sample is to have " + counted_with_commas(*text.sample, "point") +
                                                  "; allowed are 1 to " + with_commas(most_points) + ".");
}

}  // namespace

SweepSpace::SweepSpace(std::vector<Axis> axes, std::optional<std::vector<std::uint64_t>> kept)
    : axes_(std::move(axes)), kept_(std::move(kept)) {}

SweepSpace::SweepSpace(std::vector<Axis> axes, std::vector<std::vector<std::uint32_t>> steps)
    : axes_(std::move(axes)), sampled_(std::move(steps)) {}

std::uint64_t SweepSpace::size() const {
  if (sampled_) return sampled_->size();
  if (kept_) return kept_->size();
  return axes_.empty() ? 0 : combinations_of(axes_).value_or(0);
}

std::vector<AxisColumn> SweepSpace::columns() const {
  std::vector<AxisColumn> columns;
  for (const Axis& axis : axes_) columns.insert(columns.end(), axis.columns.begin(), axis.columns.end());
  return columns;
}

std::vector<std::uint32_t> SweepSpace::steps(std::uint64_t point) const {
  if (point >= size()) throw std::logic_error("SweepSpace: a point beyond the space");
  if (sampled_) return (*sampled_)[point];
  return point_of(kept_ ? (*kept_)[point] : point, sizes_of(axes_));
}

std::vector<AxisCell> SweepSpace::cells(std::uint64_t point) const {
  const std::vector<std::uint32_t> at = steps(point);
  std::vector<AxisCell> cells;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis)
    for (const std::vector<AxisCell>& column : axes_[axis].cells) cells.push_back(column[at[axis]]);
  return cells;
}

std::vector<Override> SweepSpace::settings(std::uint64_t point) const {
  const std::vector<std::uint32_t> at = steps(point);
  std::vector<Override> settings;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis)
    for (std::size_t column = 0; column < axes_[axis].columns.size(); ++column)
      for (const std::string& place : axes_[axis].places[column])
        settings.push_back({place, axes_[axis].cells[column][at[axis]].text});
  return settings;
}

SweepSpace sweep_space(const SweepText& text, const ReadScenario& read) {
  SweepComplaints complaints(text, read);
  ReadAxes axes = read_axes(text, read, complaints);
  check_sample(text, complaints);
  if (!axes.named) complaints.stop_if_any();
  SweepConditions conditions(axes.axes, text, complaints);
  complaints.stop_if_any();
  return text.sample ? sampled_space(std::move(axes.axes), conditions, text, read.scenario.run.seed, complaints)
                     : whole_space(std::move(axes.axes), conditions, complaints);
}

SweepText asked_sweep(const SweepText& options, const ReadScenario& read) {
  if (!options.axes.empty() || !read.scenario.sweep) return options;
  SweepText asked = *read.scenario.sweep;
  asked.places = {.axes = "/sweep/axes", .where = "/sweep/where", .sample = "/sweep/sample"};
  if (!options.where.empty()) {
    asked.where = options.where;
    asked.places.where.clear();
  }
  if (options.sample) {
    asked.sample = options.sample;
    asked.sampling = options.sampling;
    asked.places.sample.clear();
  }
  return asked;
}

std::vector<RefusedPoint> refused_points(const SweepSpace& space, const ReadScenario& read, std::size_t most) {
  std::vector<RefusedPoint> refused;
  const std::uint64_t points = space.size();
  for (std::uint64_t point = 0; point < points && refused.size() < most; ++point) {
    std::vector<Complaint> complaints = refused_settings(read, space.settings(point));
    if (!complaints.empty()) refused.push_back({point, std::move(complaints)});
  }
  return refused;
}

}  // namespace saturn
