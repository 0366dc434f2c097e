#include "models/scaling/keda.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <limits>

using namespace saturn;

namespace {

QueryAnswer found(double value) {
  return {.value = value};
}
const QueryAnswer nothing{};
const QueryAnswer failed{.has_failed = true};

KedaRules limits(int least, int most) {
  return {.scaling = {.min_replicas = least, .max_replicas = most}};
}

Replicas running(int count) {
  return {.wanted = count, .present = count, .ready = count};
}

}  // namespace

TEST_CASE("the first replica starts when the metric is above the activation threshold, not at it") {
  KedaRules rules = limits(0, 10);
  rules.activation_threshold = 2.0;
  ScaledObject object(rules, 0.0);
  CHECK(object.poll(0, 0, found(2.0)) == 0);
  CHECK(object.poll(30, 0, found(2.1)) == 1);
  CHECK(object.poll(60, 7, found(50.0)) == 7);
  ScaledObject three(limits(3, 10), 0.0);
  CHECK(three.poll(0, 0, found(1.0)) == 3);
}

TEST_CASE("a query that finds nothing, or no number, is 0, and never starts the first replica") {
  ScaledObject object(limits(0, 10), 0.0);
  for (const double strange : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    CHECK(object.poll(0, 0, found(strange)) == 0);
  CHECK(object.poll(0, 0, nothing) == 0);
  // The autoscaler behind it rests at no replicas, whatever the metric.
  CHECK(object.sync(0, running(0), found(100.0)) == 0);
}

TEST_CASE("all replicas stop at once when the cool-down has passed since the service was last active") {
  KedaRules rules = limits(0, 10);
  rules.cooldown_s = 120.0;
  ScaledObject object(rules, 0.0);
  CHECK(object.poll(30, 4, found(1.0)) == 4);
  CHECK(object.poll(60, 4, found(0.0)) == 4);
  CHECK(object.poll(150, 4, nothing) == 4);
  CHECK(object.poll(151, 4, nothing) == 0);
  // Never active: the first cool-down counts from its creation, and is 0 by default.
  CHECK(ScaledObject(rules, 0.0).poll(1, 4, nothing) == 0);
  rules.initial_cooldown_s = 60.0;
  CHECK(ScaledObject(rules, 0.0).poll(60, 4, nothing) == 4);
  CHECK(ScaledObject(rules, 0.0).poll(61, 4, nothing) == 0);
}

TEST_CASE(
    "with a least number above 0 the loop only fills up to it, and idle replicas take its place where they are set") {
  ScaledObject object(limits(2, 10), 0.0);
  CHECK(object.poll(1000, 5, nothing) == 5);
  CHECK(object.poll(1000, 1, nothing) == 2);
  KedaRules idle = limits(2, 10);
  idle.idle_replicas = 0;
  ScaledObject sleeper(idle, 0.0);
  CHECK(sleeper.poll(30, 0, nothing) == 0);
  CHECK(sleeper.poll(60, 0, found(1.0)) == 2);
  CHECK(sleeper.poll(90, 2, nothing) == 2);
  CHECK(sleeper.poll(361, 2, nothing) == 0);
}

TEST_CASE("a query that fails changes nothing, and with null values as failures neither does an empty one") {
  ScaledObject object(limits(0, 10), 0.0);
  CHECK(object.poll(5000, 4, failed) == 4);
  CHECK(object.poll(5000, 0, failed) == 0);
  CHECK(object.sync(5000, running(4), failed) == 4);
  KedaRules strict = limits(0, 10);
  strict.ignore_null_values = false;
  ScaledObject other(strict, 0.0);
  CHECK(other.poll(5000, 4, nothing) == 4);
  CHECK(other.sync(5000, running(4), nothing) == 4);
}

TEST_CASE("between one and the most the autoscaler reads the metric as the trigger says: a total, or a mean") {
  KedaRules rules = limits(0, 10);
  rules.threshold = 2.0;
  rules.scaling.down.window_s = 0.0;
  CHECK(ScaledObject(rules, 0.0).sync(0, running(3), found(9.0)) == 5);
  // An empty query is no load: one replica stays for KEDA's own loop to stop.
  CHECK(ScaledObject(rules, 0.0).sync(0, running(3), nothing) == 1);
  rules.kind = MetricKind::value;
  CHECK(ScaledObject(rules, 0.0).sync(0, running(3), found(3.0)) == 5);
}

TEST_CASE("after more failures than allowed as many replicas are wanted as the fallback says") {
  const auto after_failures = [](KedaFallback::Behavior behavior, MetricKind kind, int failures, int replicas,
                                 int ready) {
    KedaRules rules = limits(1, 20);
    rules.kind = kind;
    rules.threshold = 2.5;
    rules.scaling.down.window_s = 0.0;
    rules.fallback = KedaFallback{.failure_threshold = 3, .replicas = 6, .behavior = behavior};
    ScaledObject object(rules, 0.0);
    int wanted = replicas;
    for (int i = 0; i < failures; ++i)
      wanted = object.sync(15.0 * i, {.wanted = replicas, .present = replicas, .ready = ready}, failed);
    return wanted;
  };
  using Behavior = KedaFallback::Behavior;
  for (const MetricKind kind : {MetricKind::average_value, MetricKind::value}) {
    CHECK(after_failures(Behavior::fixed, kind, 3, 4, 4) == 4);
    CHECK(after_failures(Behavior::fixed, kind, 4, 4, 4) == 6);
    CHECK(after_failures(Behavior::fixed, kind, 4, 9, 9) == 6);
    CHECK(after_failures(Behavior::current, kind, 4, 9, 9) == 9);
    CHECK(after_failures(Behavior::higher, kind, 4, 9, 9) == 9);
    CHECK(after_failures(Behavior::higher, kind, 4, 4, 4) == 6);
    CHECK(after_failures(Behavior::lower, kind, 4, 4, 4) == 4);
    CHECK(after_failures(Behavior::lower, kind, 4, 9, 9) == 6);
  }
  CHECK(after_failures(Behavior::fixed, MetricKind::value, 4, 4, 3) == 6);
  CHECK(after_failures(Behavior::fixed, MetricKind::value, 9, 4, 0) == 4);
  CHECK(after_failures(Behavior::fixed, MetricKind::average_value, 9, 4, 0) == 6);
}

TEST_CASE("an answer in between begins the count of failures anew") {
  KedaRules rules = limits(1, 20);
  rules.fallback = KedaFallback{.failure_threshold = 1, .replicas = 6};
  ScaledObject object(rules, 0.0);
  CHECK(object.sync(0, running(2), failed) == 2);
  CHECK(object.sync(15, running(2), found(2.0)) == 2);
  CHECK(object.sync(30, running(2), failed) == 2);
  CHECK(object.sync(45, running(2), failed) == 6);
}

TEST_CASE(
    "whatever is measured, a service is at 0 or idle, or within its limits, and rises from 0 to its first count "
    "alone") {
  CHECK(rc::check([] {
    const int least = *rc::gen::inRange(0, 4);
    const int most = std::max(1, least) + *rc::gen::inRange(0, 10);
    KedaRules rules = limits(least, most);
    rules.cooldown_s = *rc::gen::inRange(0, 300);
    if (least > 0 && *rc::gen::arbitrary<bool>()) rules.idle_replicas = 0;
    ScaledObject object(rules, 0.0);
    int wanted = *rc::gen::inRange(least, most + 1);
    for (int now = 15; now < 3000; now += 15) {
      const QueryAnswer answer = *rc::gen::element(failed, nothing, found(0.0), found(0.5), found(3.0), found(70.0));
      const int before = wanted;
      if (now % 30 == 0) wanted = object.poll(now, wanted, answer);
      if (before == 0) RC_ASSERT(wanted == 0 || wanted == std::max(1, least));
      wanted = object.sync(now, running(wanted), answer);
      RC_ASSERT(wanted == 0 || (wanted >= std::max(1, least) && wanted <= most));
      if (least > 0 && !rules.idle_replicas) RC_ASSERT(wanted >= least);
    }
  }));
}

TEST_CASE("scaled objects that KEDA would refuse are refused") {
  const auto refused = [](auto change) {
    KedaRules rules = limits(2, 10);
    change(rules);
    CHECK_THROWS_AS(ScaledObject(rules, 0.0), std::invalid_argument);
  };
  refused([](KedaRules& rules) { rules.kind = MetricKind::cpu_utilization; });
  refused([](KedaRules& rules) { rules.threshold = 0.0; });
  refused([](KedaRules& rules) { rules.idle_replicas = 2; });
  refused([](KedaRules& rules) { rules.cooldown_s = -1.0; });
  refused([](KedaRules& rules) { rules.fallback = KedaFallback{.replicas = -1}; });
  refused([](KedaRules& rules) { rules.scaling.max_replicas = 1; });
}
