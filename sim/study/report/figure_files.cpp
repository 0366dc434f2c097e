#include "sim/study/report/figure_files.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "models/words/texts.hpp"
#include "reports/figures/figure.hpp"
#include "reports/web/web_files.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/text_files.hpp"
#include "sim/run/called_program.hpp"
#include "sim/study/new_files.hpp"

namespace saturn {

namespace {

constexpr std::array<std::pair<const char*, FigureKind>, 5> kind_names{{{"csv", FigureKind::csv},
                                                                        {"spec", FigureKind::spec},
                                                                        {"svg", FigureKind::svg},
                                                                        {"png", FigureKind::png},
                                                                        {"pdf", FigureKind::pdf}}};
// Vega-Lite's own command line asks for more, its bundle does not.
constexpr int oldest_node = 18;
const char* const always = " CSV and specifications are written without it.";

/// "svg" of " SVG ".
std::string plain_word(std::string_view text) {
  std::string word = lower_case(text);
  std::erase(word, ' ');
  return word;
}

std::string asked_words(const std::set<FigureKind>& kinds, FigureKind least) {
  std::string words;
  for (const auto& [name, kind] : kind_names) {
    if (kind >= least && kinds.contains(kind)) append_part(words, name, ",");
  }
  return words;
}

/// 20 for "v20.20.2"; 0 when it does not say.
int major_version(const std::filesystem::path& node) {
  const ProgramEnd end = call_program({.program = node, .arguments = {"--version"}, .limit_s = 30.0});
  return end.words.starts_with("v") ? std::atoi(end.words.c_str() + 1) : 0;
}

void check_node(const std::string& asked, Complaints& complaints) {
  const auto node = program_on_path("node");
  if (!node) {
    complaints.add("--figures", "figures.no_node",
                   asked +
                       " needs node, which is not on the PATH. Debian: "
                       "apt install nodejs." +
                       always);
    return;
  }
  const int version = major_version(*node);
  if (version < oldest_node) {
    complaints.add("--figures", "figures.old_node",
                   asked + " needs node " + std::to_string(oldest_node) + " or newer; " + node->string() +
                       (version > 0 ? " is version " + std::to_string(version) : " does not say its version") +
                       ". Put a newer one first on the PATH." + always);
  }
}

}  // namespace

std::set<FigureKind> read_figure_kinds(const std::string& list) {
  std::set<FigureKind> kinds{FigureKind::csv, FigureKind::spec};
  Complaints complaints;
  for (const std::string_view part : split_at(list, ',')) {
    const std::string word = plain_word(part);
    const auto* const found =
        std::find_if(kind_names.begin(), kind_names.end(), [&](const auto& named) { return word == named.first; });
    if (found != kind_names.end()) {
      kinds.insert(found->second);
    } else {
      complaints.add(
          "--figures", "figures.unknown_kind",
          "\"" + word + "\" is no kind of figure; name some of csv, spec, svg, png, pdf, with commas between.");
    }
  }
  complaints.raise();
  return kinds;
}

void refuse_kinds_without_programs(const std::set<FigureKind>& kinds, std::span<const EmbeddedFile> web) {
  const std::string drawn = asked_words(kinds, FigureKind::svg);
  if (drawn.empty()) return;
  Complaints complaints;
  if (!has_bundles(web)) {
    complaints.add("--figures", "figures.no_bundles",
                   drawn +
                       " needs Vega, which this saturn was built without: npm was missing then, or had "
                       "no connection. Debian: apt install nodejs npm; then build again." +
                       always);
  }
  check_node(drawn, complaints);
  const std::string converted = asked_words(kinds, FigureKind::png);
  if (!converted.empty() && !program_on_path("rsvg-convert")) {
    complaints.add(
        "--figures", "figures.no_rsvg_convert",
        converted +
            " needs rsvg-convert, which is not on the PATH. Debian: apt install librsvg2-bin fonts-liberation." +
            always);
  }
  complaints.raise();
}

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

namespace {

// As render.mjs has it.
constexpr int warned_code = 3;

void give_file(const std::filesystem::path& path, const std::string& text) {
  write_new_file({.option = "--figures", .path = path, .text = text, .not_writable = "figures.not_writable"});
}

std::filesystem::path needed_program(const std::string& name) {
  const auto program = program_on_path(name);
  if (!program) refuse_input("--figures", "figures.not_drawn", name + " is no longer on the PATH.");
  return *program;
}

[[noreturn]] void complain_of_end(const std::string& program, const std::string& what, const ProgramEnd& end) {
  const std::string how = end.timed_out         ? "took too long and was killed"
                          : end.exit_code > 128 ? "was killed by signal " + std::to_string(end.exit_code - 128)
                                                : "ended with exit code " + std::to_string(end.exit_code);
  refuse_input(
      "--figures", "figures.not_drawn",
      program + " " + how + " while it drew " + what + (end.words.empty() ? "." : ". Its last words: " + end.words));
}

std::string specs_of(std::span<const Figure> figures) {
  std::string text;
  for (const Figure& figure : figures) {
    if (figure.spec.empty()) continue;
    text += (text.empty() ? "{\"figures\": [\n" : ",\n");
    text += "{\"name\": \"" + figure.name + "\", \"spec\": " + spec_with_rows(figure) + "}";
  }
  return text.empty() ? "" : text + "\n]}\n";
}

}  // namespace

DrawingFolder::DrawingFolder() {
  std::error_code failed;
  std::string name = (std::filesystem::temp_directory_path(failed) / "saturn-figures-XXXXXX").string();
  if (failed || mkdtemp(name.data()) == nullptr)
    refuse_input("--figures", "figures.not_writable",
                 "no folder can be made for drawing in " + std::filesystem::path(name).parent_path().string() +
                     "; TMPDIR names another.");
  path_ = name;
}

DrawingFolder::~DrawingFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

/// Draws NAME.svg of every figure that has a specification, with one call of node: the same bytes on every machine.
/// @throws InputError        figures.not_drawn
/// @throws std::logic_error  Vega or Vega-Lite warns: our bug
void draw_svgs(std::span<const Figure> figures, const DrawingFolder& folder, std::span<const EmbeddedFile> web) {
  const std::string specs = specs_of(figures);
  if (specs.empty()) return;
  give_file(folder.path() / "figures.json", specs);
  for (const EmbeddedFile& file : web) {
    if (file.name.ends_with(".mjs") || file.name.ends_with(".min.js"))
      give_file(folder.path() / file.name, std::string(file.text));
  }
  const ProgramEnd end = call_program({.program = needed_program("node"),
                                       .arguments = {(folder.path() / "render.mjs").string(),
                                                     (folder.path() / "figures.json").string(), folder.path().string()},
                                       .limit_s = 60.0 + 10.0 * static_cast<double>(figures.size())});
  if (end.exit_code == warned_code) throw std::logic_error("Vega warns of figures:\n" + end.words);
  if (end.exit_code != 0) complain_of_end("node", "figures", end);
}

/// Turns NAME.svg into NAME.png or NAME.pdf beside it.
/// @param format  "png" or "pdf"
/// @throws InputError  figures.not_drawn
void convert_svg(const std::string& name, const std::string& format, const DrawingFolder& folder) {
  const std::string stem = (folder.path() / name).string();
  // A PDF holds the moment of its making, unless it is told another.
  const ProgramEnd end = call_program({.program = needed_program("rsvg-convert"),
                                       .arguments = {"--zoom", format == "png" ? "2" : "1", "--format", format,
                                                     "--output", stem + "." + format, stem + ".svg"},
                                       .environment = {{"SOURCE_DATE_EPOCH", "0"}},
                                       .limit_s = 120.0});
  if (end.exit_code != 0) complain_of_end("rsvg-convert", name + "." + format, end);
}

namespace {

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

std::string drawn_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file || text.empty())
    refuse_input("--figures", "figures.not_drawn",
                 path.filename().string() + " was not drawn; is the disk of " + path.parent_path().string() + " full?");
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
    refuse_input("--figures", "figures.not_a_folder",
                 folder.string() +
                     " is a file; figures go into a folder of that name. "
                     "Name another report, or move the file away.");
  if (!force && !std::filesystem::is_empty(folder, ignored))
    refuse_input("--figures", "figures.exists",
                 folder.string() + " holds files already; name another report, or add --force.");
}

void write_figures(std::span<const Figure> figures, const std::filesystem::path& folder,
                   const std::set<FigureKind>& kinds, std::span<const EmbeddedFile> web) {
  refuse_odd_names(figures);
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    refuse_input("--figures", "figures.not_writable", folder.string() + " cannot be made: " + failed.message() + ".");
  for (const Figure& figure : figures) {
    give_file(folder / (figure.name + ".csv"), rows_csv(figure.rows));
    if (!figure.spec.empty()) give_file(folder / (figure.name + ".vl.json"), spec_beside_csv(figure));
  }
  const bool drawn = std::any_of(kinds.begin(), kinds.end(), [](FigureKind kind) { return kind >= FigureKind::svg; });
  if (drawn) write_drawings(figures, folder, kinds, web);
}

}  // namespace saturn
