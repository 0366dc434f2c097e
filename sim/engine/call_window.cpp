#include "sim/engine/call_window.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

#include "sim/engine/client.hpp"
#include "sim/engine/living/tried_calls.hpp"

namespace saturn {

void CallWindow::begin(const InferPlan& plan, Client& stream, std::uint64_t items) {
  plan_ = &plan;
  stream_ = &stream;
  unsent_ = static_cast<std::uint32_t>((items - 1) / plan.batch + 1);
  last_items_ = static_cast<std::uint32_t>(items - std::uint64_t{unsent_ - 1} * plan.batch);
  refused_items_ = 0;
  failed_ = false;
  by_loop_ = plan.asynchronous ? std::min(plan.in_flight, unsent_) : unsent_;
  sender_ = plan.costs_to_send() ? Sender::stream : Sender::window;
  free_ = nullptr;
  const std::uint32_t client = stream.entity();
  auto* const others = reinterpret_cast<Call*>(this + 1);
  for (std::size_t i = std::min(plan.in_flight, unsent_) - 1; i > 0; --i) prepare(others[i - 1], client);
  prepare(first_, client);
}

double CallWindow::next_cost_s() const {
  return stream_->slowness() * (plan_->cost_s_per_request + static_cast<double>(next_items()) * plan_->cost_s_per_item);
}

float CallWindow::draw_length() {
  const auto kinds = static_cast<double>(plan_->lengths.size());
  return plan_->lengths[static_cast<std::size_t>(stream_->lengths().uniform() * kinds)];
}

void CallWindow::send_tried(Call& call, double now) {
  plan_->tries->send(call, now);
}

void CallWindow::wake() {
  waits_for_ = Awaited::nothing;
  stream_->go_on();
}

std::uint16_t WindowShelves::shelf(std::uint32_t in_flight) {
  const auto same = [=](const Shelf& shelf) { return shelf.in_flight == in_flight; };
  const auto found = std::find_if(shelves_.begin(), shelves_.end(), same);
  const auto number = static_cast<std::uint16_t>(found - shelves_.begin());
  if (found == shelves_.end()) shelves_.push_back({.in_flight = in_flight});
  return number;
}

CallWindow& WindowShelves::make(std::uint16_t shelf) {
  // Its other calls stand directly behind the first.
  const std::size_t others = shelves_[shelf].in_flight - 1;
  void* const place = memory_.allocate(sizeof(CallWindow) + others * sizeof(Call), alignof(CallWindow));
  auto* const window = new (place) CallWindow;
  std::uninitialized_default_construct_n(reinterpret_cast<Call*>(window + 1), others);
  return *window;
}

}  // namespace saturn
