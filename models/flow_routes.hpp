#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace saturn {

/// Links, and the classes of flows that cross them: flows of one class take the same links and have the same cap.
struct FlowRoutes {
  struct Link {
    double capacity = 0.0;                  ///< [byte/s], > 0, finite
    std::vector<std::size_t> classes = {};  ///< that cross it, by rising cap; once complete() was called
    std::size_t part = 0;
  };
  struct Class {
    double cap = 0.0;  ///< rate that one flow reaches alone [byte/s], > 0, finite
    std::uint64_t flows = 0;
    std::vector<std::size_t> links = {};  ///< each once
    std::size_t part = 0;
  };
  /// Links and classes that have to do with each other, directly or through others.
  struct Part {
    std::vector<std::size_t> links = {};
    std::vector<std::size_t> classes = {};  ///< by rising cap
  };

  std::vector<Link> links = {};
  std::vector<Class> classes = {};
  std::vector<Part> parts = {};

  /// Reckons what follows from capacities, caps and routes: the classes of each link, and the parts.
  void complete();
};

}  // namespace saturn
