#include "sim/run/outcome_bytes.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

using namespace saturn;

namespace {

template <class T>
T any() {
  return *rc::gen::arbitrary<T>();
}

TimeStatistics any_times() {
  return {any<std::uint64_t>(), any<double>(), any<double>(), any<double>(), any<double>(), any<double>()};
}

template <class Make>
auto several(Make make) {
  std::vector<decltype(make())> values;
  for (int left = *rc::gen::inRange(0, 4); left > 0; --left) values.push_back(make());
  return values;
}

constexpr std::array<double ModelOutcome::*, 11> model_numbers{
    &ModelOutcome::requests_per_s, &ModelOutcome::items_per_s,
    &ModelOutcome::rejected_per_s, &ModelOutcome::ingress_bytes_per_s,
    &ModelOutcome::send_s,         &ModelOutcome::host_s,
    &ModelOutcome::queue_s,        &ModelOutcome::fill_s,
    &ModelOutcome::compute_s,      &ModelOutcome::device_wait_s,
    &ModelOutcome::receive_s};

ModelOutcome any_model() {
  ModelOutcome model;
  model.name = any<std::string>();
  for (const auto number : model_numbers) model.*number = any<double>();
  model.latency = any_times();
  model.batches = any<std::map<std::uint32_t, std::uint64_t>>();
  for (std::uint64_t& batches : model.sent_because) batches = any<std::uint64_t>();
  return model;
}

RunOutcome any_outcome() {
  RunOutcome outcome;
  outcome.jobs = several([] {
    return JobsOutcome{any<std::string>(), any<double>(),
                       any<double>(),      any<double>(),
                       any_times(),        several([] {
                         return StageOutcome{any<std::string>(), any<double>()}; }),
                       any<double>(),      any<double>()};
  });
  outcome.models = several(any_model);
  outcome.resources = several([] {
    return ResourceOutcome{any<std::string>(), ResourceKind{*rc::gen::inRange(0, 6)},
                           any<double>(),      any<double>(),
                           any<double>(),      any<double>()};
  });
  outcome.checks = several([] { return Check{any<std::string>(), any<bool>(), any<std::string>()}; });
  outcome.warm_up = {any<double>(), any<double>(), any<bool>()};
  outcome.event_times = {.sums = any<std::vector<double>>(), .events = any<std::vector<double>>()};
  if (any<bool>()) outcome.power_w = any<double>();
  outcome.requests = any<std::uint64_t>();
  outcome.simulated_events = any<std::uint64_t>();
  return outcome;
}

}  // namespace

TEST_CASE("an outcome comes back from its bytes to the last bit, and a piece of its bytes is refused") {
  CHECK(rc::check([] {
    const RunOutcome outcome = any_outcome();
    const std::string bytes = to_bytes(outcome);
    const RunOutcome back = outcome_from_bytes(bytes);
    RC_ASSERT(to_bytes(back) == bytes);
    RC_ASSERT(back.jobs.size() == outcome.jobs.size());
    for (std::size_t i = 0; i < back.jobs.size(); ++i) {
      RC_ASSERT(back.jobs[i].name == outcome.jobs[i].name);
      RC_ASSERT(back.jobs[i].event_time.p99_s == outcome.jobs[i].event_time.p99_s);
      RC_ASSERT(back.jobs[i].stages.size() == outcome.jobs[i].stages.size());
    }
    for (std::size_t i = 0; i < back.models.size(); ++i) {
      RC_ASSERT(back.models[i].batches == outcome.models[i].batches);
      for (const auto number : model_numbers) RC_ASSERT((back.models[i].*number) == (outcome.models[i].*number));
      RC_ASSERT(back.models[i].sent_because == outcome.models[i].sent_because);
    }
    for (std::size_t i = 0; i < back.resources.size(); ++i) {
      RC_ASSERT(back.resources[i].kind == outcome.resources[i].kind);
      RC_ASSERT(back.resources[i].mean_in_use == outcome.resources[i].mean_in_use);
    }
    for (std::size_t i = 0; i < back.checks.size(); ++i) {
      RC_ASSERT(back.checks[i].detail == outcome.checks[i].detail);
      RC_ASSERT(back.checks[i].passed == outcome.checks[i].passed);
    }
    RC_ASSERT(back.warm_up.window_s == outcome.warm_up.window_s);
    RC_ASSERT(back.warm_up.steady == outcome.warm_up.steady);
    RC_ASSERT(back.event_times == outcome.event_times);
    RC_ASSERT(back.requests == outcome.requests);
    RC_ASSERT(back.simulated_events == outcome.simulated_events);

    const std::size_t cut = *rc::gen::inRange<std::size_t>(0, bytes.size());
    RC_ASSERT_THROWS_AS(outcome_from_bytes(std::string_view(bytes).substr(0, cut)), std::logic_error);
    RC_ASSERT_THROWS_AS(outcome_from_bytes(bytes + "x"), std::logic_error);
  }));
}
