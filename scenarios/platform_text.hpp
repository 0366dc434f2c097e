#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace saturn {

/// Most hosts, routers and links that the elements of a platform file may stand for, clusters written out: they take
/// SimGrid about 1 GB.
inline constexpr double most_platform_parts = 1'000'000;

/// Something in a platform file that SimGrid is not to see.
struct PlatformTextFault {
  std::size_t offset = 0;  ///< where it begins [byte]
  std::string code{};
  std::string text{};  ///< what is found, what is allowed, the way out
};

/// What keeps the text of a SimGrid platform file from being a mere description of hosts, links and routes, in order;
/// at most 50 faults. SimGrid's parser obeys such a file: it opens files that it names (for writing too, by <config>),
/// starts programs' actors, and makes every host of a cluster. So only elements that describe a network are let
/// through, without profiles, and XML only in the plain form that every parser reads alike: no entities of its own, no
/// CDATA, no processing instructions.
/// Codes: scenario.platform_syntax, .platform_not_plain, .platform_element, .platform_reads_file,
/// .platform_cluster_size, .platform_too_large
/// Cost: linear in the text; hosts of clusters are counted, not made
/// Source: SimGrid 3.32's simgrid.dtd
/// @param text  UTF-8
std::vector<PlatformTextFault> platform_text_faults(const std::string& text);

}  // namespace saturn
