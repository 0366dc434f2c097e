#include "scenarios/law_rules.hpp"

#include <algorithm>

#include "scenarios/law_kinds.hpp"

namespace saturn {

namespace {

struct MeanOnly {
  double mean = 0.0;
};
struct MeanAndVariation {
  double mean = 0.0;
  double cv = 0.0;
};

Rule<double> mean_up_to(double most) {
  return number_rule({.low = 0.0, .high = most, .above_low = true});
}

const Shape<MeanOnly>& poisson_counts_shape() {
  static const Shape<MeanOnly> shape = Shape<MeanOnly>("poisson counts", "Poisson: so many independent rare things.")
                                           .required("mean", mean_up_to(1e6), &MeanOnly::mean, "17.5", "Mean.");
  return shape;
}

const Shape<MeanOnly>& geometric_counts_shape() {
  static const Shape<MeanOnly> shape =
      Shape<MeanOnly>("geometric counts", "Geometric from 0 on: each count is as much less likely as the one before.")
          .required("mean", mean_up_to(1e3), &MeanOnly::mean, "3", "Mean.");
  return shape;
}

const Shape<MeanAndVariation>& lognormal_counts_shape() {
  static const Shape<MeanAndVariation> shape =
      Shape<MeanAndVariation>("lognormal counts",
                              "Lognormal, as 1,000 equally likely quantiles, each rounded to a whole number.")
          .required("mean", mean_up_to(1e8), &MeanAndVariation::mean, "100",
                    "Mean of the count, not of its logarithm; that of the quantiles is a little lower.")
          .required("cv", number_rule({.low = 0.0, .high = 10.0, .above_low = true}), &MeanAndVariation::cv, "0.5",
                    "Coefficient of variation: standard deviation over mean.");
  return shape;
}

Rule<std::uint64_t> constant_items() {
  return count_rule(1, 1'000'000'000);
}

const std::vector<LawKind<CountDistribution>>& item_kinds() {
  using Counts = CountDistribution;
  static const std::vector<LawKind<Counts>> all{
      law_kind<Counts>("poisson", poisson_counts_shape().rule(),
                       [](MeanOnly law) { return Counts::poisson(law.mean); }),
      law_kind<Counts>("lognormal", lognormal_counts_shape().rule(),
                       [](MeanAndVariation law) { return Counts::lognormal(law.mean, law.cv); }),
      law_kind<Counts>("geometric", geometric_counts_shape().rule(),
                       [](MeanOnly law) { return Counts::geometric(law.mean); }),
      law_kind<Counts>("values", list_of(count_rule(0, 1'000'000'000), 1, 100'000),
                       [](const std::vector<std::uint64_t>& counts) { return Counts::values(counts); })};
  return all;
}

const Definition& items_definition() {
  static const Definition definition =
      law_definition("items", "A number of items, or a distribution from which every event draws its own.",
                     constant_items().text, item_kinds());
  return definition;
}

Rule<double> constant_speed() {
  return number_rule({.low = 0.0, .high = 1000.0, .above_low = true});
}

const Shape<LognormalSpeed>& lognormal_speed_shape() {
  static const Shape<LognormalSpeed> shape =
      Shape<LognormalSpeed>("lognormal speed", "Lognormal: the logarithm of the speed is normal.")
          .required("mean", constant_speed(), &LognormalSpeed::mean, "1.0", "Mean of the speed, not of its logarithm.")
          .required("cv", number_rule({.low = 0.0, .high = 2.0, .above_low = true}), &LognormalSpeed::cv, "0.2",
                    "Coefficient of variation: standard deviation over mean.");
  return shape;
}

const Shape<UniformSpeed>& uniform_speed_shape() {
  static const Shape<UniformSpeed> shape =
      Shape<UniformSpeed>("uniform speed", "Uniform between two speeds.")
          .varies_as_one()
          .required("low", constant_speed(), &UniformSpeed::low, "0.8", "Lowest.")
          .required("high", constant_speed(), &UniformSpeed::high, "1.2", "Highest; not below low.")
          .finish([](const UniformSpeed& speed, const Spot& spot, ComplaintList& complaints) {
            if (speed.low <= speed.high || !complaints.sound(spot.pointer)) return;
            complaints.refuse(spot.node.find("low")->place, spot.pointer + "/low", "scenario.out_of_range",
                              spot.pointer + "/low is " + shown(*spot.node.find("low")) + ", above high, which is " +
                                  shown(*spot.node.find("high")) + "; exchange the two.");
          });
  return shape;
}

const std::vector<LawKind<WorkerSpeed>>& speed_kinds() {
  static const std::vector<LawKind<WorkerSpeed>> all{
      law_kind<WorkerSpeed>("lognormal", lognormal_speed_shape().rule(), [](LognormalSpeed law) { return law; }),
      law_kind<WorkerSpeed>("uniform", uniform_speed_shape().rule(), [](UniformSpeed law) { return law; }),
      law_kind<WorkerSpeed>("values", list_of(constant_speed(), 1, 1000),
                            [](std::vector<double> values) { return ListedSpeeds{std::move(values)}; })};
  return all;
}

const Definition& speed_definition() {
  static const Definition definition = law_definition(
      "speed",
      "A speed, or a distribution over the jobs of the pool: job i of n has its quantile (i + 1/2)/n, or the listed "
      "values in turn; which job is which is drawn for each replication.",
      constant_speed().text, speed_kinds());
  return definition;
}

}  // namespace

Rule<CountDistribution> items_rule() {
  return plain_or_law(
      items_definition(), constant_items(), item_kinds(), [](std::uint64_t items) { return CountDistribution(items); },
      [](const CountDistribution& items) {
        return items.is_constant() ? std::optional(items.largest()) : std::nullopt;
      });
}

Rule<WorkerSpeed> speed_rule() {
  return plain_or_law(
      speed_definition(), constant_speed(), speed_kinds(), [](double speed) { return ConstantSpeed{speed}; },
      [](const WorkerSpeed& speed) {
        const auto* always = std::get_if<ConstantSpeed>(&speed);
        return always == nullptr ? std::nullopt : std::optional(always->value);
      });
}

}  // namespace saturn
