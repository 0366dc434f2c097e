#include "scenarios/fields/law_rules.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/document/parse_document.hpp"
#include "scenarios/fields/field_table.hpp"
#include "scenarios/fields/value_rules.hpp"
#include "scenarios/inputs/fitted_values.hpp"
#include "scenarios/read_scenario.hpp"

namespace saturn {

// Distributions as a document gives them: objects with one key, which names the law and holds its parameters.

/// One law: the key that names it, the value behind the key, and how that becomes a Law.
template <class Law>
struct LawKind {
  std::string key;
  ValueText value;
  std::function<std::optional<Law>(const Spot&, ComplaintList&)> read;
};

/// @param make  makes a Law of what the rule reads
template <class Law, class Value, class Make>
LawKind<Law> law_kind(const std::string& key, const Rule<Value>& rule, const Make& make) {
  return {key, rule.text, [rule, make](const Spot& spot, ComplaintList& complaints) -> std::optional<Law> {
            std::optional<Value> value = rule.read(spot, complaints);
            // Parameters that were refused are no law, even where the rule gives what it could read.
            if (!value || !complaints.sound(spot.pointer)) return std::nullopt;
            return make(std::move(*value));
          }};
}

/// `{ "key": ... }` in words and as JSON Schema.
ValueText law_text(const std::string& key, const ValueText& value);

/// Which law an object names; complains when it names none or several, or has further keys.
std::optional<std::size_t> chosen_law(const Spot& spot, const std::vector<std::string>& keys,
                                      ComplaintList& complaints);

/// A plain value or one of several laws.
template <class Law>
Definition law_definition(const std::string& name, const std::string& sentence, const ValueText& plain,
                          const std::vector<LawKind<Law>>& kinds) {
  Definition definition{name, sentence, {}, {}};
  definition.alternatives.push_back(plain);
  for (const LawKind<Law>& kind : kinds) definition.alternatives.push_back(law_text(kind.key, kind.value));
  return definition;
}

template <class Law>
std::optional<Law> read_law(const Spot& spot, const std::vector<LawKind<Law>>& kinds, ComplaintList& complaints) {
  std::vector<std::string> keys;
  for (const LawKind<Law>& kind : kinds) keys.push_back(kind.key);
  const std::optional<std::size_t> chosen = chosen_law(spot, keys, complaints);
  if (!chosen) return std::nullopt;
  return kinds[*chosen].read(spot.member(*spot.node.find(keys[*chosen])), complaints);
}

/// A plain value or one of several laws.
/// @param make      makes a Law of a plain value
/// @param plain_of  the plain value that a Law is, if it is one
template <class Law, class Plain, class Make, class PlainOf>
Rule<Law> plain_or_law(const Definition& definition, const Rule<Plain>& plain, const std::vector<LawKind<Law>>& kinds,
                       const Make& make, const PlainOf& plain_of) {
  return {reference_to(definition),
          [plain, &kinds, make](const Spot& spot, ComplaintList& complaints) -> std::optional<Law> {
            if (spot.node.kind == NodeKind::object) return read_law(spot, kinds, complaints);
            const std::optional<Plain> value = plain.read(spot, complaints);
            if (!value) return std::nullopt;
            return make(*value);
          },
          [plain, plain_of](const Law& law) {
            const std::optional<Plain> value = plain_of(law);
            return value ? plain.write(*value) : std::string();
          }};
}

ValueText law_text(const std::string& key, const ValueText& value) {
  return {.words = "`{ \"" + key + "\": ... }` with " + value.words,
          .schema = {},
          .form = ValueForm::object,
          .fields = {{.key = key, .value = value, .required = true}}};
}

std::optional<std::size_t> chosen_law(const Spot& spot, const std::vector<std::string>& keys,
                                      ComplaintList& complaints) {
  const std::optional<std::size_t> chosen = chosen_key(spot, keys, "a distribution", complaints);
  if (!chosen) return std::nullopt;
  for (const Node& child : spot.node.children)
    if (child.key != keys[*chosen])
      complaints.refuse(child.key_place, spot.member(child).pointer, "scenario.unknown_key",
                        spot.subject() + " has the key " + shown(child.key) + " beside \"" + keys[*chosen] +
                            "\"; a distribution has one key, and its parameters stand inside.");
  return chosen;
}

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

namespace {

Node* node_at(Node& root, const std::string& pointer) {
  Node* node = &root;
  for (const std::string& key : split_pointer(pointer)) {
    const Node* next = child_of(*node, key);
    if (next == nullptr) throw std::logic_error("a fit's value has lost its parameter " + pointer);
    node = &node->children[static_cast<std::size_t>(next - node->children.data())];
  }
  return node;
}

}  // namespace

const char* name_of(FitKind kind) {
  switch (kind) {
    case FitKind::service_law:
      return "service law";
    case FitKind::time:
      return "time";
    case FitKind::bandwidth:
      return "bandwidth";
    case FitKind::count:
      return "count";
    case FitKind::closed_loop:
      return "closed loop";
  }
  throw std::logic_error("name_of: no such kind of fit");
}

std::optional<FitKind> find_fit_kind(std::string_view name) {
  for (const FitKind kind :
       {FitKind::service_law, FitKind::time, FitKind::bandwidth, FitKind::count, FitKind::closed_loop})
    if (name == name_of(kind)) return kind;
  return std::nullopt;
}

std::string value_with(const UsedFit& fit, const std::vector<double>& parameters) {
  ParsedText parsed = parse_document(fit.value, 0);
  if (!parsed.complete) {
    parsed.root = {};
    parsed.root.kind = NodeKind::text;
    parsed.root.text = fit.value;
  }
  for (std::size_t i = 0; i < parameters.size(); ++i)
    put_value(*node_at(parsed.root, fit.at[i]), fit.units[i], parameters[i]);
  return override_text(parsed.root);
}

}  // namespace saturn
