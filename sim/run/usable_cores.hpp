#pragma once

namespace saturn {

/// Cores that this process may use, at least 1.
unsigned usable_cores();

}  // namespace saturn
