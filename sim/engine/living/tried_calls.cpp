#include "sim/engine/living/tried_calls.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/engine/call_window.hpp"
#include "sim/engine/living/server_load.hpp"
#include "sim/engine/serving/inference_service.hpp"

namespace saturn {

namespace {

constexpr std::int32_t not_chosen = -1;
constexpr std::int32_t found_none = -2;

}  // namespace

TriedCalls::TriedCalls(Calendar& calendar, InferenceService& service, TryPlan plan, RandomStream stream,
                       CallMeter& meter, std::size_t clients)
    : calendar_(calendar),
      service_(service),
      plan_(std::move(plan)),
      stream_(stream),
      meter_(meter),
      source_(calendar.add(*this)) {
  if (plan_.rules.discovery == Discovery::per_job && !plan_.rules.servers.empty()) chosen_.resize(clients, not_chosen);
}

void TriedCalls::send(Call& asked, double now) {
  Try& tried = take();
  tried.asked = &asked;
  tried.number = 0;
  tried.failed_on = Balancer::nobody;
  tried.falls_back = false;
  asked.rejected = false;
  asked.role = CallRole::plain;
  dispatch(tried, now);
}

void TriedCalls::dispatch(Try& tried, double now) {
  const Call& asked = *tried.asked;
  tried.items = asked.items;
  tried.length = asked.length;
  tried.client = asked.client;
  tried.model = asked.model;
  tried.site = asked.site;
  tried.priority = asked.priority;
  tried.ends_sequence = asked.ends_sequence;
  tried.window = asked.window;
  if (tried.falls_back) {
    tried.group = *plan_.fallback_group;
    ++meter_.sent_to_fallback;
  } else {
    const std::optional<std::uint16_t> group = group_for(asked.client, now);
    if (!group) {
      tried.number = static_cast<std::uint32_t>(plan_.rules.retries ? plan_.rules.retries->count : 0);
      fail(tried, now);
      return;
    }
    tried.group = *group;
    ++meter_.tries;
    if (plan_.rules.deadline) {
      deadlines_.push({now + plan_.rules.deadline->value, &tried, tried.serial});
      if (deadlines_.size() == 1) reschedule();
    }
  }
  service_.send_other(tried, tried.failed_on, now);
}

bool TriedCalls::takes_job(std::size_t group, double now) const {
  return service_.in_service(plan_.groups[group]) &&
         (plan_.doors.empty() || plan_.doors[group] == nullptr || plan_.doors[group]->admits(now));
}

std::optional<std::uint16_t> TriedCalls::group_for(std::uint32_t client, double now) {
  if (plan_.groups.size() == 1 && chosen_.empty()) return plan_.groups.front();
  if (!chosen_.empty() && chosen_[client] == found_none) return std::nullopt;
  if (!chosen_.empty() && chosen_[client] != not_chosen) return plan_.groups[static_cast<std::size_t>(chosen_[client])];
  std::size_t found = 0;
  while (found < plan_.groups.size() && !takes_job(found, now)) ++found;
  const bool none = found == plan_.groups.size();
  if (!chosen_.empty()) chosen_[client] = none ? found_none : static_cast<std::int32_t>(found);
  if (!none) return plan_.groups[found];
  // A call that finds nobody is answered with an error at once, and may be tried again; a job is told so for good.
  return chosen_.empty() ? std::optional(plan_.groups.front()) : std::nullopt;
}

void TriedCalls::new_job(std::uint32_t client) {
  if (!chosen_.empty()) chosen_[client] = not_chosen;
}

void TriedCalls::answered(Try& tried, double now) {
  ++tried.serial;
  if (tried.asked == nullptr) {
    if (!tried.rejected) {
      ++meter_.answers_thrown_away;
      meter_.items_in_vain += tried.items;
    }
    release(tried);
    return;
  }
  if (tried.rejected) {
    ++meter_.refused;
    fail(tried, now);
    return;
  }
  end(tried, true, now);
}

void TriedCalls::vanished(Try& tried) {
  // Who still waits for it goes on waiting, until the deadline.
  if (tried.asked == nullptr)
    release(tried);
  else
    tried.window = nullptr;
}

void TriedCalls::fail(Try& tried, double now) {
  const CallRules& rules = plan_.rules;
  if (!tried.falls_back && rules.retries && tried.number < rules.retries->count) {
    tried.failed_on = rules.retries->on == RetryOn::other_node ? tried.choice : Balancer::nobody;
    waits_.push(now + wait_s(++tried.number), &tried);
    reschedule();
    return;
  }
  if (!tried.falls_back && plan_.fallback_group) {
    tried.falls_back = true;
    tried.failed_on = Balancer::nobody;
    waits_.push(now, &tried);
    reschedule();
    return;
  }
  end(tried, false, now);
}

void TriedCalls::end(Try& tried, bool answered, double now) {
  Call& asked = *std::exchange(tried.asked, nullptr);
  ++meter_.calls;
  if (tried.number > 0) ++meter_.retried;
  if (answered) {
    if (tried.falls_back) ++meter_.fell_back;
  } else {
    asked.rejected = true;
    if (!plan_.own_core) asked.role = CallRole::failed;
    ++(plan_.own_core ? meter_.fell_back : meter_.failed);
  }
  release(tried);
  asked.window->answered(asked, now);
}

void TriedCalls::give_up(Try& tried, double now) {
  ++meter_.late;
  // The one that is given up may still be anywhere in the service; another takes over for it.
  Try& heir = take();
  heir.asked = std::exchange(tried.asked, nullptr);
  heir.number = tried.number;
  heir.falls_back = false;
  heir.choice = tried.choice;
  ++tried.serial;
  const bool vanished = tried.window == nullptr;
  if (vanished) {
    release(tried);
  } else {
    service_.given_up(tried);
  }
  fail(heir, now);
}

double TriedCalls::wait_s(std::uint32_t retry) {
  const RetryRule& rule = *plan_.rules.retries;
  double wait = sample(rule.first, stream_).value * std::pow(rule.factor, static_cast<double>(retry - 1));
  if (rule.most) wait = std::min(wait, rule.most->value);
  return rule.jitter == 0.0 ? wait : wait * (1.0 - rule.jitter * stream_.uniform());
}

void TriedCalls::fire(double now) {
  firing_ = true;
  while (!deadlines_.empty()) {
    const Deadline first = deadlines_.front();
    const bool over = first.tried->serial != first.serial;
    if (!over && first.date > now) break;
    deadlines_.pop();
    if (!over) give_up(*first.tried, now);
  }
  // One at a time: what a retry does to the others at this date comes first.
  if (!waits_.empty() && waits_.top().date <= now) dispatch(*waits_.pop(), now);
  firing_ = false;
  reschedule();
}

void TriedCalls::reschedule() {
  if (firing_) return;
  const double deadline = deadlines_.empty() ? Calendar::never : deadlines_.front().date;
  const double wait = waits_.empty() ? Calendar::never : waits_.top().date;
  calendar_.reschedule(source_, std::min(deadline, wait));
}

Try& TriedCalls::take() {
  if (spare_.empty()) {
    Try& made = tries_.emplace_back();
    made.owner = this;
    made.role = CallRole::tried;
    return made;
  }
  Try& tried = *spare_.back();
  spare_.pop_back();
  return tried;
}

void TriedCalls::release(Try& tried) {
  spare_.push_back(&tried);
}

}  // namespace saturn
