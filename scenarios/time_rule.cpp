#include "scenarios/time_rule.hpp"

#include <utility>

#include "scenarios/law_kinds.hpp"

namespace saturn {

namespace {

constexpr const char* longest_duration = "1e9 s";

Rule<Seconds> any_duration(const std::string& unit) {
  return duration_rule({.low = "0 s", .high = longest_duration, .usual = unit});
}
Rule<Seconds> positive_duration() {
  return duration_rule({.low = "0 s", .high = longest_duration, .usual = "s", .above_low = true});
}
Rule<double> variation() {
  return ratio_rule({.low = 0.0, .high = 100.0, .above_low = true});
}

const Shape<ExponentialTime>& exponential_shape() {
  static const Shape<ExponentialTime> shape =
      Shape<ExponentialTime>("exponential", "Exponential: no memory; its standard deviation equals its mean.")
          .required("mean", positive_duration(), &ExponentialTime::mean, "\"1 s\"", "Mean.");
  return shape;
}

const Shape<GammaTime>& gamma_shape() {
  static const Shape<GammaTime> shape = Shape<GammaTime>("gamma", "Gamma: shape 1/cv², scale mean·cv².")
                                            .required("mean", positive_duration(), &GammaTime::mean, "\"1 s\"", "Mean.")
                                            .required("cv", variation(), &GammaTime::cv, "0.5",
                                                      "Coefficient of variation: standard deviation over mean.");
  return shape;
}

const Shape<LognormalTime>& lognormal_shape() {
  static const Shape<LognormalTime> shape =
      Shape<LognormalTime>("lognormal", "Lognormal: the logarithm of the time is normal.")
          .required("mean", positive_duration(), &LognormalTime::mean, "\"1 s\"",
                    "Mean of the time, not of its logarithm.")
          .required("cv", variation(), &LognormalTime::cv, "0.2",
                    "Coefficient of variation: standard deviation over mean.");
  return shape;
}

const Shape<UniformTime>& uniform_shape() {
  static const Shape<UniformTime> shape =
      Shape<UniformTime>("uniform", "Uniform between two durations.")
          .varies_as_one()
          .required("low", any_duration("s"), &UniformTime::low, "\"1 s\"", "Shortest.")
          .required("high", any_duration("s"), &UniformTime::high, "\"2 s\"", "Longest; not below low.")
          .finish([](const UniformTime& time, const Spot& spot, ComplaintList& complaints) {
            if (time.low <= time.high || !complaints.sound(spot.pointer)) return;
            complaints.refuse(spot.node.find("low")->place, spot.pointer + "/low", "scenario.out_of_range",
                              spot.pointer + "/low is " + shown(*spot.node.find("low")) + ", above high, which is " +
                                  shown(*spot.node.find("high")) + "; exchange the two.");
          });
  return shape;
}

Rule<std::vector<Seconds>> empirical_values() {
  return list_of(any_duration("s"), 1, 100'000);
}

template <class Law, class Value>
LawKind<TimeDistribution> kind_of(const std::string& key, const Rule<Value>& rule) {
  return law_kind<TimeDistribution>(key, rule, [](Value value) -> TimeDistribution { return Law{std::move(value)}; });
}

const std::vector<LawKind<TimeDistribution>>& time_kinds() {
  static const std::vector<LawKind<TimeDistribution>> all{
      kind_of<ConstantTime>("constant", any_duration("s")),
      kind_of<ExponentialTime>("exponential", exponential_shape().rule()),
      kind_of<GammaTime>("gamma", gamma_shape().rule()),
      kind_of<LognormalTime>("lognormal", lognormal_shape().rule()),
      kind_of<UniformTime>("uniform", uniform_shape().rule()),
      kind_of<EmpiricalTime>("empirical", empirical_values())};
  return all;
}

const Definition& time_definition() {
  static const Definition definition =
      law_definition("time", "A duration, or a distribution from which every draw is independent.",
                     any_duration("s").text, time_kinds());
  return definition;
}

}  // namespace

Rule<TimeDistribution> time_rule(const std::string& usual_unit) {
  return plain_or_law(
      time_definition(), any_duration(usual_unit), time_kinds(), [](Seconds time) { return ConstantTime{time}; },
      [](const TimeDistribution& time) {
        const auto* always = std::get_if<ConstantTime>(&time);
        return always == nullptr ? std::nullopt : std::optional(always->value);
      });
}

}  // namespace saturn
