#pragma once

#include <filesystem>

#include "scenarios/document/document.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

/// Most bytes of a SimGrid platform file.
inline constexpr std::size_t largest_platform_file = std::size_t{64} << 20U;

/// Reads the platform file that the network names (its path relative to `folder`) and gives the scenario the routes of
/// all calls between sites, there and back. In the document the network gets the file's fingerprint, so that the
/// scenario's hash changes with the file.
/// @param reader  empty: naming a platform file is a mistake
/// Codes: scenario.no_platform_reader, .platform_not_xml, .missing_file, .not_a_file, .unreadable_file, .too_large,
/// .not_utf8, those of platform_text_faults(), .unusable_platform, .unknown_host, .platform_out_of_range
void attach_platform(Scenario& scenario, Document& document, const std::filesystem::path& folder,
                     const PlatformReader& reader, ComplaintList& complaints);

}  // namespace saturn
