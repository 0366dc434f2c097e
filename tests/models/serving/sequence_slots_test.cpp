#include "models/serving/sequence_slots.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

using namespace saturn;

namespace {

using Slots = SequenceSlots<int>;
/// Instance and number.
using Place = std::pair<std::uint32_t, std::uint32_t>;

std::optional<Place> place_of(const std::optional<Slots::Slot>& slot) {
  return slot ? std::optional(Place{slot->instance, slot->number}) : std::nullopt;
}

std::optional<Place> enter(Slots& slots, std::uint32_t sequence) {
  return place_of(slots.enter(sequence, static_cast<int>(sequence)));
}

/// The rules once more, by definition: every choice looks at all slots.
class SlotsReference {
 public:
  SlotsReference(std::uint32_t instances, std::uint32_t slots) : slots_(slots), works_(instances, true) {}

  std::optional<Place> enter(std::uint32_t sequence) {
    for (const auto& [place, holder] : held_)
      if (holder == sequence) return place;
    const std::optional<Place> place = lowest_free();
    if (place) held_[*place] = sequence;
    if (!place) waiting_.push_back(sequence);
    return place;
  }
  /// @returns who enters, and where
  std::optional<std::pair<std::uint32_t, Place>> end(std::uint32_t sequence) {
    const auto held = std::find_if(held_.begin(), held_.end(), [=](const auto& one) { return one.second == sequence; });
    if (held == held_.end()) return std::nullopt;
    const Place place = held->first;
    held_.erase(held);
    return next_at(place);
  }
  void lose(std::uint32_t instance) {
    works_[instance] = false;
    std::erase_if(held_, [=](const auto& one) { return one.first.first == instance; });
  }
  std::vector<std::pair<std::uint32_t, Place>> restore(std::uint32_t instance) {
    std::vector<std::pair<std::uint32_t, Place>> entered;
    if (works_[instance]) return entered;
    works_[instance] = true;
    for (std::uint32_t number = 0; number < slots_; ++number)
      if (const auto next = next_at({instance, number})) entered.push_back(*next);
    return entered;
  }
  bool waits(std::uint32_t sequence) const {
    return std::find(waiting_.begin(), waiting_.end(), sequence) != waiting_.end();
  }
  std::size_t held() const { return held_.size(); }
  std::size_t waiting() const { return waiting_.size(); }

 private:
  std::optional<Place> lowest_free() const {
    for (std::uint32_t number = 0; number < slots_; ++number)
      for (std::uint32_t instance = 0; instance < works_.size(); ++instance)
        if (works_[instance] && !held_.contains({instance, number})) return Place{instance, number};
    return std::nullopt;
  }
  std::optional<std::pair<std::uint32_t, Place>> next_at(Place place) {
    if (waiting_.empty()) return std::nullopt;
    const std::uint32_t next = waiting_.front();
    waiting_.pop_front();
    held_[place] = next;
    return std::pair{next, place};
  }

  std::uint32_t slots_;
  std::vector<bool> works_;
  std::map<Place, std::uint32_t> held_;
  std::deque<std::uint32_t> waiting_;
};

}  // namespace

TEST_CASE("new sequences take the first slot of every instance before the second of any, and keep theirs") {
  Slots slots(2, 2);
  CHECK(enter(slots, 7) == Place{0, 0});
  CHECK(enter(slots, 8) == Place{1, 0});
  CHECK(enter(slots, 9) == Place{0, 1});
  CHECK(enter(slots, 7) == Place{0, 0});
  CHECK(enter(slots, 5) == Place{1, 1});
  CHECK(!slots.end(8));
  CHECK(enter(slots, 6) == Place{1, 0});
}

TEST_CASE("without a free slot a sequence waits, and the one that has waited longest takes the next over") {
  Slots slots(1, 2);
  enter(slots, 0);
  enter(slots, 1);
  CHECK(!enter(slots, 2));
  CHECK(!enter(slots, 3));
  const auto next = slots.end(1);
  REQUIRE(next);
  CHECK(next->request == 2);
  CHECK(place_of(next->slot) == Place{0, 1});
  CHECK(slots.waiting() == 1);
  CHECK(!slots.end(1));
}

TEST_CASE("a failed instance ends its sequences, and gives its slots to those that wait when it works again") {
  Slots slots(2, 1);
  enter(slots, 0);
  enter(slots, 1);
  enter(slots, 2);
  slots.lose(1);
  CHECK(slots.held() == 1);
  CHECK(!slots.slot_of(1));
  std::vector<int> entered;
  slots.restore(std::vector{1U}, [&](const Slots::Entered& next) { entered.push_back(next.request); });
  CHECK(entered == std::vector<int>{2});
  CHECK(place_of(slots.slot_of(2)) == Place{1, 0});
}

TEST_CASE("instances that come back together share those that wait, lowest slots first") {
  Slots slots(2, 4);
  slots.lose(0);
  slots.lose(1);
  enter(slots, 0);
  enter(slots, 1);
  slots.restore(std::vector{0U, 1U}, [](const Slots::Entered&) {});
  CHECK(place_of(slots.slot_of(0)) == Place{0, 0});
  CHECK(place_of(slots.slot_of(1)) == Place{1, 0});
}

TEST_CASE("whatever begins, ends, fails and comes back, slots are given as by a look at all of them") {
  CHECK(rc::check([] {
    const auto instances = *rc::gen::inRange<std::uint32_t>(1, 4);
    const auto of_each = *rc::gen::inRange<std::uint32_t>(1, 5);
    Slots slots(instances, of_each);
    SlotsReference reference(instances, of_each);
    for (int step = *rc::gen::inRange(0, 120); step > 0; --step) {
      const auto sequence = *rc::gen::inRange<std::uint32_t>(0, 24);
      const auto instance = *rc::gen::inRange<std::uint32_t>(0, instances);
      const int what = *rc::gen::inRange(0, 10);
      if (what < 6) {
        if (reference.waits(sequence)) continue;
        RC_ASSERT(enter(slots, sequence) == reference.enter(sequence));
      } else if (what < 8) {
        const auto next = slots.end(sequence);
        const auto expected = reference.end(sequence);
        RC_ASSERT(next.has_value() == expected.has_value());
        if (next) RC_ASSERT(std::pair(static_cast<std::uint32_t>(next->request), *place_of(next->slot)) == *expected);
      } else if (what == 8) {
        slots.lose(instance);
        reference.lose(instance);
      } else {
        std::vector<std::pair<std::uint32_t, Place>> entered;
        slots.restore(std::vector{instance}, [&](const Slots::Entered& next) {
          entered.emplace_back(static_cast<std::uint32_t>(next.request), *place_of(next.slot));
        });
        RC_ASSERT(entered == reference.restore(instance));
      }
      RC_ASSERT(slots.held() == reference.held());
      RC_ASSERT(slots.waiting() == reference.waiting());
    }
  }));
}
