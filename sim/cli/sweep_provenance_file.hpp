#pragma once

#include <filesystem>
#include <optional>

#include "reports/provenance.hpp"

namespace saturn {

/// What provenance.json of a sweep's folder says; nothing where it is not there, torn, or none: a sweep can be read
/// without it.
std::optional<Provenance> read_sweep_provenance(const std::filesystem::path& folder);

}  // namespace saturn
