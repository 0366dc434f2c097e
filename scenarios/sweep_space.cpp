#include "scenarios/sweep_space.hpp"

#include <stdexcept>
#include <utility>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/sweep_axes.hpp"
#include "scenarios/sweep_conditions.hpp"
#include "scenarios/sweep_samples.hpp"
#include "scenarios/value_rules.hpp"

namespace saturn {

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
  MetCombinations met{.combinations = {}, .too_many = true};
  if (combinations) met = combinations_that_meet(axes, conditions, most_points);
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
    complaints.about_sample("sweep.bad_sample", "The sample is to have " + counted_with_commas(asked, "point") + ", but only " +
                                                    with_commas(sample.size()) +
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
  std::uint64_t combination = kept_ ? (*kept_)[point] : point;
  std::vector<std::uint32_t> steps(axes_.size(), 0);
  for (std::size_t axis = axes_.size(); axis-- > 0;) {
    const std::uint64_t size_of_axis = axes_[axis].cells.front().size();
    steps[axis] = static_cast<std::uint32_t>(combination % size_of_axis);
    combination /= size_of_axis;
  }
  return steps;
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

}  // namespace saturn
