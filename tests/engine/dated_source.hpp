#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "sim/engine/calendar.hpp"

namespace saturn::tests {

/// Acts at the given dates, one after the other.
class DatedSource final : public Source {
 public:
  /// @param dates  rising [s]
  /// @param act    takes the number of the date, from 0, and the date [s]
  DatedSource(Calendar& calendar, std::vector<double> dates, std::function<void(std::size_t, double)> act)
      : calendar_(calendar), dates_(std::move(dates)), act_(std::move(act)), number_(calendar.add(*this)) {
    calendar_.reschedule(number_, next());
  }
  void fire(double now) override {
    act_(acted_++, now);
    calendar_.reschedule(number_, next());
  }

 private:
  double next() const { return acted_ < dates_.size() ? dates_[acted_] : Calendar::never; }
  Calendar& calendar_;
  std::vector<double> dates_;
  std::function<void(std::size_t, double)> act_;
  std::size_t acted_ = 0;
  std::size_t number_;
};

}  // namespace saturn::tests
