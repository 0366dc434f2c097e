#include "models/serving/batcher.hpp"

#include <doctest/doctest.h>

#include <map>

#include "tests/models/serving/taken_batch.hpp"

using namespace saturn;

namespace {

BatchingRules dynamic(std::uint32_t max_batch_size, std::vector<std::uint32_t> preferred, double delay_s) {
  BatchingRules rules;
  rules.dynamic = true;
  rules.max_batch_size = max_batch_size;
  rules.preferred_batch_size = std::move(preferred);
  rules.max_queue_delay = {delay_s};
  return rules;
}

/// Requests 0, 1, ... of one item each.
void arrive_ones(TestBatcher& batcher, int count, double now) {
  for (int request = 0; request < count; ++request) batcher.arrive(request, 1, 1, now);
}

}  // namespace

TEST_CASE("without dynamic batching the oldest request goes alone, whatever its size") {
  BatchingRules rules;
  rules.max_batch_size = 8;
  TestBatcher batcher(rules, 1);
  batcher.arrive(0, 3, 1, 0.0);
  batcher.arrive(1, 5, 1, 0.0);
  CHECK(batcher.next_date() == TestBatcher::never);
  CHECK(take(batcher, 1.0) == Taken{{0}, 3, SendReason::single});
  CHECK(take(batcher, 1.0) == Taken{{1}, 5, SendReason::single});
  CHECK(!take(batcher, 1.0));
}

TEST_CASE("without a delay an idle instance takes what waits, cut to the largest preferred size that is reached") {
  TestBatcher batcher(dynamic(8, {2, 4}, 0.0), 1);
  arrive_ones(batcher, 7, 0.0);
  CHECK(take(batcher, 0.0) == Taken{{0, 1, 2, 3}, 4, SendReason::preferred});
  CHECK(take(batcher, 0.0) == Taken{{4, 5}, 2, SendReason::preferred});
  CHECK(take(batcher, 0.0) == Taken{{6}, 1, SendReason::instance_idle});
}

TEST_CASE("a request that does not fit waits for the next batch, and the batch without it is full") {
  TestBatcher batcher(dynamic(8, {}, 0.0), 1);
  for (const int request : {0, 1, 2}) batcher.arrive(request, 3, 1, 0.0);
  CHECK(take(batcher, 0.0) == Taken{{0, 1}, 6, SendReason::full});
  CHECK(take(batcher, 0.0) == Taken{{2}, 3, SendReason::instance_idle});
}

TEST_CASE("within the delay any preferred size is sent at once, also when it is not the largest") {
  TestBatcher batcher(dynamic(8, {2, 4}, 1.0), 1);
  batcher.arrive(0, 1, 1, 0.0);
  CHECK(!take(batcher, 0.0));
  CHECK(batcher.next_date() == 1.0);
  batcher.arrive(1, 1, 1, 0.5);
  CHECK(take(batcher, 0.5) == Taken{{0, 1}, 2, SendReason::preferred});
  CHECK(batcher.next_date() == TestBatcher::never);
}

TEST_CASE("within the delay no batch grows beyond the largest preferred size: a larger request goes alone") {
  TestBatcher batcher(dynamic(8, {4}, 1.0), 1);
  for (const int request : {0, 1}) batcher.arrive(request, 3, 1, 0.0);
  CHECK(take(batcher, 0.0) == Taken{{0}, 3, SendReason::preferred});
  CHECK(!take(batcher, 0.0));
  batcher.arrive(2, 6, 1, 0.0);
  CHECK(take(batcher, 0.0) == Taken{{1}, 3, SendReason::full});
  CHECK(take(batcher, 0.0) == Taken{{2}, 6, SendReason::preferred});
}

TEST_CASE("once the delay is over everything goes that fits into max_batch_size, preferred or not") {
  TestBatcher batcher(dynamic(8, {2, 4}, 1.0), 1);
  arrive_ones(batcher, 3, 0.0);
  CHECK(take(batcher, 1.0) == Taken{{0, 1, 2}, 3, SendReason::delay_over});
  arrive_ones(batcher, 6, 2.0);
  CHECK(take(batcher, 3.0) == Taken{{0, 1, 2, 3, 4, 5}, 6, SendReason::preferred});
  arrive_ones(batcher, 10, 4.0);
  CHECK(take(batcher, 5.0) == Taken{{0, 1, 2, 3, 4, 5, 6, 7}, 8, SendReason::full});
}

TEST_CASE("the first level is served first, and the delay counts for those who would be in the batch") {
  BatchingRules rules = dynamic(4, {2}, 1.0);
  rules.priority_levels = 2;
  TestBatcher batcher(rules, 1);
  batcher.arrive(0, 1, 2, 0.0);
  for (const int request : {1, 2, 3, 4}) batcher.arrive(request, 1, 1, 2.0);
  // Request 0 has waited too long, but has no place in a batch of four.
  CHECK(take(batcher, 2.0) == Taken{{1, 2}, 2, SendReason::preferred});
  // Now it has one.
  CHECK(take(batcher, 2.0) == Taken{{3, 4, 0}, 3, SendReason::preferred});
}

TEST_CASE("requests that time out are rejected when an instance looks for work") {
  BatchingRules rules = dynamic(4, {}, 0.0);
  rules.queue_policy = {.max_queue_size = {}, .timeout = Seconds{1.0}, .timeout_action = TimeoutAction::reject};
  TestBatcher batcher(rules, 1);
  arrive_ones(batcher, 2, 0.0);
  batcher.arrive(2, 1, 1, 0.5);
  CHECK(batcher.next_date() == 1.0);
  CHECK(rejected(batcher).empty());
  CHECK(take(batcher, 1.0) == Taken{{2}, 1, SendReason::instance_idle});
  CHECK(rejected(batcher) == std::vector{0, 1});
  CHECK(rejected(batcher).empty());
}

TEST_CASE("requests that time out with the action delay go behind the others once, and keep their date of arrival") {
  BatchingRules rules = dynamic(4, {}, 3.0);
  rules.queue_policy = {.max_queue_size = {}, .timeout = Seconds{1.0}, .timeout_action = TimeoutAction::delay};
  TestBatcher batcher(rules, 1);
  batcher.arrive(0, 1, 1, 0.0);
  batcher.arrive(1, 1, 1, 0.75);
  CHECK(!take(batcher, 1.0));
  CHECK(batcher.next_date() == 1.75);
  CHECK(!take(batcher, 1.75));
  batcher.arrive(2, 1, 1, 2.5);
  CHECK(batcher.next_date() == 3.0);  // 0 has waited for three seconds
  CHECK(take(batcher, 3.0) == Taken{{2, 0, 1}, 3, SendReason::delay_over});
}

TEST_CASE("a level that holds max_queue_size requests takes no more, and the other levels do") {
  BatchingRules rules = dynamic(4, {}, 0.0);
  rules.priority_levels = 2;
  rules.queue_policy.max_queue_size = 1;
  TestBatcher batcher(rules, 1);
  CHECK(batcher.arrive(0, 1, 1, 0.0));
  CHECK(!batcher.arrive(1, 1, 1, 0.0));
  CHECK(batcher.arrive(2, 1, 2, 0.0));
  CHECK(take(batcher, 0.0) == Taken{{0, 2}, 2, SendReason::instance_idle});
  CHECK(batcher.arrive(3, 1, 1, 0.0));
}

TEST_CASE("batches that are formed ahead do not grow, and there are at most two an instance") {
  BatchingRules rules = dynamic(4, {}, 0.0);
  rules.forming = BatchForming::ahead;
  TestBatcher batcher(rules, 1);
  arrive_ones(batcher, 5, 0.0);
  CHECK(batcher.size() == 5);
  CHECK(take(batcher, 1.0) == Taken{{0}, 1, SendReason::instance_idle});
  // The place that 0 has left goes to all that waited then.
  batcher.arrive(5, 1, 1, 1.0);
  CHECK(take(batcher, 2.0) == Taken{{1}, 1, SendReason::instance_idle});
  CHECK(take(batcher, 2.0) == Taken{{2, 3, 4}, 3, SendReason::instance_idle});
  CHECK(take(batcher, 2.0) == Taken{{5}, 1, SendReason::instance_idle});
  CHECK(batcher.size() == 0);
}

TEST_CASE("a batch that is formed ahead after its delay takes no later request, though no instance is free before") {
  BatchingRules rules = dynamic(4, {}, 1.0);
  rules.forming = BatchForming::ahead;
  TestBatcher batcher(rules, 1);
  arrive_ones(batcher, 2, 0.0);
  REQUIRE(batcher.next_date() == 1.0);
  batcher.poll(1.0);
  CHECK(batcher.next_date() == TestBatcher::never);
  batcher.arrive(2, 1, 1, 1.5);
  CHECK(take(batcher, 1.5) == Taken{{0, 1}, 2, SendReason::delay_over});
  CHECK(!take(batcher, 1.5));
}

TEST_CASE("with a delay, an instance joins the batches formed ahead that have waited for longer, in their order") {
  BatchingRules rules = dynamic(4, {}, 1.0);
  rules.forming = BatchForming::ahead;
  TestBatcher batcher(rules, 2);
  for (const int request : {0, 1, 2}) {
    batcher.arrive(request, 1, 1, request);
    batcher.poll(request + 1.0);
  }
  batcher.arrive(3, 2, 1, 3.0);
  batcher.poll(4.0);
  // Four batches are formed. 3 has waited for the delay and not longer, and would be too much besides: 3 + 2 > 4.
  CHECK(take(batcher, 4.0) == Taken{{0, 1, 2}, 3, SendReason::delay_over});
  CHECK(take(batcher, 4.0) == Taken{{3}, 2, SendReason::delay_over});
  // Two that come to max_batch_size together are a full batch; a third that has waited as long does not fit.
  for (const int request : {4, 5, 6}) {
    batcher.arrive(request, 2, 1, request + 4.0);
    batcher.poll(request + 5.0);
  }
  CHECK(take(batcher, 20.0) == Taken{{4, 5}, 4, SendReason::full});
  CHECK(take(batcher, 20.0) == Taken{{6}, 2, SendReason::delay_over});
}

TEST_CASE("five clients of nnU-Net are served in batches of four and one, at the measured 41.6 requests a second") {
  // Times of the A100's offline rows [s]: NVIDIA DeepLearningExamples, PyTorch/Segmentation/nnUNet/triton/README.md.
  const std::map<std::uint64_t, double> duration{{1, 0.03829}, {2, 0.05286}, {3, 0.0673}, {4, 0.08174}};
  TestBatcher batcher(dynamic(4, {2, 4}, 1e-6), 1);
  arrive_ones(batcher, 5, 0.0);
  double now = 0.0;
  std::vector<int> answered;
  for (int cycle = 0; cycle < 20; ++cycle) {
    for (const std::uint64_t items : {4u, 1u}) {
      const Taken batch = take(batcher, now).value_or(Taken{});
      REQUIRE(batch.items == items);
      // Answers take a moment to reach their clients: the instance has looked for work before the next requests come.
      for (const int request : answered) batcher.arrive(request, 1, 1, now);
      answered = batch.requests;
      now += duration.at(items);
    }
  }
  CHECK(5.0 * 20 / now == doctest::Approx(5.0 / (0.08174 + 0.03829)).epsilon(1e-12));
  CHECK(5.0 * 20 / now == doctest::Approx(41.6).epsilon(0.002));
}
