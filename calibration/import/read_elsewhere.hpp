#pragma once

#include <string>
#include <string_view>

namespace saturn {

/// What to do with a file that holds no measurements: one that saturn reads elsewhere (scenarios, Triton's
/// config.pbtxt, platforms, its own other schemas), or one that has to be converted first. A sentence or two; empty for
/// what is not known.
std::string way_for_other_file(std::string_view bytes);

}  // namespace saturn
