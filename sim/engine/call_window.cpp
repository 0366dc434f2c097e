#include "sim/engine/call_window.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>

#include "sim/engine/client.hpp"

namespace saturn {

void CallWindow::wake() {
  std::exchange(waiter_, nullptr)->go_on();
}

std::uint16_t WindowShelves::shelf(std::uint32_t in_flight) {
  const auto same = [=](const Shelf& shelf) { return shelf.in_flight == in_flight; };
  const auto found = std::find_if(shelves_.begin(), shelves_.end(), same);
  const auto number = static_cast<std::uint16_t>(found - shelves_.begin());
  if (found == shelves_.end()) shelves_.push_back({.in_flight = in_flight});
  return number;
}

CallWindow& WindowShelves::make(std::uint16_t shelf) {
  const std::size_t others = shelves_[shelf].in_flight - 1;
  std::pmr::polymorphic_allocator<> memory(&memory_);
  Call* const first = memory.allocate_object<Call>(others);
  std::uninitialized_default_construct_n(first, others);
  return *memory.new_object<CallWindow>(service_, delayed_, std::span<Call>(first, others));
}

}  // namespace saturn
