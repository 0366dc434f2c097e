#pragma once

#include <algorithm>
#include <deque>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "models/batching_rules.hpp"

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
    const Batch batch = formed_.front();
    formed_.pop_front();
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
    Batch batch{.requests = {}, .reason = reason};
    std::uint64_t items = 0;
    for (std::size_t i = 0; i < count; ++i) {
      batch.requests.push_back(order[i].request);
      items += order[i].items;
      std::erase_if(waiting_, [&](const Waiting& w) { return w.request == order[i].request; });
    }
    if (reason == SendReason::single) return batch;
    const std::uint64_t with_next = count < order.size() ? items + order[count].items : items;
    if (items == rules_.max_batch_size || with_next > rules_.max_batch_size) batch.reason = SendReason::full;
    return batch;
  }

  BatchingRules rules_;
  std::size_t instances_;
  std::vector<Waiting> waiting_;
  std::deque<Batch> formed_;
  std::vector<int> rejected_;
};

}  // namespace saturn
