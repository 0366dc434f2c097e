#pragma once

#include <filesystem>
#include <set>
#include <span>
#include <string>

#include "reports/figures/figure.hpp"
#include "scenarios/document/text_files.hpp"

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

/// The folder beside a report: "protodune.html" has its figures in "protodune-figures".
std::filesystem::path figure_folder_of(const std::filesystem::path& report);

/// Refuses a folder that holds something, before anything is computed.
/// @param force  files of the same names may be replaced
/// @throws InputError  figures.not_a_folder, figures.exists
void refuse_to_replace_figures(const std::filesystem::path& folder, bool force);

/// Writes every figure that could be drawn as each kind, and the rows of the others; makes the folder.
/// @param figures  names are unique and of letters, digits, "_" and "-"
/// @param web      web_files()
/// @throws InputError        figures.not_writable, figures.not_drawn (a program was killed, or had no memory)
/// @throws std::logic_error  Vega warns of a figure, or a name is not as above: our bug
void write_figures(std::span<const Figure> figures, const std::filesystem::path& folder,
                   const std::set<FigureKind>& kinds, std::span<const EmbeddedFile> web);

}  // namespace saturn
