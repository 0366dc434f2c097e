#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "models/scaling/horizontal_autoscaler.hpp"

using namespace saturn;

namespace {

using Policies = std::vector<RatePolicy>;

RatePolicy pods(double amount, double period_s) {
  return {.unit = RatePolicy::Unit::pods, .amount = amount, .period_s = period_s};
}
RatePolicy percent(double amount, double period_s) {
  return {.unit = RatePolicy::Unit::percent, .amount = amount, .period_s = period_s};
}
DirectionRules only(Policies policies, SelectPolicy select = SelectPolicy::max) {
  return {.policies = std::move(policies), .select = select};
}

/// A proposal that is already stable, and what the rates leave of it.
struct RateRow {
  std::string name;
  int now, wanted, least, most;
  Policies up, down;  ///< empty: the default
  std::vector<DatedCount> changes;
  int result;
};

int limited(const RateRow& row) {
  ScalingRules rules{.min_replicas = row.least, .max_replicas = row.most};
  if (!row.up.empty()) rules.up.policies = row.up;
  if (!row.down.empty()) rules.down.policies = row.down;
  return rate_limited_replicas(rules, row.now, row.wanted, 0.0, row.changes);
}

constexpr double minute_s = 60.0;

}  // namespace

TEST_CASE("rates limit a change as Kubernetes' own tests of its controller say") {
  // Facts of pkg/controller/podautoscaler/horizontal_test.go; now is 0, changes lie before it.
  const std::vector<RateRow> rows{
      {"B1", 5, 7, 3, 8, {}, {}, {}, 7},
      {"B2", 3, 1, 2, 8, {}, {}, {}, 2},
      {"B3", 1, 0, 0, 10, {}, {}, {}, 0},
      {"B4", 20, 1000, 1, 10, {}, {}, {}, 10},
      {"B5", 100, 1000, 100, 150, {}, {}, {}, 150},
      {"B6", 3, 1000, 1, 2000, {percent(1, 60)}, {}, {}, 4},
      {"B7", 1000, 3, 3, 2000, {}, {pods(20, 60)}, {}, 980},
      {"B8", 10, 50, 1, 1000, {}, {}, {}, 20},
      {"B9", 10, 500, 1, 1000, {pods(100, 60), percent(100, 60)}, {}, {}, 110},
      {"B10", 10, 500, 1, 1000, {pods(2, 60), percent(100, 60)}, {}, {}, 20},
      {"B11", 10, 50, 1, 1000, {pods(100, 60)}, {}, {}, 50},
      {"B12", 10, 50, 1, 1000, {pods(30, 60)}, {}, {}, 40},
      {"B13", 10, 50, 1, 1000, {percent(200, 60)}, {}, {}, 30},
      {"B14", 100, 2, 1, 1000, {}, {pods(20, 60), percent(1, 60)}, {}, 80},
      {"B15", 100, 2, 1, 1000, {}, {pods(2, 60), percent(1, 60)}, {}, 98},
      {"B16", 10, 0, 1, 1000, {}, {pods(100, 60)}, {}, 1},
      {"B17", 10, 2, 5, 1000, {}, {percent(100, 60)}, {}, 5},
      {"B18", 10, 2, 1, 1000, {}, {pods(5, 60)}, {}, 5},
      {"B19", 10, 5, 1, 1000, {}, {percent(50, 60)}, {}, 5},
      {"B20", 100, 500, 1, 200, {pods(300, 60)}, {}, {{-100, 1}, {-60, 5}, {-20, 9}}, 200},
      {"B21", 100, 500, 1, 1000, {pods(5, 120)}, {}, {{-20, 15}}, 100},
      {"B22", 100, 500, 1, 1000, {pods(150, 120)}, {}, {{-20, 15}}, 235},
      {"B23", 100, 500, 1, 1000, {percent(200, 120)}, {}, {{-20, 15}}, 255},
      {"B24", 6, 24, 1, 1000, {percent(300, 300)}, {}, {{-50, 4}, {-20, -2}}, 16},
      {"B25", 10, 5, 1, 1000, {}, {}, {{-10, -15}}, 5},
      {"B26", 100, 0, 1, 1000, {}, {pods(115, 120)}, {{-20, -15}}, 1},
      {"B27", 100, 0, 5, 1000, {}, {pods(130, 120)}, {{-20, -15}}, 5},
      {"B28", 100, 2, 1, 1000, {}, {pods(5, 120)}, {{-20, -15}}, 100},
      {"B29", 100, 0, 1, 1000, {}, {percent(50, 120)}, {{-20, -12}}, 56},
      {"B30", 10, 1, 1, 1000, {}, {percent(50, 180)}, {{-50, 2}, {-20, -4}}, 6},
      {"B31", 100, 0, 1, 1000, {}, {percent(10, 120)}, {{-20, -30}}, 100},
      {"B32", 10, 5, 1, 1000, {}, {percent(1000, 120)}, {{-20, -30}}, 5},
  };
  for (const RateRow& row : rows) {
    CAPTURE(row.name);
    CHECK(limited(row) == row.result);
  }
}

TEST_CASE("of several policies the largest change holds, or the smallest, or none at all") {
  const auto from = [](int now, int wanted, SelectPolicy select) {
    const Policies two_pods_or_half{pods(2, 60), percent(50, 60)};
    const ScalingRules rules{
        .max_replicas = 1000, .up = only(two_pods_or_half, select), .down = only(two_pods_or_half, select)};
    return rate_limited_replicas(rules, now, wanted, 0.0, {});
  };
  CHECK(from(1, 100, SelectPolicy::min) == 2);
  CHECK(from(1, 100, SelectPolicy::max) == 3);
  CHECK(from(5, 1, SelectPolicy::min) == 3);
  CHECK(from(5, 1, SelectPolicy::max) == 2);
  CHECK(from(5, 1, SelectPolicy::disabled) == 5);
  CHECK(from(5, 9, SelectPolicy::disabled) == 5);
}

TEST_CASE("a change is forgotten when it is as old as a policy's period, each policy by its own") {
  const DirectionRules up = only({pods(5, 120), pods(2, 30)});
  const auto limit = [&](std::vector<DatedCount> changes) {
    return rate_limited_replicas({.max_replicas = 1000, .up = up}, 100, 500, 0.0, changes);
  };
  CHECK(limit({}) == 105);
  CHECK(limit({{-119, 5}}) == 102);
  CHECK(limit({{-120, 5}}) == 105);
  CHECK(limit({{-29, 5}}) == 100);
}

TEST_CASE("a proposal is stable as Kubernetes' own tests of its controller say") {
  // Facts of pkg/controller/podautoscaler/horizontal_test.go.
  struct Row {
    std::string name;
    int now, wanted;
    std::vector<DatedCount> proposals;
    double up_s, down_s;
    int result;
  };
  const std::vector<Row> rows{
      {"C1", 100, 5, {}, 0, 0, 5},
      {"C2", 100, 3, {{-2 * minute_s, 4}, {-minute_s, 5}}, 0, 180, 5},
      {"C3", 1, 7, {{-2 * minute_s, 4}, {-minute_s, 5}}, 300, 0, 4},
      {"C4", 100, 3, {{-2 * minute_s, 1}, {-minute_s, 2}}, 300, 0, 3},
      {"C5", 1, 3, {{-2 * minute_s, 4}, {-minute_s, 5}}, 0, 300, 3},
      {"C6", 100, 3, {{-10 * minute_s, 10}, {-9 * minute_s, 9}}, 0, 0, 3},
      {"C7", 1, 100, {{-10 * minute_s, 10}, {-9 * minute_s, 9}}, 0, 0, 100},
      {"C8", 100, 3, {{-10 * minute_s, 10}, {-minute_s, 4}, {-2 * minute_s, 5}, {-9 * minute_s, 9}}, 0, 180, 5},
      {"C9", 1, 100, {{-100 * minute_s, 10}, {-minute_s, 6}, {-2 * minute_s, 5}, {-3 * minute_s, 9}}, 300, 0, 5},
      {"C10", 2, 1, {{-100 * minute_s, 2}, {-3 * minute_s, 3}}, 300, 300, 2},
      {"C11", 2, 3, {{-100 * minute_s, 2}, {-3 * minute_s, 1}}, 300, 300, 2},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const DirectionRules up{.window_s = row.up_s, .policies = default_up().policies};
    const DirectionRules down{.window_s = row.down_s, .policies = default_down().policies};
    CHECK(stabilized_replicas(up, down, row.now, row.wanted, 0.0, row.proposals) == row.result);
  }
}
