#pragma once

#include <span>

#include "scenarios/document/text_files.hpp"

namespace saturn {

/// What reports are drawn with, by name: the files of reports/web (page.css, page.js, drawing.js, render.mjs, ...) and,
/// where npm was there when saturn was built, vega.min.js, vega-lite.min.js, vega-embed.min.js and
/// bundle-licences.txt, which goes wherever the bundles go.
std::span<const EmbeddedFile> web_files();

/// Are the three bundles among the files?
bool has_bundles(std::span<const EmbeddedFile> files);

}  // namespace saturn
