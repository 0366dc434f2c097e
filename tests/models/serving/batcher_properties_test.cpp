#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "models/serving/batcher.hpp"
#include "models/serving/service_order.hpp"
#include "tests/models/serving/taken_batch.hpp"

using namespace saturn;

namespace saturn {

/// The batcher's rules once more, slow and by definition: every look at the queue sorts and sums all of it anew.
class BatcherReference {
 public:
  struct Waiting {
    int request = 0;
    std::uint64_t items = 1;
    std::uint32_t level = 1;
    double arrived = 0.0;
    bool moved = false;
  };
  struct Batch {
    std::vector<int> requests;
    std::uint64_t items = 0;
    double oldest = 0.0;
    SendReason reason = SendReason::single;
  };

  BatcherReference(const BatchingRules& rules, std::uint32_t instances) : rules_(rules), instances_(instances) {}

  bool arrive(int request, std::uint32_t items, std::uint32_t priority, double now) {
    const std::uint32_t level = rules_.dynamic ? priority : 1;
    const auto same_level = [level](const Waiting& w) { return w.level == level; };
    const auto present = static_cast<std::uint64_t>(std::count_if(waiting_.begin(), waiting_.end(), same_level));
    const auto& most = rules_.queue_policy.max_queue_size;
    if (most && present >= *most) return false;
    waiting_.push_back({request, items, level, now, false});
    poll(now);
    return true;
  }

  std::optional<Batch> take(double now) {
    if (!forms_ahead()) return look(now);
    poll(now);
    if (formed_.empty()) return std::nullopt;
    Batch batch = formed_.front();
    formed_.pop_front();
    while (rules_.max_queue_delay.value > 0.0 && !formed_.empty()) {
      const Batch& next = formed_.front();
      const bool waited = next.oldest + rules_.max_queue_delay.value < now;
      if (!waited || batch.items + next.items > rules_.max_batch_size) break;
      batch.requests.insert(batch.requests.end(), next.requests.begin(), next.requests.end());
      batch.items += next.items;
      if (batch.items == rules_.max_batch_size) batch.reason = SendReason::full;
      formed_.pop_front();
    }
    poll(now);
    return batch;
  }

  void poll(double now) {
    while (forms_ahead() && has_slot()) {
      const std::optional<Batch> batch = look(now);
      if (!batch) return;
      formed_.push_back(*batch);
    }
  }

  std::vector<int> rejected() { return std::exchange(rejected_, {}); }

  double next_date() const {
    double date = std::numeric_limits<double>::infinity();
    if (!rules_.dynamic || (forms_ahead() && !has_slot())) return date;
    for (const Waiting& w : waiting_) {
      if (rules_.max_queue_delay.value > 0.0) date = std::min(date, w.arrived + rules_.max_queue_delay.value);
      const auto& timeout = rules_.queue_policy.timeout;
      if (timeout && !w.moved) date = std::min(date, w.arrived + timeout->value);
    }
    return date;
  }

  std::vector<int> everything() const {
    std::vector<int> requests;
    for (const Waiting& w : waiting_) requests.push_back(w.request);
    for (const Batch& batch : formed_) requests.insert(requests.end(), batch.requests.begin(), batch.requests.end());
    return requests;
  }

 private:
  bool forms_ahead() const { return rules_.dynamic && rules_.forming == BatchForming::ahead; }
  bool has_slot() const { return formed_.size() < 2 * instances_; }

  void time_out(double now) {
    const QueuePolicy& policy = rules_.queue_policy;
    const auto late = [&](const Waiting& w) {
      return policy.timeout && !w.moved && w.arrived + policy.timeout->value <= now;
    };
    if (policy.timeout_action == TimeoutAction::delay) {
      for (Waiting& w : waiting_) w.moved = w.moved || late(w);
      return;
    }
    for (const Waiting& w : in_order()) {
      if (late(w)) rejected_.push_back(w.request);
    }
    std::erase_if(waiting_, late);
  }

  /// By level, those that were moved behind the others, each part by arrival: waiting_ is in the order of arrival.
  std::vector<Waiting> in_order() const {
    std::vector<Waiting> order = waiting_;
    std::stable_sort(order.begin(), order.end(), [](const Waiting& a, const Waiting& b) {
      return a.level != b.level ? a.level < b.level : a.moved < b.moved;
    });
    return order;
  }

  std::optional<Batch> look(double now) {
    if (waiting_.empty()) return std::nullopt;
    if (!rules_.dynamic) return take_out(waiting_, 1, SendReason::single);
    time_out(now);
    const std::vector<Waiting> order = in_order();
    if (order.empty()) return std::nullopt;
    std::vector<std::uint64_t> sum{0};  // of the first n requests
    for (const Waiting& w : order) sum.push_back(sum.back() + w.items);
    std::size_t longest = 0;  // what fits into max_batch_size
    while (longest < order.size() && sum[longest + 1] <= rules_.max_batch_size) ++longest;
    double oldest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < longest; ++i) oldest = std::min(oldest, order[i].arrived);

    const double delay = rules_.max_queue_delay.value;
    const bool delay_over = delay > 0.0 && oldest + delay <= now;
    if (!delay_over) {
      if (const std::size_t best = preferred(sum, longest)) return take_out(order, best, SendReason::preferred);
    }
    if (sum[longest] >= preferred_sizes().back()) return take_out(order, longest, SendReason::preferred);
    if (delay_over) return take_out(order, longest, SendReason::delay_over);
    if (delay == 0.0) return take_out(order, longest, SendReason::instance_idle);
    return std::nullopt;
  }

  std::vector<std::uint32_t> preferred_sizes() const {
    return rules_.preferred_batch_size.empty() ? std::vector{rules_.max_batch_size} : rules_.preferred_batch_size;
  }

  /// Requests of the longest prefix that sums up to a preferred size, else of the one that must not grow; 0: none.
  std::size_t preferred(const std::vector<std::uint64_t>& sum, std::size_t longest) const {
    const std::vector<std::uint32_t> sizes = preferred_sizes();
    for (std::size_t n = longest; n >= 1; --n) {
      if (std::find(sizes.begin(), sizes.end(), sum[n]) != sizes.end()) return n;
    }
    for (std::size_t n = 1; n + 1 < sum.size(); ++n) {
      if (sum[n + 1] > sizes.back()) return n;
    }
    return 0;
  }

  /// Every batch beside which nothing more fits is called full, whatever made the batcher send it.
  Batch take_out(const std::vector<Waiting>& from, std::size_t count, SendReason reason) {
    const std::vector<Waiting> order = from;
    Batch batch{.requests = {}, .oldest = order[0].arrived, .reason = reason};
    for (std::size_t i = 0; i < count; ++i) {
      batch.requests.push_back(order[i].request);
      batch.items += order[i].items;
      batch.oldest = std::min(batch.oldest, order[i].arrived);
      std::erase_if(waiting_, [&](const Waiting& w) { return w.request == order[i].request; });
    }
    if (reason == SendReason::single) return batch;
    const std::uint64_t with_next = batch.items + (count < order.size() ? order[count].items : 0);
    if (batch.items == rules_.max_batch_size || with_next > rules_.max_batch_size) batch.reason = SendReason::full;
    return batch;
  }

  BatchingRules rules_;
  std::size_t instances_;
  std::vector<Waiting> waiting_;
  std::deque<Batch> formed_;
  std::vector<int> rejected_;
};

}  // namespace saturn

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
