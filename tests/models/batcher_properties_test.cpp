#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "models/batcher.hpp"
#include "tests/models/batcher_reference.hpp"
#include "tests/models/taken_batch.hpp"

using namespace saturn;

namespace {

std::vector<int> sorted(std::vector<int> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::vector<int> everything(const TestBatcher& batcher) {
  std::vector<int> requests;
  batcher.for_each([&](const TestBatcher::Waiting& w) { requests.push_back(w.request); });
  return requests;
}

/// Rules of all kinds. Times are tenths of a second: sums of them round differently from one another.
BatchingRules drawn_rules() {
  BatchingRules rules;
  rules.dynamic = *rc::gen::weightedElement<bool>({{9, true}, {1, false}});
  rules.max_batch_size = *rc::gen::inRange(1u, 25u);
  std::set<std::uint32_t> sizes;
  for (int i = *rc::gen::inRange(0, 5); i > 0; --i) sizes.insert(*rc::gen::inRange(1u, rules.max_batch_size + 1));
  rules.preferred_batch_size.assign(sizes.begin(), sizes.end());
  rules.max_queue_delay = {*rc::gen::element(0.0, 0.0, 0.1, 0.3, 0.7, 2.0)};
  rules.forming = *rc::gen::weightedElement<BatchForming>({{2, BatchForming::when_idle}, {1, BatchForming::ahead}});
  rules.priority_levels = *rc::gen::weightedElement<std::uint32_t>({{2, 1u}, {1, 2u}, {1, 3u}});
  if (*rc::gen::arbitrary<bool>()) rules.queue_policy.timeout = Seconds{*rc::gen::element(0.1, 0.4, 0.7, 1.1)};
  rules.queue_policy.timeout_action = *rc::gen::element(TimeoutAction::reject, TimeoutAction::delay);
  if (*rc::gen::inRange(0, 3) == 0) rules.queue_policy.max_queue_size = *rc::gen::inRange<std::uint64_t>(1, 12);
  return rules;
}

enum class Step { arrival, burst, free_instance, poll, later, to_next_date };

/// The clock, the requests and what has become of them.
struct History {
  double now = 0.0;
  int requests = 0;
  std::map<int, std::uint32_t> level;
  std::map<int, std::uint32_t> items;
  std::vector<int> turned_away, timed_out, sent;
};

/// Both get the same, and answer the same.
class Pair {
 public:
  Pair(const BatchingRules& rules, std::uint32_t instances)
      : rules_(rules), fast_(rules, instances), slow_(rules, instances) {}

  void step(Step step) {
    if (step == Step::arrival) arrive();
    if (step == Step::burst) {
      for (int i = *rc::gen::inRange(2, 12); i > 0; --i) arrive();
    }
    if (step == Step::later) history_.now += 0.1 * *rc::gen::inRange(1, 6);
    if (step == Step::free_instance) free_instance();
    if (step == Step::poll) poll();
    if (step == Step::to_next_date) act_at_next_date();
    compare();
  }
  const History& history() const { return history_; }
  const TestBatcher& batcher() const { return fast_; }

 private:
  void arrive() {
    const auto items = *rc::gen::inRange(1u, rules_.max_batch_size + 1);
    const std::uint32_t size = *rc::gen::arbitrary<bool>() ? 1 : items;
    const auto level = *rc::gen::inRange(1u, rules_.priority_levels + 1);
    const int request = history_.requests++;
    history_.level[request] = level;
    history_.items[request] = size;
    const bool taken = fast_.arrive(request, size, level, history_.now);
    RC_ASSERT(taken == slow_.arrive(request, size, level, history_.now));
    if (!taken) history_.turned_away.push_back(request);
    compare();
  }

  void poll() {
    fast_.poll(history_.now);
    slow_.poll(history_.now);
  }

  bool free_instance() {
    const auto fast = take(fast_, history_.now);
    const auto slow = slow_.take(history_.now);
    RC_ASSERT(fast.has_value() == slow.has_value());
    if (!fast) return false;
    RC_ASSERT(fast->requests == slow->requests);
    RC_ASSERT(fast->reason == slow->reason);
    std::uint64_t items = 0;
    for (const int request : fast->requests) items += history_.items[request];
    RC_ASSERT(!fast->requests.empty());
    RC_ASSERT(fast->items == items);
    RC_ASSERT(items <= rules_.max_batch_size);
    RC_ASSERT(rules_.dynamic || fast->requests.size() == 1u);
    history_.sent.insert(history_.sent.end(), fast->requests.begin(), fast->requests.end());
    return true;
  }

  /// No timer may ring for ever: whoever acts at next_date() finds something to do, or a later date.
  void act_at_next_date() {
    const double date = fast_.next_date();
    if (date == TestBatcher::never) return;
    history_.now = std::max(history_.now, date);
    poll();
    const bool sent = free_instance();
    RC_ASSERT(sent || compare() || fast_.next_date() > history_.now);
  }

  /// Returns whether requests have been rejected since the last call.
  bool compare() {
    RC_ASSERT(fast_.next_date() == slow_.next_date());
    const std::vector<int> late = rejected(fast_);
    RC_ASSERT(late == slow_.rejected());
    history_.timed_out.insert(history_.timed_out.end(), late.begin(), late.end());
    RC_ASSERT(sorted(everything(fast_)) == sorted(slow_.everything()));
    RC_ASSERT(fast_.size() == slow_.everything().size());
    return !late.empty();
  }

  BatchingRules rules_;
  TestBatcher fast_;
  BatcherReference slow_;
  History history_;
};

/// Whether requests of one level were sent in the order in which they came.
bool in_order_of_level(const History& history) {
  std::map<std::uint32_t, int> last;
  for (const int request : history.sent) {
    const auto [previous, first] = last.try_emplace(history.level.at(request), -1);
    if (request < previous->second) return false;
    previous->second = request;
  }
  return true;
}

Step drawn_step() {
  return *rc::gen::weightedElement<Step>({{4, Step::arrival},
                                          {2, Step::burst},
                                          {4, Step::free_instance},
                                          {1, Step::poll},
                                          {3, Step::later},
                                          {3, Step::to_next_date}});
}

/// One sequence of steps under drawn rules, and the balance at its end.
void drawn_run() {
  const BatchingRules rules = drawn_rules();
  Pair pair(rules, *rc::gen::inRange(1u, 4u));
  const int steps = *rc::gen::inRange(1, 400);
  for (int i = 0; i < steps; ++i) pair.step(drawn_step());

  const History& history = pair.history();
  std::vector<int> all = everything(pair.batcher());
  for (const auto* part : {&history.turned_away, &history.timed_out, &history.sent}) {
    all.insert(all.end(), part->begin(), part->end());
  }
  std::vector<int> expected(static_cast<std::size_t>(history.requests));
  std::iota(expected.begin(), expected.end(), 0);
  RC_ASSERT(sorted(all) == expected);
  const QueuePolicy& policy = rules.queue_policy;
  if (!policy.timeout || policy.timeout_action == TimeoutAction::reject) RC_ASSERT(in_order_of_level(history));
}

}  // namespace

TEST_CASE("the batcher sends, holds back and rejects as a slow reference does, and loses no request") {
  CHECK(rc::check("reference", [] {
    for (int run = 0; run < 4; ++run) drawn_run();
  }));
}
