#include "sim/cli/figure_files.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <system_error>

#include "scenarios/complaint.hpp"
#include "sim/cli/figure_drawing.hpp"
#include "sim/cli/whole_file.hpp"

namespace saturn {
namespace {

[[noreturn]] void complain_of_figures(const std::string& code, const std::string& text) {
  throw InputError({{.source = "--figures", .code = code, .text = text}});
}

void refuse_odd_names(std::span<const Figure> figures) {
  std::set<std::string> seen;
  for (const Figure& figure : figures) {
    const bool plain =
        !figure.name.empty() && std::all_of(figure.name.begin(), figure.name.end(), [](unsigned char one) {
          return std::isalnum(one) != 0 || one == '_' || one == '-';
        });
    if (!plain) throw std::logic_error("\"" + figure.name + "\" cannot name the files of a figure");
    if (!seen.insert(figure.name).second) throw std::logic_error("two figures have the name " + figure.name);
  }
}

void give_file(const std::filesystem::path& path, const std::string& text) {
  if (!write_whole(path, text)) complain_of_figures("figures.not_writable", path.string() + " cannot be written.");
}

std::string drawn_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file || text.empty())
    complain_of_figures("figures.not_drawn", path.filename().string() + " was not drawn; is the disk of " +
                                                 path.parent_path().string() + " full?");
  return text;
}

void write_drawings(std::span<const Figure> figures, const std::filesystem::path& folder,
                    const std::set<FigureKind>& kinds, std::span<const EmbeddedFile> web) {
  const DrawingFolder drawing;
  draw_svgs(figures, drawing, web);
  for (const Figure& figure : figures) {
    if (figure.spec.empty()) continue;
    for (const auto& [kind, format] :
         {std::pair{FigureKind::svg, "svg"}, {FigureKind::png, "png"}, {FigureKind::pdf, "pdf"}}) {
      if (!kinds.contains(kind)) continue;
      if (kind != FigureKind::svg) convert_svg(figure.name, format, drawing);
      const std::string file = figure.name + "." + format;
      give_file(folder / file, drawn_file(drawing.path() / file));
    }
  }
}

}  // namespace

std::filesystem::path figure_folder_of(const std::filesystem::path& report) {
  return report.parent_path() / (report.stem().string() + "-figures");
}

void refuse_to_replace_figures(const std::filesystem::path& folder, bool force) {
  std::error_code ignored;
  if (!std::filesystem::exists(folder, ignored)) return;
  if (!std::filesystem::is_directory(folder, ignored))
    complain_of_figures("figures.not_a_folder", folder.string() +
                                                    " is a file; figures go into a folder of that name. "
                                                    "Name another report, or move the file away.");
  if (!force && !std::filesystem::is_empty(folder, ignored))
    complain_of_figures("figures.exists",
                        folder.string() + " holds files already; name another report, or add --force.");
}

void write_figures(std::span<const Figure> figures, const std::filesystem::path& folder,
                   const std::set<FigureKind>& kinds, std::span<const EmbeddedFile> web) {
  refuse_odd_names(figures);
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    complain_of_figures("figures.not_writable", folder.string() + " cannot be made: " + failed.message() + ".");
  for (const Figure& figure : figures) {
    give_file(folder / (figure.name + ".csv"), rows_csv(figure.rows));
    if (!figure.spec.empty()) give_file(folder / (figure.name + ".vl.json"), spec_beside_csv(figure));
  }
  const bool drawn = std::any_of(kinds.begin(), kinds.end(), [](FigureKind kind) { return kind >= FigureKind::svg; });
  if (drawn) write_drawings(figures, folder, kinds, web);
}

}  // namespace saturn
