#include "scenarios/meant_fields.hpp"
#include "scenarios/sweep_space.hpp"

namespace saturn {

std::vector<RefusedPoint> refused_points(const SweepSpace& space, const ReadScenario& read, std::size_t most) {
  std::vector<RefusedPoint> refused;
  const std::uint64_t points = space.size();
  for (std::uint64_t point = 0; point < points && refused.size() < most; ++point) {
    std::vector<Complaint> complaints = refused_settings(read, space.settings(point));
    if (!complaints.empty()) refused.push_back({point, std::move(complaints)});
  }
  return refused;
}

}  // namespace saturn
