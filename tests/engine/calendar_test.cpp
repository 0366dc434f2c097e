#include "sim/engine/calendar.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <deque>
#include <queue>
#include <vector>

#include "models/ring.hpp"
#include "sim/engine/dated_heap.hpp"

using namespace saturn;

namespace {

/// Fires at the given dates, and writes down when it did.
class Listed final : public Source {
 public:
  Listed(Calendar& calendar, std::vector<double> dates, std::vector<std::pair<double, std::size_t>>& log)
      : calendar_(calendar), dates_(std::move(dates)), log_(log), number_(calendar.add(*this)) {
    std::sort(dates_.begin(), dates_.end());
    calendar_.reschedule(number_, next());
  }
  void fire(double now) override {
    log_.emplace_back(now, number_);
    ++fired_;
    calendar_.reschedule(number_, next());
  }

 private:
  double next() const { return fired_ < dates_.size() ? dates_[fired_] : Calendar::never; }
  Calendar& calendar_;
  std::vector<double> dates_;
  std::vector<std::pair<double, std::size_t>>& log_;
  std::size_t fired_ = 0;
  std::size_t number_;
};

}  // namespace

TEST_CASE("the calendar fires all sources in the order of their dates, equal dates by the source's number") {
  CHECK(rc::check("order", [] {
    const auto dates = *rc::gen::container<std::vector<std::vector<int>>>(
        rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 20)));
    Calendar calendar;
    std::vector<std::pair<double, std::size_t>> log;
    std::vector<std::pair<double, std::size_t>> expected;
    std::deque<Listed> sources;
    for (std::size_t s = 0; s < dates.size(); ++s) {
      sources.emplace_back(calendar, std::vector<double>(dates[s].begin(), dates[s].end()), log);
      for (const int date : dates[s]) expected.emplace_back(date, s);
    }
    std::sort(expected.begin(), expected.end());
    calendar.run_until(1e9);
    RC_ASSERT(log == expected);
    RC_ASSERT(calendar.next_date() == Calendar::never);
  }));
}

TEST_CASE("the heap gives equal dates back in the order in which they came") {
  CHECK(rc::check("stable", [] {
    DatedHeap<int> heap;
    std::vector<std::pair<int, int>> present;  // date, number of arrival: the obvious reference
    int arrivals = 0;
    for (const int operation : *rc::gen::container<std::vector<int>>(rc::gen::inRange(-6, 10))) {
      if (operation >= 0) {
        heap.push(operation, arrivals);
        present.emplace_back(operation, arrivals++);
      } else if (!present.empty()) {
        const auto first = std::min_element(present.begin(), present.end());
        RC_ASSERT(heap.top().date == first->first);
        RC_ASSERT(heap.pop() == first->second);
        present.erase(first);
      }
      RC_ASSERT(heap.size() == present.size());
    }
  }));
}

TEST_CASE("the ring is a queue") {
  CHECK(rc::check("fifo", [] {
    Ring<int> ring;
    std::deque<int> reference;
    for (const int operation : *rc::gen::container<std::vector<int>>(rc::gen::inRange(-10, 20))) {
      if (operation >= 0) {
        ring.push(operation);
        reference.push_back(operation);
      } else if (!reference.empty()) {
        RC_ASSERT(ring.back() == reference.back());
        RC_ASSERT(ring.pop() == reference.front());
        reference.pop_front();
      }
      RC_ASSERT(ring.size() == reference.size());
      for (std::size_t i = 0; i < reference.size(); ++i) RC_ASSERT(ring[i] == reference[i]);
    }
  }));
}
