#include "scenarios/fields/arrival_rule.hpp"

#include "models/words/texts.hpp"
#include "scenarios/fields/field_table.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_profile_points = 10'000;

// Rarer events would come so late in a run that the clock's last digit matters to their times.
Rule<Rate> arrival_rate() {
  return rate_rule({.low = "0.36 /h", .high = "1000 MHz", .usual = "Hz"});
}

const Shape<PoissonArrivals>& poisson_arrivals_shape() {
  static const Shape<PoissonArrivals> shape =
      Shape<PoissonArrivals>("poisson arrivals", "Independent arrivals at a constant rate.")
          .required("rate", arrival_rate(), &PoissonArrivals::rate, "\"7.5 kHz\"", "Mean rate.");
  return shape;
}

const Shape<ConstantArrivals>& constant_arrivals_shape() {
  static const Shape<ConstantArrivals> shape =
      Shape<ConstantArrivals>("constant arrivals",
                              "Evenly spaced arrivals; the first comes half a period after the beginning.")
          .required("rate", arrival_rate(), &ConstantArrivals::rate, "\"7.5 kHz\"", "Rate.");
  return shape;
}

const Shape<GammaArrivals>& gamma_arrivals_shape() {
  static const Shape<GammaArrivals> shape =
      Shape<GammaArrivals>("gamma arrivals", "Independent gaps between arrivals, gamma distributed.")
          .required("rate", arrival_rate(), &GammaArrivals::rate, "\"7.5 kHz\"", "One over the mean gap.")
          .required("cv", ratio_rule({.low = 0.0, .high = 100.0, .above_low = true}), &GammaArrivals::cv, "2",
                    "Coefficient of variation of the gaps: 1 is a Poisson process, more are bursts.");
  return shape;
}

/// [time, rate]
Rule<RatePoint> point_rule() {
  const Rule<Seconds> time = duration_rule({.low = "0 s", .high = "1e9 s", .usual = "h"});
  const Rule<Rate> rate = rate_rule({.low = "0 Hz", .high = "1000 MHz", .usual = "Hz"});
  return {
      {.words = "`[time, rate]`, for example `[\"6 h\", \"400 Hz\"]`",
       .schema = {},
       .form = ValueForm::tuple,
       .fields = {{.key = "time", .value = time.text, .input = InputRole::none}, {.key = "rate", .value = rate.text}}},
      [time, rate](const Spot& spot, ComplaintList& complaints) -> std::optional<RatePoint> {
        if (!is_list(spot, 2, 2, complaints)) return std::nullopt;
        const std::optional<Seconds> at = time.read(spot.element(0), complaints);
        const std::optional<Rate> there = rate.read(spot.element(1), complaints);
        if (!at || !there) return std::nullopt;
        return RatePoint{*at, *there};
      }};
}

Rule<std::vector<RatePoint>> points_rule() {
  return list_of(point_rule(), 2, most_profile_points);
}
Rule<Seconds> period_rule() {
  return duration_rule({.low = "0 s", .high = "1e9 s", .usual = "h", .above_low = true});
}

void check_profile(const ProfileArrivals& profile, const Spot& spot, ComplaintList& complaints) {
  const std::string list_at = spot.pointer + "/profile";
  if (!complaints.sound(spot.pointer)) return;
  const Spot list{*spot.node.find("profile"), list_at};
  const auto time_at = [&](std::size_t i) { return list.element(i).element(0); };
  const auto refuse = [&](const Spot& guilty, const char* code, const std::string& text) {
    complaints.refuse(guilty.node.place, guilty.pointer, code, guilty.subject() + " is " + shown(guilty.node) + text);
  };
  bool any_rate = false;
  for (std::size_t i = 0; i < profile.points.size(); ++i) {
    any_rate = any_rate || profile.points[i].rate > Rate{0.0};
    if (i > 0 && profile.points[i].at <= profile.points[i - 1].at)
      refuse(time_at(i), "scenario.not_ascending",
             ", not after the time of the point before it, " + shown(time_at(i - 1).node) +
                 "; list the points in the order of time, each time once.");
  }
  const std::size_t last = profile.points.size() - 1;
  if (profile.points[last].at > profile.period)
    refuse(time_at(last), "scenario.out_of_range",
           ", beyond the period of " + quantity_text(profile.period.value, Dimension::duration) +
               "; after it the profile begins again: raise \"period\", or leave the point out.");
  if (!any_rate)
    complaints.refuse(list.node.place, list_at, "scenario.no_arrivals",
                      list_at + " has only rates of 0, so that no event ever arrives; give a point a rate above 0 Hz.");
}

std::optional<ArrivalLaw> read_profile_arrivals(const Spot& spot, ComplaintList& complaints) {
  ProfileArrivals profile;
  std::optional<std::vector<RatePoint>> points =
      points_rule().read(spot.member(*spot.node.find("profile")), complaints);
  if (points) profile.points = std::move(*points);
  if (const Node* period = spot.node.find("period"))
    profile.period = period_rule().read(spot.member(*period), complaints).value_or(profile.period);
  check_profile(profile, spot, complaints);
  return profile;
}

template <class Law>
std::function<std::optional<ArrivalLaw>(const Spot&, ComplaintList&)> read_arrivals_with(const Shape<Law>& shape,
                                                                                         const char* key) {
  return [&shape, key](const Spot& spot, ComplaintList& complaints) -> std::optional<ArrivalLaw> {
    return shape.read(spot.member(*spot.node.find(key)), complaints);
  };
}

std::optional<ArrivalLaw> read_trace_arrivals(const Spot& spot, ComplaintList& complaints) {
  const std::optional<std::string> file = line_rule().read(spot.member(*spot.node.find("trace")), complaints);
  if (!file) return std::nullopt;
  return TraceArrivals{.file = *file};
}

/// One kind of arrivals: its keys, the first of which names it, and how an object with them becomes a law.
struct ArrivalKind {
  std::string key;
  std::vector<FieldText> values;  ///< the key's own first
  std::function<std::optional<ArrivalLaw>(const Spot&, ComplaintList&)> read;
};

/// The key that names a kind.
FieldText named(const std::string& key, const ValueText& value) {
  return {.key = key, .value = value, .required = true};
}

const std::vector<ArrivalKind>& arrival_kinds() {
  static const ValueText period = [] {
    ValueText text = period_rule().text;
    text.words = "its repetition, by default `\"24 h\"`";
    return text;
  }();
  static const std::vector<ArrivalKind> all{
      {"poisson",
       {named("poisson", poisson_arrivals_shape().rule().text)},
       read_arrivals_with(poisson_arrivals_shape(), "poisson")},
      {"constant",
       {named("constant", constant_arrivals_shape().rule().text)},
       read_arrivals_with(constant_arrivals_shape(), "constant")},
      {"gamma",
       {named("gamma", gamma_arrivals_shape().rule().text)},
       read_arrivals_with(gamma_arrivals_shape(), "gamma")},
      {"trace",
       {named("trace", {"a CSV file of dates, relative to this file",
                        R"({"type":"string"})",
                        ValueForm::single,
                        {PlaceKind::text}})},
       read_trace_arrivals},
      {"profile",
       {named("profile", points_rule().text), {.key = "period", .value = period, .input = InputRole::none}},
       read_profile_arrivals}};
  return all;
}

ValueText kind_text(const ArrivalKind& kind) {
  std::string keys;
  std::string words;
  for (const FieldText& field : kind.values) {
    keys += (keys.empty() ? "\"" : ", \"") + field.key + "\": ...";
    append_part(words, field.value.words, ", and ");
  }
  return {.words = "`{ " + keys + " }` with " + words, .schema = {}, .form = ValueForm::object, .fields = kind.values};
}

const Definition& arrivals_definition() {
  static const Definition definition = [] {
    Definition arrivals{"arrivals", "How events arrive from outside.", {}, {}};
    for (const ArrivalKind& kind : arrival_kinds()) arrivals.alternatives.push_back(kind_text(kind));
    return arrivals;
  }();
  return definition;
}

void refuse_other_keys(const Spot& spot, const ArrivalKind& kind, ComplaintList& complaints) {
  for (const Node& child : spot.node.children) {
    bool known = false;
    for (const FieldText& field : kind.values) known = known || child.key == field.key;
    if (known) continue;
    complaints.refuse(child.key_place, spot.member(child).pointer, "scenario.unknown_key",
                      spot.subject() + " has the key " + shown(child.key) + " beside \"" + kind.key +
                          "\"; arrivals have one kind, and its parameters stand inside.");
  }
}

}  // namespace

Rule<ArrivalLaw> arrival_rule() {
  return {reference_to(arrivals_definition()),
          [](const Spot& spot, ComplaintList& complaints) -> std::optional<ArrivalLaw> {
            if (spot.node.kind != NodeKind::object) {
              complaints.refuse(spot.node.place, spot.pointer, "scenario.wrong_type",
                                spot.subject() + " is " + shown(spot.node) +
                                    "; arrivals in braces are needed, for example { \"poisson\": { \"rate\": \"100 "
                                    "Hz\" } }.");
              return std::nullopt;
            }
            std::vector<std::string> keys;
            for (const ArrivalKind& kind : arrival_kinds()) keys.push_back(kind.key);
            const std::optional<std::size_t> chosen = chosen_key(spot, keys, "a pool", complaints);
            if (!chosen) return std::nullopt;
            refuse_other_keys(spot, arrival_kinds()[*chosen], complaints);
            return arrival_kinds()[*chosen].read(spot, complaints);
          }};
}

}  // namespace saturn
