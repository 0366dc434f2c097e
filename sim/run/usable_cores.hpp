#pragma once

namespace saturn {

/// Cores that this process may use: those of its CPU set, so that a share of a node counts and not the node. At least
/// 1.
unsigned usable_cores();

}  // namespace saturn
