#include "scenarios/time_rule.hpp"

#include <nlohmann/json.hpp>

#include "scenarios/field_table.hpp"

namespace saturn {

namespace {

constexpr const char* longest = "1e9 s";

Rule<Seconds> any_duration(const std::string& unit) {
  return duration_rule({.low = "0 s", .high = longest, .usual = unit});
}
Rule<Seconds> positive_duration() {
  return duration_rule({.low = "0 s", .high = longest, .usual = "s", .above_low = true});
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

// One kind of distribution: the key that names it, the value behind the key, and how that becomes a distribution.
struct Kind {
  std::string key;
  ValueText value;
  std::function<std::optional<TimeDistribution>(const Spot&, ComplaintList&)> read;
};

template <class Law, class Value>
Kind kind_of(const std::string& key, const Rule<Value>& rule) {
  return {key, rule.text, [rule](const Spot& spot, ComplaintList& complaints) -> std::optional<TimeDistribution> {
            std::optional<Value> value = rule.read(spot, complaints);
            if (!value) return std::nullopt;
            return Law{std::move(*value)};
          }};
}

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{kind_of<ConstantTime>("constant", any_duration("s")),
                                     kind_of<ExponentialTime>("exponential", exponential_shape().rule()),
                                     kind_of<GammaTime>("gamma", gamma_shape().rule()),
                                     kind_of<LognormalTime>("lognormal", lognormal_shape().rule()),
                                     kind_of<UniformTime>("uniform", uniform_shape().rule()),
                                     kind_of<EmpiricalTime>("empirical", empirical_values())};
  return all;
}

ValueText kind_text(const Kind& kind) {
  const nlohmann::json schema{{"type", "object"},
                              {"properties", {{kind.key, nlohmann::json::parse(kind.value.schema)}}},
                              {"required", {kind.key}},
                              {"additionalProperties", false}};
  return {"`{ \"" + kind.key + "\": ... }` with " + kind.value.words, schema.dump(), kind.value.definitions};
}

const Definition& time_definition() {
  static const Definition definition = [] {
    Definition time{"time", "A duration, or a distribution from which every draw is independent.", {}, {}};
    time.alternatives.push_back(any_duration("s").text);
    for (const Kind& kind : kinds()) time.alternatives.push_back(kind_text(kind));
    return time;
  }();
  return definition;
}

std::optional<TimeDistribution> read_distribution(const Spot& spot, ComplaintList& complaints) {
  std::vector<std::string> keys;
  for (const Kind& kind : kinds()) keys.push_back(kind.key);
  const std::optional<std::size_t> chosen = chosen_key(spot, keys, "a distribution", complaints);
  if (!chosen) return std::nullopt;
  for (const Node& child : spot.node.children)
    if (child.key != keys[*chosen])
      complaints.refuse(child.key_place, spot.member(child).pointer, "scenario.unknown_key",
                        spot.subject() + " has the key " + shown(child.key) + " beside \"" + keys[*chosen] +
                            "\"; a distribution has one key, and its parameters stand inside.");
  return kinds()[*chosen].read(spot.member(*spot.node.find(keys[*chosen])), complaints);
}

}  // namespace

Rule<TimeDistribution> time_rule(const std::string& usual_unit) {
  const Rule<Seconds> constant = any_duration(usual_unit);
  return {reference_to(time_definition()),
          [constant](const Spot& spot, ComplaintList& complaints) -> std::optional<TimeDistribution> {
            if (spot.node.kind == NodeKind::object) return read_distribution(spot, complaints);
            const std::optional<Seconds> value = constant.read(spot, complaints);
            if (!value) return std::nullopt;
            return ConstantTime{*value};
          },
          [constant](const TimeDistribution& value) {
            const auto* always = std::get_if<ConstantTime>(&value);
            return always == nullptr ? std::string() : constant.write(always->value);
          }};
}

}  // namespace saturn
