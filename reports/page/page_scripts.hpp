#pragma once

#include <span>
#include <string>

#include "scenarios/embedded_file.hpp"

/// The style and the scripts of a page, each inside its element.
namespace saturn {

/// The style element.
std::string style_html(std::span<const EmbeddedFile> web);

/// The script elements, in the order in which they need each other; those that are not among the files are left out.
std::string scripts_html(std::span<const EmbeddedFile> web);

/// The licences of the bundles, folded; empty where there are none.
std::string licences_html(std::span<const EmbeddedFile> web);

}  // namespace saturn
