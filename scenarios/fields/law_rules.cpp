#include "scenarios/fields/law_rules.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/fields/field_table.hpp"

namespace saturn {

// Distributions and arrivals as a document gives them: objects with one key, which names the law and holds its
// parameters.

namespace {

const KindWords distribution_words{.noun = "a distribution", .alone = "a distribution has one key"};
constexpr const char* cv_sentence = "Coefficient of variation: standard deviation over mean.";

struct MeanOnly {
  double mean = 0.0;
};
struct MeanAndVariation {
  double mean = 0.0;
  double cv = 0.0;
};

Rule<double> positive_number(double most) {
  return number_rule({.low = 0.0, .high = most, .above_low = true});
}

/// Complains where the low end of a range lies above the high one.
template <class Range>
void check_ends(const Range& range, const Spot& spot, ComplaintList& complaints) {
  if (range.low <= range.high || !complaints.sound(spot.pointer)) return;
  refuse_value(spot.member(*spot.node.find("low")), complaints, "scenario.out_of_range",
               ", above high, which is " + shown(*spot.node.find("high")) + "; exchange the two.");
}

Rule<std::uint64_t> constant_items() {
  return count_rule(1, 1'000'000'000);
}

const Kinds<CountDistribution>& item_kinds() {
  using Counts = CountDistribution;
  static const Kinds<Counts> kinds =
      Kinds<Counts>("items", "A number of items, or a distribution from which every event draws its own.",
                    distribution_words)
          .or_plain(constant_items().text)
          .kind("poisson",
                Shape<MeanOnly>("poisson counts", "Poisson: so many independent rare things.")
                    .required("mean", positive_number(1e6), &MeanOnly::mean, "17.5", "Mean."),
                [](MeanOnly law) { return Counts::poisson(law.mean); })
          .kind("lognormal",
                Shape<MeanAndVariation>("lognormal counts",
                                        "Lognormal, as 1,000 equally likely quantiles, each rounded to a whole number.")
                    .required("mean", positive_number(1e8), &MeanAndVariation::mean, "100",
                              "Mean of the count, not of its logarithm; that of the quantiles is a little lower.")
                    .required("cv", positive_number(10.0), &MeanAndVariation::cv, "0.5", cv_sentence),
                [](MeanAndVariation law) { return Counts::lognormal(law.mean, law.cv); })
          .kind("geometric",
                Shape<MeanOnly>("geometric counts",
                                "Geometric from 0 on: each count is as much less likely as the one before.")
                    .required("mean", positive_number(1e3), &MeanOnly::mean, "3", "Mean."),
                [](MeanOnly law) { return Counts::geometric(law.mean); })
          .kind("values", list_of(count_rule(0, 1'000'000'000), 1, 100'000),
                [](const std::vector<std::uint64_t>& counts) { return Counts::values(counts); });
  return kinds;
}

Rule<double> constant_speed() {
  return positive_number(1000.0);
}

const Kinds<WorkerSpeed>& speed_kinds() {
  static const Kinds<WorkerSpeed> kinds =
      Kinds<WorkerSpeed>(
          "speed",
          "A speed, or a distribution over the jobs of the pool: job i of n has its quantile (i + 1/2)/n, or the "
          "listed values in turn; which job is which is drawn for each replication.",
          distribution_words)
          .or_plain(constant_speed().text)
          .kind("lognormal",
                Shape<LognormalSpeed>("lognormal speed", "Lognormal: the logarithm of the speed is normal.")
                    .required("mean", constant_speed(), &LognormalSpeed::mean, "1.0",
                              "Mean of the speed, not of its logarithm.")
                    .required("cv", positive_number(2.0), &LognormalSpeed::cv, "0.2", cv_sentence))
          .kind("uniform",
                Shape<UniformSpeed>("uniform speed", "Uniform between two speeds.")
                    .varies_as_one()
                    .required("low", constant_speed(), &UniformSpeed::low, "0.8", "Lowest.")
                    .required("high", constant_speed(), &UniformSpeed::high, "1.2", "Highest; not below low.")
                    .finish(check_ends<UniformSpeed>))
          .kind("values", list_of(constant_speed(), 1, 1000),
                [](std::vector<double> values) { return ListedSpeeds{std::move(values)}; });
  return kinds;
}

Rule<Seconds> any_duration(const std::string& unit) {
  return duration_rule({.low = "0 s", .high = "1e9 s", .usual = unit});
}
Rule<Seconds> positive_duration(const std::string& unit) {
  return duration_rule({.low = "0 s", .high = "1e9 s", .usual = unit, .above_low = true});
}
Rule<double> variation() {
  return ratio_rule({.low = 0.0, .high = 100.0, .above_low = true});
}

const Kinds<TimeDistribution>& time_kinds() {
  static const Kinds<TimeDistribution> kinds =
      Kinds<TimeDistribution>("time", "A duration, or a distribution from which every draw is independent.",
                              distribution_words)
          .or_plain(any_duration("s").text)
          .kind("constant", any_duration("s"), [](Seconds time) { return ConstantTime{time}; })
          .kind("exponential",
                Shape<ExponentialTime>("exponential", "Exponential: no memory; its standard deviation equals its mean.")
                    .required("mean", positive_duration("s"), &ExponentialTime::mean, "\"1 s\"", "Mean."))
          .kind("gamma", Shape<GammaTime>("gamma", "Gamma: shape 1/cv², scale mean·cv².")
                             .required("mean", positive_duration("s"), &GammaTime::mean, "\"1 s\"", "Mean.")
                             .required("cv", variation(), &GammaTime::cv, "0.5", cv_sentence))
          .kind("lognormal", Shape<LognormalTime>("lognormal", "Lognormal: the logarithm of the time is normal.")
                                 .required("mean", positive_duration("s"), &LognormalTime::mean, "\"1 s\"",
                                           "Mean of the time, not of its logarithm.")
                                 .required("cv", variation(), &LognormalTime::cv, "0.2", cv_sentence))
          .kind("uniform",
                Shape<UniformTime>("uniform", "Uniform between two durations.")
                    .varies_as_one()
                    .required("low", any_duration("s"), &UniformTime::low, "\"1 s\"", "Shortest.")
                    .required("high", any_duration("s"), &UniformTime::high, "\"2 s\"", "Longest; not below low.")
                    .finish(check_ends<UniformTime>))
          .kind("empirical", list_of(any_duration("s"), 1, 100'000),
                [](std::vector<Seconds> values) { return EmpiricalTime{std::move(values)}; });
  return kinds;
}

// Rarer events would come so late in a run that the clock's last digit matters to their times.
Rule<Rate> arrival_rate() {
  return rate_rule({.low = "0.36 /h", .high = "1000 MHz", .usual = "Hz"});
}

/// [time, rate]
Rule<RatePoint> point_rule() {
  const Rule<Seconds> time = any_duration("h");
  const Rule<Rate> rate = rate_rule({.low = "0 Hz", .high = "1000 MHz", .usual = "Hz"});
  return {
      {.words = "`[time, rate]`, for example `[\"6 h\", \"400 Hz\"]`",
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

void check_profile(const ProfileArrivals& profile, const Spot& spot, ComplaintList& complaints) {
  const std::string list_at = spot.pointer + "/profile";
  if (!complaints.sound(spot.pointer)) return;
  const Spot list{*spot.node.find("profile"), list_at};
  const auto time_at = [&](std::size_t i) { return list.element(i).element(0); };
  bool any_rate = false;
  for (std::size_t i = 0; i < profile.points.size(); ++i) {
    any_rate = any_rate || profile.points[i].rate > Rate{0.0};
    if (i > 0 && profile.points[i].at <= profile.points[i - 1].at)
      refuse_value(time_at(i), complaints, "scenario.not_ascending",
                   ", not after the time of the point before it, " + shown(time_at(i - 1).node) +
                       "; list the points in the order of time, each time once.");
  }
  const std::size_t last = profile.points.size() - 1;
  if (profile.points[last].at > profile.period)
    refuse_value(time_at(last), complaints, "scenario.out_of_range",
                 ", beyond the period of " + quantity_text(profile.period.value, Dimension::duration) +
                     "; after it the profile begins again: raise \"period\", or leave the point out.");
  if (!any_rate)
    complaints.refuse(list.node.place, list_at, "scenario.no_arrivals",
                      list_at + " has only rates of 0, so that no event ever arrives; give a point a rate above 0 Hz.");
}

void check_periods(const OnOffArrivals& source, const Spot& spot, ComplaintList& complaints) {
  if (!complaints.sound(spot.pointer)) return;
  const auto check = [&](const char* key, const TimeDistribution& period) {
    if (mean(period).value > 0.0) return;
    const std::string at = spot.pointer + "/" + key;
    complaints.refuse(spot.node.find(key)->place, at, "scenario.no_period",
                      at + " is 0 s on average, so that the source never is; give its length, or take "
                           "\"poisson\" arrivals.");
  };
  check("on", source.on);
  check("off", source.off);
}

const Kinds<ArrivalLaw>& arrival_kinds() {
  constexpr std::size_t most_points_of_profile = 10'000;
  static const Kinds<ArrivalLaw> kinds = [] {
    Rule<Seconds> period = positive_duration("h");
    period.text.words = "its repetition, by default `\"24 h\"`";
    const Rule<std::string> file{
        {"a CSV file of dates, relative to this file", R"({"type":"string"})", ValueForm::single, {PlaceKind::text}},
        line_rule().read};
    return Kinds<ArrivalLaw>("arrivals", "How events arrive from outside.",
                             {.noun = "a pool", .alone = "arrivals have one kind"})
        .kind("poisson", Shape<PoissonArrivals>("poisson arrivals", "Independent arrivals at a constant rate.")
                             .required("rate", arrival_rate(), &PoissonArrivals::rate, "\"7.5 kHz\"", "Mean rate."))
        .kind("constant",
              Shape<ConstantArrivals>("constant arrivals",
                                      "Evenly spaced arrivals; the first comes half a period after the beginning.")
                  .required("rate", arrival_rate(), &ConstantArrivals::rate, "\"7.5 kHz\"", "Rate."))
        .kind("gamma",
              Shape<GammaArrivals>("gamma arrivals", "Independent gaps between arrivals, gamma distributed.")
                  .required("rate", arrival_rate(), &GammaArrivals::rate, "\"7.5 kHz\"", "One over the mean gap.")
                  .required("cv", variation(), &GammaArrivals::cv, "2",
                            "Coefficient of variation of the gaps: 1 is a Poisson process, more are bursts."))
        .kind("on_off",
              Shape<OnOffArrivals>("source of arrivals",
                                   "Independent arrivals at one rate while a source is on, and at another while it is "
                                   "off; periods follow each other in turn, each drawn by itself.")
                  .required("rate", arrival_rate(), &OnOffArrivals::rate, "\"7.5 kHz\"", "Mean rate while on.")
                  .defaulted("rate_off", rate_rule({.low = "0 Hz", .high = "1000 MHz", .usual = "Hz"}),
                             &OnOffArrivals::rate_off, "Mean rate while off.")
                  .required("on", time_rule("s"), &OnOffArrivals::on, "{ \"exponential\": { \"mean\": \"10 s\" } }",
                            "Length of a period on.")
                  .required("off", time_rule("s"), &OnOffArrivals::off, "{ \"exponential\": { \"mean\": \"50 s\" } }",
                            "Length of a period off.")
                  .finish(check_periods))
        .kind("trace", file, [](const std::string& name) { return TraceArrivals{.file = name}; })
        .kind_with(
            Shape<ProfileArrivals>("profile arrivals", "")
                .required("profile", list_of(point_rule(), 2, most_points_of_profile), &ProfileArrivals::points, "", "")
                .optional("period", period, &ProfileArrivals::period, "", "")
                .held()
                .finish(check_profile));
  }();
  return kinds;
}

}  // namespace

Rule<CountDistribution> items_rule() {
  return item_kinds().rule(
      constant_items(), [](std::uint64_t items) { return CountDistribution(items); },
      [](const CountDistribution& items) {
        return items.is_constant() ? std::optional(items.largest()) : std::nullopt;
      });
}

Rule<WorkerSpeed> speed_rule() {
  return speed_kinds().rule(
      constant_speed(), [](double speed) { return ConstantSpeed{speed}; },
      [](const WorkerSpeed& speed) {
        const auto* always = std::get_if<ConstantSpeed>(&speed);
        return always == nullptr ? std::nullopt : std::optional(always->value);
      });
}

Rule<TimeDistribution> time_rule(const std::string& usual_unit) {
  return time_kinds().rule(
      any_duration(usual_unit), [](Seconds time) { return ConstantTime{time}; },
      [](const TimeDistribution& time) {
        const auto* always = std::get_if<ConstantTime>(&time);
        return always == nullptr ? std::nullopt : std::optional(always->value);
      });
}

Rule<ArrivalLaw> arrival_rule() {
  return arrival_kinds().rule("arrivals in braces are needed, for example { \"poisson\": { \"rate\": \"100 Hz\" } }.");
}

}  // namespace saturn
