#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "reports/figures/figure.hpp"
#include "scenarios/embedded_file.hpp"

namespace saturn {

/// A folder for drawing, gone with its object.
class DrawingFolder {
 public:
  /// @throws InputError  figures.not_writable
  DrawingFolder();
  ~DrawingFolder();
  DrawingFolder(const DrawingFolder&) = delete;
  DrawingFolder& operator=(const DrawingFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Draws NAME.svg of every figure that has a specification, with one call of node: the same bytes on every machine.
/// @throws InputError        figures.not_drawn
/// @throws std::logic_error  Vega or Vega-Lite warns: our bug
void draw_svgs(std::span<const Figure> figures, const DrawingFolder& folder, std::span<const EmbeddedFile> web);

/// Turns NAME.svg into NAME.png or NAME.pdf beside it.
/// @param format  "png" or "pdf"
/// @throws InputError  figures.not_drawn
void convert_svg(const std::string& name, const std::string& format, const DrawingFolder& folder);

}  // namespace saturn
