// The same system as a hand-written event loop with nothing around it: what a request costs at the least while one heap
// of all events stays in the caches. No SimGrid, no statistics beyond a count, no checks; the link in virtual time, the
// devices as a counter.
#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <limits>
#include <queue>
#include <vector>

#include "bench/closed_loop.hpp"
#include "models/laws/distribution.hpp"
#include "models/laws/random_stream.hpp"

namespace saturn::bench {

namespace {

enum class Kind : std::uint32_t { think_over, at_link, served, at_client_link };

struct Event {
  double date;
  std::uint32_t client;
  Kind kind;
  bool operator>(const Event& other) const { return date > other.date; }
};

/// A link whose flows all have the same size and share alike: they end in the order in which they began.
struct SharedLink {
  double capacity;
  double cap;
  double size;
  std::deque<std::pair<double, std::uint32_t>> flows = {};  // virtual time of completion, client
  double v = 0.0;
  double updated = 0.0;
  double next = std::numeric_limits<double>::infinity();  // date of the next completion

  double rate() const { return flows.empty() ? cap : std::min(cap, capacity / static_cast<double>(flows.size())); }
  void advance(double now) {
    v += rate() * (now - updated);
    updated = now;
  }
  void schedule() {
    next = flows.empty() ? std::numeric_limits<double>::infinity()
                         : updated + std::max(0.0, (flows.front().first - v) / rate());
  }
  void enter(std::uint32_t client, double now) {
    advance(now);
    flows.emplace_back(v + size, client);
    schedule();
  }
  std::uint32_t leave(double now) {
    advance(now);
    v = flows.front().first;
    const std::uint32_t client = flows.front().second;
    flows.pop_front();
    if (flows.empty()) v = 0.0;
    schedule();
    return client;
  }
};

}  // namespace

LoopResult run_bare(const ClosedLoop& loop, double horizon_s) {
  const double before = resident_bytes();
  const auto start = std::chrono::steady_clock::now();
  const auto n = static_cast<std::uint32_t>(loop.clients);
  const TimeDistribution think = ExponentialTime{Seconds{ClosedLoop::think_s}};
  std::priority_queue<Event, std::vector<Event>, std::greater<>> heap;
  std::vector<RandomStream> streams;
  SharedLink out{loop.bandwidth(), ClosedLoop::flow_bytes_per_s, ClosedLoop::request_bytes};
  SharedLink back{loop.bandwidth(), ClosedLoop::flow_bytes_per_s, ClosedLoop::answer_bytes};
  std::deque<std::uint32_t> queue;
  std::uint64_t busy = 0;
  LoopResult result;
  std::uint64_t late = 0;

  const auto serve = [&](std::uint32_t client, double now) {
    ++busy;
    heap.push({now + loop.service_s(), client, Kind::served});
  };

  for (std::uint32_t i = 0; i < n; ++i) {
    streams.emplace_back(1, 0, i, Purpose::cpu_stage);
    heap.push({loop.start_s(i) + sample(think, streams[i]).value, i, Kind::think_over});
  }
  for (;;) {
    const double now = std::min({heap.empty() ? out.next : heap.top().date, out.next, back.next});
    if (now > horizon_s) break;
    if (out.next == now) {
      const std::uint32_t client = out.leave(now);
      if (busy < ClosedLoop::devices) {
        serve(client, now);
      } else {
        queue.push_back(client);
      }
      continue;
    }
    if (back.next == now) {
      const std::uint32_t client = back.leave(now);
      ++result.requests;
      if (now > horizon_s / 2) ++late;
      heap.push({now + sample(think, streams[client]).value, client, Kind::think_over});
      continue;
    }
    const Event event = heap.top();
    heap.pop();
    switch (event.kind) {
      case Kind::think_over:
        heap.push({now + ClosedLoop::round_trip_s / 2, event.client, Kind::at_link});
        break;
      case Kind::at_link:
        out.enter(event.client, now);
        break;
      case Kind::served:
        --busy;
        if (!queue.empty()) {
          serve(queue.front(), now);
          queue.pop_front();
        }
        heap.push({now + ClosedLoop::round_trip_s / 2, event.client, Kind::at_client_link});
        break;
      case Kind::at_client_link:
        back.enter(event.client, now);
        break;
    }
  }
  result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.grown_bytes = peak_resident_bytes() - before;
  result.requests_per_s = static_cast<double>(late) / (horizon_s / 2);
  return result;
}

}  // namespace saturn::bench
