#pragma once

#include <filesystem>
#include <set>
#include <span>
#include <string>

#include "scenarios/embedded_file.hpp"

namespace saturn {

/// A kind of file that a figure becomes.
enum class FigureKind {
  csv,   ///< NAME.csv, its rows
  spec,  ///< NAME.vl.json, the specification that takes its rows from NAME.csv
  svg,
  png,  ///< with twice as many pixels as the SVG has
  pdf,
};

/// What `--figures csv,svg,png,pdf` asks for; CSV and specifications are always written.
/// @throws InputError  figures.unknown_kind
std::set<FigureKind> read_figure_kinds(const std::string& list);

/// Refuses kinds that cannot be drawn here, before anything is computed.
/// @param web  web_files()
/// @throws InputError  figures.no_bundles, figures.no_node, figures.old_node, figures.no_rsvg_convert: all at once, and
///                     each says how to get what is missing
void refuse_kinds_without_programs(const std::set<FigureKind>& kinds, std::span<const EmbeddedFile> web);

}  // namespace saturn
