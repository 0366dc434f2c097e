#include <deque>
#include <map>
#include <string>

#include "scenarios/fields/law_rules.hpp"
#include "scenarios/fields/scenario_fields.hpp"
#include "scenarios/living.hpp"

/// The keys of calls that come late or fail, of what breaks, and of servers that follow the load.

namespace saturn {

namespace {

Rule<Seconds> wait_rule() {
  return duration_rule({.low = "0 s", .high = "1e6 s", .usual = "s"});
}
Rule<Seconds> period_rule() {
  return duration_rule({.low = "1 ms", .high = "1e6 s", .usual = "s"});
}
Rule<Seconds> date_of_run_rule() {
  return duration_rule({.low = "0 s", .high = "1e9 s", .usual = "min"});
}

constexpr const char* silent_sentence =
    "True: nobody is told. What was there is lost, and clients know it by their deadlines alone, as when a node loses "
    "its power. False: clients are told at once, as when a process ends and its connections with it.";

constexpr const char* noticed_sentence = "Of nodes: time until the balancers know it and send nothing more there.";

}  // namespace

const Shape<RetryRule>& retry_shape() {
  static const Shape<RetryRule> shape =
      Shape<RetryRule>("retries",
                       "Tries after the first one. Before the n-th of them the stream waits min(first·factor^(n-1), "
                       "most), of which the share `jitter` is drawn.")
          .required("count", count_rule(0, 1000), &RetryRule::count, "1",
                    "How many. 0: a call that has failed is not tried again.")
          .searched(SearchStart::up_to_4)
          .defaulted("first", time_rule("ms"), &RetryRule::first, "Wait before the first of them.")
          .defaulted("factor", number_rule({.low = 1.0, .high = 100.0}), &RetryRule::factor,
                     "How many times as long each further wait is.")
          .optional("most", wait_rule(), &RetryRule::most, "no limit", "Longest wait.")
          .defaulted("jitter", ratio_rule({.low = 0.0, .high = 1.0}), &RetryRule::jitter,
                     "Share of a wait that is drawn, uniform from nothing on: 0 always waits as long, 1 anything from "
                     "0 on (Envoy's rule).")
          .defaulted(
              "on", choice_rule<RetryOn>({{"any_node", RetryOn::any_node}, {"other_node", RetryOn::other_node}}),
              &RetryRule::on,
              "Where: on the node that the balancer chooses, or on another than that which failed, if there is one.");
  return shape;
}

const Shape<Fallback>& fallback_shape() {
  static const Shape<Fallback> shape =
      Shape<Fallback>("fallback", "Who does the work of a call that all its tries have failed.")
          .optional("server", name_rule(), &Fallback::server, "the job's own core",
                    "Name of a server that holds the model; its tries have no deadline. Without it the job infers "
                    "itself, in the stage's `cpu_alternative`.")
          .defaulted("start_up", duration_rule({.low = "0 s", .high = "1 h", .usual = "s"}), &Fallback::start_up,
                     "Of what a job does itself: time that its local server takes to start, at the first use in each "
                     "job.");
  return shape;
}

const Shape<FailureLaw>& failure_shape() {
  static const Shape<FailureLaw> shape =
      Shape<FailureLaw>("failures",
                        "How often something breaks, and how long it takes to repair it; each alike thing "
                        "breaks by itself.")
          .required("every", time_rule("h"), &FailureLaw::every, "{ \"exponential\": { \"mean\": \"1000 h\" } }",
                    "Time from coming back to the next failure.")
          .measured()
          .required("repair", time_rule("min"), &FailureLaw::repair, "\"30 min\"",
                    "Time from a failure to its repair. A node then starts up (`start_up`, `load_time`).")
          .measured()
          .defaulted("silent", flag_rule(), &FailureLaw::silent, silent_sentence)
          .defaulted("noticed", wait_rule(), &FailureLaw::noticed, noticed_sentence);
  return shape;
}

const Shape<Outage>& outage_shape() {
  static const Shape<Outage> shape =
      Shape<Outage>("outage",
                    "Something that is out of service from one date of the run to another: a server, or a link.")
          .optional("server", name_rule(), &Outage::server, "a link's outage", "Name of the server.")
          .optional("nodes", count_rule(1, 1'000'000'000), &Outage::nodes, "all of its nodes",
                    "So many nodes of the server, the first ones: a rack.")
          .optional("link", list_of(name_rule(), 2, 2), &Outage::link, "a server's outage",
                    "The two sites that the link joins.")
          .defaulted("speed", ratio_rule({.low = 0.0, .high = 0.999}), &Outage::speed,
                     "Of a link: the share of its bandwidth that is left. 0: nothing passes, and transfers under way "
                     "stand still until it is repaired.")
          .required("from", date_of_run_rule(), &Outage::from, "\"10 min\"", "Since the run's beginning.")
          .required("for", duration_rule({.low = "0 s", .high = "1e9 s", .usual = "min", .above_low = true}),
                    &Outage::length, "\"10 min\"", "Until it is repaired.")
          .defaulted("silent", flag_rule(), &Outage::silent, silent_sentence)
          .defaulted("noticed", wait_rule(), &Outage::noticed, noticed_sentence)
          .finish([](Outage& outage, const Spot& spot, ComplaintList& complaints) {
            const std::optional<std::size_t> chosen = chosen_key(spot, {"server", "link"}, "an outage", complaints);
            const auto refuse = [&](const char* key, const char* of) {
              if (const Node* node = spot.node.find(key))
                complaints.refuse(node->key_place, spot.pointer + "/" + key, "scenario.beside_outage",
                                  spot.pointer + "/" + key + " is for outages of " + of + "; leave it out.");
            };
            if (chosen == 0) refuse("speed", "links");
            if (chosen == 1) refuse("nodes", "servers");
            if (chosen == 1) refuse("silent", "servers");
            if (chosen == 1) refuse("noticed", "servers");
            if (outage.link.size() != 2) outage.link.clear();
          });
  return shape;
}

const Shape<Sag>& sag_shape() {
  static const Shape<Sag> shape =
      Shape<Sag>("sag",
                 "How a node slows down beyond saturation, where that was measured: a batch that begins takes "
                 "1 + slope·(n - above) times as long while n > above requests wait there or are executed, its own "
                 "included.")
          .required("above", count_rule(0, 1'000'000'000), &Sag::above, "64",
                    "Requests at the node up to which it is as fast as ever.")
          .measured()
          .required("slope", ratio_rule({.low = 0.0, .high = 100.0, .above_low = true}), &Sag::slope, "\"0.5%\"",
                    "Share of its time by which a batch takes longer for each further request.")
          .measured()
          .defaulted("most", number_rule({.low = 1.0, .high = 1000.0}), &Sag::most,
                     "How many times as long it takes at most.");
  return shape;
}

const Shape<RateLimit>& rate_limit_shape() {
  static const Shape<RateLimit> shape =
      Shape<RateLimit>(
          "rate limit",
          "A bucket of tokens at the server's door, in front of all its nodes, as Envoy's local rate limit "
          "is: each request that comes takes a token; where there is none it is refused at once, and its "
          "client may try it again.")
          .required("tokens", count_rule(1, 1'000'000'000), &RateLimit::tokens, "100",
                    "Tokens at the beginning, and the most that it holds.")
          .required("per_fill", count_rule(1, 1'000'000'000), &RateLimit::per_fill, "10",
                    "Tokens that come, all at once.")
          .required("every", duration_rule({.low = "50 ms", .high = "1e6 s", .usual = "s"}), &RateLimit::every,
                    "\"1 s\"", "Time between two fills.");
  return shape;
}

namespace {

Shape<ScalingPace> pace_shape(const char* name, const char* sentence, const char* usual) {
  return Shape<ScalingPace>(name, sentence)
      .defaulted("stabilisation", wait_rule(), &ScalingPace::stabilisation,
                 "Proposals of this time count as well: the lowest of them on the way up, the highest on the way down.")
      .optional("nodes", count_rule(1, 1'000'000), &ScalingPace::nodes, usual, "Nodes that may change within a period.")
      .optional("share", ratio_rule({.low = 0.0, .high = 1000.0, .above_low = true}), &ScalingPace::share, usual,
                "Share of the nodes that may change within a period; \"100%\" doubles them. With `nodes` too, the "
                "larger change is allowed.")
      .defaulted("period", period_rule(), &ScalingPace::period, "The period.");
}

/// The autoscaler's pace, for the keys that stand there.
Rule<ScalingPace> pace_rule(const char* name, const char* sentence, const char* usual, ScalingPace fresh) {
  static std::map<std::string, Shape<ScalingPace>> shapes;
  const Shape<ScalingPace>& shape = shapes.try_emplace(name, pace_shape(name, sentence, usual)).first->second;
  return {reference_to(shape.definition()),
          [&shape, fresh](const Spot& spot, ComplaintList& complaints) -> std::optional<ScalingPace> {
            std::optional<ScalingPace> pace = shape.read(spot, complaints);
            if (!pace) return std::nullopt;
            if (spot.node.find("stabilisation") == nullptr) pace->stabilisation = fresh.stabilisation;
            if (!pace->nodes && !pace->share) {
              pace->nodes = fresh.nodes;
              pace->share = fresh.share;
            }
            return pace;
          }};
}

const Shape<ScaleToZero>& to_zero_shape() {
  static const Shape<ScaleToZero> shape =
      Shape<ScaleToZero>("scale to zero",
                         "KEDA in front of the autoscaler: after a cool-down without load there is no node at all, and "
                         "the first sign of load brings `min` of them back, at least one.")
          .defaulted("polling", period_rule(), &ScaleToZero::polling, "Time between two looks at the metric.")
          .defaulted("cool_down", wait_rule(), &ScaleToZero::cool_down,
                     "Time without load after which the last nodes go.")
          .defaulted("counts_arrivals", flag_rule(), &ScaleToZero::counts_arrivals,
                     "True: requests that find no node count as load (measured in front of the servers). False: the "
                     "metric comes from the servers alone and is empty without them, so that the first one never "
                     "starts.");
  return shape;
}

/// As a document has a metric: the key says which, its value where the limit lies.
struct MetricText {
  std::optional<Seconds> queue_time{};
  std::optional<Seconds> queue_time_per_batch{};
  std::optional<double> in_flight{};
  std::optional<double> utilisation{};
  std::optional<Rate> request_rate{};

  double limit(ScalingMetric metric) const {
    switch (metric) {
      case ScalingMetric::queue_time:
        return queue_time.value_or(Seconds{}).value;
      case ScalingMetric::queue_time_per_batch:
        return queue_time_per_batch.value_or(Seconds{}).value;
      case ScalingMetric::in_flight:
        return in_flight.value_or(0.0);
      case ScalingMetric::utilisation:
        return utilisation.value_or(0.0);
      case ScalingMetric::request_rate:
        break;
    }
    return request_rate.value_or(Rate{}).value;
  }
};

/// The keys of metrics. @param limit  what the value is: "Target"
template <class Text>
Shape<Text>& with_metrics(Shape<Text>& shape, const char* limit) {
  static std::deque<std::string> kept;
  const auto says = [&](const char* of) { return kept.emplace_back(limit + std::string(" of ") + of).c_str(); };
  const QuantityRange queue{.low = "1 us", .high = "1e6 s", .usual = "ms"};
  const auto part = [](auto member) {
    return [member](Text & text) -> auto& {
      return text.metric.*member;
    };
  };
  return shape
      .optional("queue_time", duration_rule(queue), part(&MetricText::queue_time), "another metric",
                says("the mean wait of requests in the queues of the server."))
      .optional("queue_time_per_batch", duration_rule(queue), part(&MetricText::queue_time_per_batch), "another metric",
                says("the waits of all requests over the number of executed batches, which batching inflates: "
                     "the metric of SuperSONIC's chart 0.3.1."))
      .optional("in_flight", number_rule({.low = 0.0, .high = 1e9, .above_low = true}), part(&MetricText::in_flight),
                "another metric", says("the requests at the server, waiting ones included, for each node."))
      .optional("utilisation", ratio_rule({.low = 0.0, .high = 1.0, .above_low = true}), part(&MetricText::utilisation),
                "another metric", says("the busy share of the devices of nodes in service."))
      .optional("request_rate", rate_rule({.low = "1e-6 Hz", .high = "1e9 Hz", .usual = "Hz"}),
                part(&MetricText::request_rate), "another metric", says("the requests a second for each node."));
}

/// The metric that stands there, the only one. @param of  "an autoscaler"
std::optional<ScalingMetric> chosen_metric(const Spot& spot, const char* of, ComplaintList& complaints) {
  const std::optional<std::size_t> chosen = chosen_key(
      spot, {"queue_time", "queue_time_per_batch", "in_flight", "utilisation", "request_rate"}, of, complaints);
  return chosen ? std::optional(static_cast<ScalingMetric>(*chosen)) : std::nullopt;
}

struct AutoscalerText {
  Autoscaler rules{};
  MetricText metric{};
};

struct AdmissionText {
  Admission rules{};
  MetricText metric{};
};

template <class Rules, class Value>
auto of_rules(Value Rules::*member) {
  return [member](auto& text) -> Value& { return text.rules.*member; };
}

const Shape<AutoscalerText>& autoscaler_shape() {
  static const Shape<AutoscalerText> shape = [] {
    Shape<AutoscalerText> made(
        "autoscaler",
        "Nodes of the server follow the load, by the rules of Kubernetes' horizontal pod autoscaler: every `sync` it "
        "wants ceil(nodes · metric / target), or what brings a total to the target a node. Exactly one metric is "
        "given, with its target. docs/models/autoscaling.md has the rules.");
    made.defaulted("min", count_rule(0, 1'000'000), of_rules(&Autoscaler::least), "Fewest nodes; 0 needs `to_zero`.")
        .required("max", count_rule(1, 1'000'000), of_rules(&Autoscaler::most), "10", "Most nodes.")
        .searched(SearchStart::up_to_16);
    with_metrics(made, "Target")
        .defaulted("scrape", period_rule(), of_rules(&Autoscaler::scrape), "Time between two readings of a node.")
        .defaulted("window", period_rule(), of_rules(&Autoscaler::window),
                   "Time over which rates are taken; at least two readings.")
        .defaulted("sync", period_rule(), of_rules(&Autoscaler::sync), "Time between two decisions.")
        .defaulted("tolerance", ratio_rule({.low = 0.0, .high = 1.0}), of_rules(&Autoscaler::tolerance),
                   "Relative distance of the metric from its target within which nothing changes.")
        .optional("up",
                  pace_rule("pace up", "How fast nodes are added.",
                            "4 nodes or all of them over again, whichever is more", Autoscaler{}.up),
                  of_rules(&Autoscaler::up), "4 nodes or 100% within 15 s, without delay", "How fast nodes are added.")
        .optional("down", pace_rule("pace down", "How fast nodes go.", "all of them", Autoscaler{}.down),
                  of_rules(&Autoscaler::down), "100% within 15 s, when nothing has wanted more for 300 s",
                  "How fast nodes go.")
        .optional("to_zero", to_zero_shape().rule(), of_rules(&Autoscaler::to_zero), "there is always a node",
                  "The way to no node at all, and back.")
        .defaulted("grace", wait_rule(), of_rules(&Autoscaler::grace),
                   "Time that a node which is to go has for the requests that it was sent; what is left then is "
                   "lost.");
    return made;
  }();
  return shape;
}

const Shape<AdmissionText>& admission_shape() {
  static const Shape<AdmissionText> shape = [] {
    Shape<AdmissionText> made(
        "admission",
        "Who judges jobs at the server's door by its load, as SuperSONIC's balancer does with Prometheus: a job whose "
        "first call comes while the metric is above its limit does not get the server, and calls the next one of its "
        "stage's `servers`, or its fallback; a job that was let in stays. Exactly one metric is given. Stages name "
        "the server, and choose once a job.");
    with_metrics(made, "Upper limit")
        .defaulted("scrape", period_rule(), of_rules(&Admission::scrape), "Time between two readings of a node.")
        .defaulted("window", period_rule(), of_rules(&Admission::window),
                   "Time over which rates are taken; at least two readings.")
        .defaulted("unknown",
                   choice_rule<UnknownLoad>({{"refused", UnknownLoad::refused}, {"admitted", UnknownLoad::admitted}}),
                   of_rules(&Admission::unknown),
                   "What becomes of a job while nobody knows the load: before the second reading, or without a node.");
    return made;
  }();
  return shape;
}

/// @param of     "an autoscaler"
/// @param limit  where the rules keep the metric's
template <class Text, class Rules>
Rule<Rules> rule_by_metric(const Shape<Text>& shape, const char* of, double Rules::*limit) {
  return {reference_to(shape.definition()),
          [&shape, of, limit](const Spot& spot, ComplaintList& complaints) -> std::optional<Rules> {
            const std::optional<Text> text = shape.read(spot, complaints);
            if (!text) return std::nullopt;
            const std::optional<ScalingMetric> metric = chosen_metric(spot, of, complaints);
            if (!metric) return std::nullopt;
            Rules rules = text->rules;
            rules.metric = *metric;
            rules.*limit = text->metric.limit(*metric);
            return rules;
          }};
}

}  // namespace

Rule<Autoscaler> autoscaler_rule() {
  return rule_by_metric(autoscaler_shape(), "an autoscaler", &Autoscaler::target);
}

Rule<Admission> admission_rule() {
  return rule_by_metric(admission_shape(), "admission", &Admission::most);
}

}  // namespace saturn
