#include <algorithm>
#include <cmath>

#include "models/laws/service_law.hpp"
#include "models/statistics/histogram.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/fields/law_rules.hpp"
#include "scenarios/fields/scenario_fields.hpp"

namespace saturn {

namespace {

/// Idle clocks and noise make measured times fall with the size; by more than this factor it is a mistake.
constexpr double largest_fall = 2.0;

const QuantityRange any_part{.low = "0 s", .high = "1e9 s", .usual = "ms"};

const Shape<MeasuredPoint>& measured_point_shape() {
  static const Shape<MeasuredPoint> shape =
      Shape<MeasuredPoint>("measured point",
                           "A batch size with the mean time that one instance alone on the device took.")
          .required("items", number_rule({.low = 1.0, .high = 1e9}), &MeasuredPoint::items, "8", "Items in the batch.")
          .held()
          .required("time", duration_rule({.low = "0 s", .high = "1e9 s", .usual = "ms", .above_low = true}),
                    &MeasuredPoint::time, "\"24.1 ms\"", "Mean time of such a batch.")
          .optional(
              "device", duration_rule({.low = "0 s", .high = "1e9 s", .usual = "ms", .above_low = true}),
              &MeasuredPoint::device, "all but the law's host part",
              "The part of that time that occupies the device, at most all of it; the rest is the host part. Given "
              "for all points or for none.");
  return shape;
}

const Shape<HostPart>& host_part_shape() {
  static const Shape<HostPart> shape =
      Shape<HostPart>("host part",
                      "The part of a batch's time in which its instance is busy and the device is not: launching, "
                      "copying, code on the host. It is contained in T(b), not added to it: per_batch + b·per_item, at "
                      "most T(b). Host parts of several instances overlap, unless the server has `batch_workers`; the "
                      "rest of T(b) is the device part, which they share.")
          .defaulted("per_batch", duration_rule(any_part), &HostPart::per_batch, "Part that every batch costs.")
          .measured()
          .defaulted("per_item", duration_rule(any_part), &HostPart::per_item, "Part that each item costs.")
          .measured();
  return shape;
}

/// Sizes to which batches are padded: a list, or the powers of two.
Rule<std::vector<double>> padding_rule() {
  constexpr std::uint64_t largest = 1'000'000'000;
  const Rule<std::vector<std::uint64_t>> list = list_of(count_rule(1, largest), 1, 1000);
  const Rule<std::size_t> word = choice_index_rule({"powers_of_two"});
  return {{.words = "\"powers_of_two\", or " + list.text.words,
           .schema = {},
           .form = ValueForm::either,
           .parts = {word.text, list.text}},
          [=](const Spot& spot, ComplaintList& complaints) -> std::optional<std::vector<double>> {
            std::vector<double> sizes;
            if (spot.node.kind != NodeKind::list) {
              if (spot.node.kind != NodeKind::text || spot.node.text != "powers_of_two")
                return refuse_value(spot, complaints, "scenario.not_a_choice",
                                    "; allowed is \"powers_of_two\", or a list of sizes, for example [1, 8, 64].");
              for (double size = 1.0; sizes.empty() || sizes.back() < static_cast<double>(largest); size *= 2.0)
                sizes.push_back(size);
              return sizes;
            }
            const std::optional<std::vector<std::uint64_t>> given = list.read(spot, complaints);
            if (!given) return std::nullopt;
            for (const std::uint64_t size : *given) sizes.push_back(static_cast<double>(size));
            std::sort(sizes.begin(), sizes.end());
            return sizes;
          }};
}

bool refuse_two_forms(const Spot& spot, ComplaintList& complaints) {
  for (const char* key : {"per_batch", "per_item"}) {
    const Node* node = spot.node.find(key);
    if (node == nullptr || spot.node.find("points") == nullptr) continue;
    complaints.refuse(node->key_place, spot.pointer + "/" + key, "scenario.two_laws",
                      spot.pointer + " has both \"points\" and \"" + key +
                          "\"; a law is either measured points, or per_batch and per_item: leave one out.");
    return true;
  }
  return false;
}

/// Points in the order of their sizes, with their places in the list.
std::vector<std::pair<MeasuredPoint, std::size_t>> by_size(const std::vector<MeasuredPoint>& points) {
  std::vector<std::pair<MeasuredPoint, std::size_t>> sorted;
  for (std::size_t i = 0; i < points.size(); ++i) sorted.emplace_back(points[i], i);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.first.items < b.first.items; });
  return sorted;
}

std::string decrease(const std::string& what, const std::string& pointer, const Node& point, const std::string& other,
                     const Node& before, const char* key) {
  return pointer + " " + what + " " + point.find(key)->text + " for " + point.find("items")->text +
         " items, less than " + other + ", which " + what + " " + before.find(key)->text + " for " +
         before.find("items")->text +
         "; a larger batch does not take less time: measure the two again, or leave one out.";
}

void check_order(const ServiceLaw& law, const Node& list, const std::string& points_at, ComplaintList& complaints) {
  const auto sorted = by_size(law.points);
  std::size_t longest = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const auto& [before, before_at] = sorted[i - 1];
    const auto& [point, at] = sorted[i];
    if (before.time > sorted[longest].first.time) longest = i - 1;
    const std::string pointer = points_at + "/" + std::to_string(at);
    const std::string other = points_at + "/" + std::to_string(before_at);
    const std::size_t longest_at = sorted[longest].second;
    const auto refuse = [&, place = list.children[at].place](const char* code, const std::string& text) {
      complaints.refuse(place, pointer, code, text);
    };
    if (point.items == before.items)
      refuse("scenario.point_given_twice", pointer + " gives the time of " + shortest(point.items) +
                                               " items a second time, after " + other +
                                               "; keep one of the two, or their mean.");
    else if (largest_fall * point.time < sorted[longest].first.time)
      refuse("scenario.law_decreases",
             decrease("takes", pointer, list.children[at], points_at + "/" + std::to_string(longest_at),
                      list.children[longest_at], "time"));
    else if (point.device && before.device && *point.device < *before.device)
      refuse("scenario.law_decreases",
             decrease("occupies the device", pointer, list.children[at], other, list.children[before_at], "device"));
  }
}

/// The device's part belongs to all points or to none, and is then the only word about the parts.
void check_device_parts(const ServiceLaw& law, const Spot& spot, ComplaintList& complaints) {
  const auto has_device = [](const MeasuredPoint& point) { return point.device.has_value(); };
  if (std::none_of(law.points.begin(), law.points.end(), has_device)) return;
  const Node& list = *spot.node.find("points");
  for (std::size_t i = 0; i < law.points.size(); ++i) {
    const std::string pointer = spot.pointer + "/points/" + std::to_string(i);
    if (!law.points[i].device)
      complaints.refuse(list.children[i].place, pointer, "scenario.device_part_missing",
                        pointer + " lacks \"device\", which other points have; give it for all points or for none.");
    else if (*law.points[i].device > law.points[i].time)
      complaints.refuse(list.children[i].find("device")->place, pointer + "/device", "scenario.device_part_above_time",
                        pointer + "/device is " + shown(*list.children[i].find("device")) + ", above time, which is " +
                            shown(*list.children[i].find("time")) + "; it is a part of that: lower it.");
  }
  if (const Node* host = spot.node.find("host"); host != nullptr)
    complaints.refuse(host->key_place, spot.pointer + "/host", "scenario.two_host_parts",
                      spot.pointer +
                          " has \"host\" beside points that say their \"device\" part, which leaves the host "
                          "part; leave one of the two out.");
}

/// Measured times that fall with the size share their mean, weighted for equal relative errors; every run of them is
/// named.
void average_falls(std::vector<MeasuredPoint>& points, const Node& list, const std::string& points_at,
                   ComplaintList& complaints) {
  std::vector<double> times;
  std::vector<double> weights;
  for (const MeasuredPoint& point : points) {
    times.push_back(point.time.value);
    weights.push_back(1.0 / (point.time.value * point.time.value));
  }
  const std::vector<double> pooled = non_descending(times, weights);
  for (std::size_t from = 0; from < points.size();) {
    std::size_t to = from + 1;
    while (to < points.size() && pooled[to] == pooled[from]) ++to;
    std::vector<std::string> sizes;
    std::vector<std::string> measured;
    for (std::size_t i = from; i < to; ++i) {
      sizes.push_back(shortest(points[i].items));
      measured.push_back(quantity_text(times[i], Dimension::duration));
    }
    const bool falls =
        std::any_of(times.begin() + static_cast<std::ptrdiff_t>(from), times.begin() + static_cast<std::ptrdiff_t>(to),
                    [&](double time) { return time != pooled[from]; });
    if (falls)
      complaints.warn(list.place, points_at, "scenario.law_falls",
                      points_at + " takes " + joined_and(measured) + " for " + joined_and(sizes) +
                          " items: no smaller batch takes longer, since it could be filled up to the larger one. Their "
                          "mean, " +
                          shortest(std::round(pooled[from] * 1e9) / 1e6) +
                          " ms, is taken for all of them; measure them again with two requests in flight, so that no "
                          "clock falls between requests.");
    for (std::size_t i = from; falls && i < to; ++i) points[i].time = Seconds{pooled[from]};
    from = to;
  }
}

/// Larger batches that are dearer than several smaller ones: a mistake of one of the two, as a rule of a lone client's.
void warn_of_dear_batches(const std::vector<MeasuredPoint>& points, const Node& list, const std::string& points_at,
                          ComplaintList& complaints) {
  std::vector<BatchTimePoint> times;
  for (const MeasuredPoint& point : points) times.push_back({.items = point.items, .time_s = point.time.value});
  for (const BatchTimeFault& fault : batch_time_faults(times))
    complaints.warn(list.place, points_at, "scenario.law_dear_batch", points_at + ": " + in_words(fault, times));
}

void check_points(ServiceLaw& law, const Spot& spot, ComplaintList& complaints) {
  const std::string points_at = spot.pointer + "/points";
  if (law.points.empty() || !complaints.sound(points_at)) return;
  check_order(law, *spot.node.find("points"), points_at, complaints);
  check_device_parts(law, spot, complaints);
  const auto sorted = by_size(law.points);
  for (std::size_t i = 0; i < sorted.size(); ++i) law.points[i] = sorted[i].first;
  if (!complaints.sound(points_at)) return;
  const Node& list = *spot.node.find("points");
  average_falls(law.points, list, points_at, complaints);
  warn_of_dear_batches(law.points, list, points_at, complaints);
}

}  // namespace

const Shape<ServiceLaw>& service_law_shape() {
  const auto nowhere = [](ServiceLaw&) { return Nothing{}; };
  static const Shape<ServiceLaw> shape =
      Shape<ServiceLaw>(
          "service law",
          "Mean time T(b) that an instance needs for a batch of b items, when it has its device for itself. Four ways "
          "to give it: (1) a straight line, T(b) = per_batch + b·per_item, for example `{ \"per_batch\": \"4 ms\", "
          "\"per_item\": \"120 us\" }`; (2) two or more measured points, joined by straight lines, for example `{ "
          "\"points\": [{ \"items\": 1, \"time\": \"6.5 ms\" }, { \"items\": 8, \"time\": \"24.1 ms\" }] }`: below the "
          "smallest point the line through the first two goes on, but never faster than in proportion to the first, "
          "above the largest that through the last two, up to twice its size and no further; (3) the name of a file "
          "that holds such an object, `{ \"file\": \"law.json\" }`; (4) a fitted parameter file, `{ \"fitted\": "
          "\"fitted.json\" }`. Times must be above 0 s. A larger batch takes no less "
          "time: measured times that fall by up to a factor of 2 share their mean, with a warning, and others are "
          "refused. A request or batch with item lengths counts as items times length.")
          .defaulted("per_batch", time_rule("ms"), &ServiceLaw::per_batch,
                     "Part that every batch costs, t0. A distribution is drawn anew for every batch.")
          .measured()
          .defaulted("per_item", time_rule("us"), &ServiceLaw::per_item,
                     "Part that each item costs, t1. A distribution is drawn once a batch, for all its items.")
          .measured()
          .defaulted("per_request", duration_rule(any_part), &ServiceLaw::per_request,
                     "What every request that joins a batch adds to it, the first left out: T(b) is measured with one "
                     "request of b items, and a batch of n requests takes T(b) + (n - 1)·per_request. A host part: "
                     "inputs and answers are copied one by one, while the device is another instance's.")
          .measured()
          .optional("points", list_of(measured_point_shape().rule(), 2, 1000), &ServiceLaw::points, "the straight line",
                    "Measured points, in any order, each size once; not beside per_batch or "
                    "per_item.")
          .measured()
          .defaulted("scatter", ratio_rule({.low = 0.0, .high = 10.0}), &ServiceLaw::scatter,
                     "Coefficient of variation of single batches round T(b): each is multiplied by a gamma variable of "
                     "mean 1, host part and device part alike.")
          .measured()
          .optional("host", host_part_shape().rule(), &ServiceLaw::host, "all of T(b) occupies the device",
                    "The part of T(b) that does not occupy the device.")
          .defaulted(
              "turns", count_rule(1, 1000), &ServiceLaw::turns,
              "How often a batch goes to and fro between host and device: between its turns it leaves the device "
              "to others. Both parts are split evenly over the turns.")
          .optional("padded_to", padding_rule(), &ServiceLaw::padded_to, "batches are executed as they are",
                    "Sizes to which batches are filled up before they are executed, the last not below the largest "
                    "batch: T(b) is that of the smallest of them that holds b. `\"powers_of_two\"` stands for 1, 2, 4, "
                    "8 and so on.")
          .defaulted("speed", number_rule({.low = 0.1, .high = 10.0}), &ServiceLaw::speed,
                     "By how much instances are faster than the times given here say: all of them, host part included, "
                     "are divided by it. For laws whose measurement held more than the server's work, or less.")
          .measured()
          .optional("rests_on",
                    choice_rule<LawBasis>({{"production", LawBasis::production},
                                           {"synthetic", LawBasis::synthetic},
                                           {"published", LawBasis::published},
                                           {"assumed", LawBasis::assumed}}),
                    &ServiceLaw::rests_on, "not said",
                    "What the numbers rest on: rows of the load that is to be predicted; of a load generator, such as "
                    "perf_analyzer, or a loop on the device; a number that somebody gives without its rows; or "
                    "nothing. `check` and `plan` say where it is not the first.")
          .unchosen()
          .optional("source", only_checked(line_rule()), nowhere, "nothing", "Where the numbers come from; not read.")
          .unchosen()
          .optional("file", only_checked(line_rule()), nowhere, "the law stands here",
                    "A JSON file that holds the law, relative to the scenario file; the only key where it is used.")
          .optional("fitted", only_checked(line_rule()), nowhere, "the law stands here",
                    "A fitted parameter file that holds the law, relative to the scenario file, as in "
                    "[fitted](#fitted); beside it only \"fit\", \"speed\", \"padded_to\", \"per_request\" and "
                    "\"rests_on\" may stand.")
          .optional("fit", only_checked(line_rule()), nowhere, "the fit named like the model, or the only service law",
                    "Which of that file's fits.")
          .finish([](ServiceLaw& law, const Spot& spot, ComplaintList& complaints) {
            if (!refuse_two_forms(spot, complaints)) check_points(law, spot, complaints);
            const double speed = law.speed;
            law = at_speed(std::move(law), speed);
          });
  return shape;
}

}  // namespace saturn
