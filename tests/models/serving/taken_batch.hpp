#pragma once

#include <optional>
#include <vector>

#include "models/serving/batcher.hpp"

namespace saturn {

/// Knows its requests by their number.
using TestBatcher = Batcher<int>;

/// A batch that was handed out.
struct Taken {
  std::vector<int> requests;
  std::uint64_t items = 0;
  SendReason reason = SendReason::single;
  bool operator==(const Taken&) const = default;
};

/// What an instance that is free at `now` [s] gets.
inline std::optional<Taken> take(TestBatcher& batcher, double now) {
  Taken taken;
  const auto reason = batcher.take(now, [&taken](const TestBatcher::Waiting& w) {
    taken.requests.push_back(w.request);
    taken.items += w.items;
  });
  if (!reason) return std::nullopt;
  taken.reason = *reason;
  return taken;
}

/// The requests that timed out since the last call.
inline std::vector<int> rejected(TestBatcher& batcher) {
  std::vector<int> requests;
  batcher.rejected([&](const TestBatcher::Waiting& w) { requests.push_back(w.request); });
  return requests;
}

}  // namespace saturn
