#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What the drawing of a system is made from: who works where, what joins them, how busy each part is.

namespace saturn {

/// A part of the system that can be busy.
struct DrawnPart {
  std::string resource{};        ///< its name in every output; of two directions the busier one's
  std::string text{};            ///< "4 t4", "32 Gbps", "100 Gbps, 11.8 ms"
  std::optional<double> busy{};  ///< share of the time, simulated [1]
  std::uint64_t units = 0;       ///< devices, which are drawn one by one; 0: no devices
};

/// A part under the name of what it belongs to.
struct DrawnGroup {
  std::string name{};  ///< of the server; empty: the site's own
  std::vector<DrawnPart> parts{};
};

struct DrawnSite {
  std::string name{};
  std::vector<std::string> jobs{};   ///< "reco: 268 jobs", a pool each
  std::vector<DrawnGroup> groups{};  ///< uplink, servers
  bool serves = false;               ///< has servers
};

/// A link between two sites.
struct DrawnLink {
  std::size_t from = 0;  ///< index into SystemStudy::sites
  std::size_t to = 0;
  DrawnPart part{};
};

/// A scenario as something to look at, at its own load.
struct SystemStudy {
  std::vector<DrawnSite> sites{};
  std::vector<DrawnLink> links{};
  std::string binding{};  ///< the resource that saturates first; empty: nothing does
  std::string next{};     ///< the one after it
  std::string load{};     ///< "268 jobs", "7500 events per second"
};

}  // namespace saturn
