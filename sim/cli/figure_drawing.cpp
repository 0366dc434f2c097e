#include "sim/cli/figure_drawing.hpp"

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "scenarios/complaint.hpp"
#include "sim/run/called_program.hpp"

namespace saturn {
namespace {

// As render.mjs has it.
constexpr int warned_code = 3;

[[noreturn]] void complain_of_drawing(const std::string& code, const std::string& text) {
  throw InputError({{.source = "--figures", .code = code, .text = text}});
}

void put(const std::filesystem::path& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  if (!file.flush()) complain_of_drawing("figures.not_writable", path.string() + " cannot be written.");
}

std::filesystem::path needed_program(const std::string& name) {
  const auto program = program_on_path(name);
  if (!program) complain_of_drawing("figures.not_drawn", name + " is no longer on the PATH.");
  return *program;
}

[[noreturn]] void complain_of_end(const std::string& program, const std::string& what, const ProgramEnd& end) {
  const std::string how = end.timed_out         ? "took too long and was killed"
                          : end.exit_code > 128 ? "was killed by signal " + std::to_string(end.exit_code - 128)
                                                : "ended with exit code " + std::to_string(end.exit_code);
  complain_of_drawing("figures.not_drawn", program + " " + how + " while it drew " + what +
                                               (end.words.empty() ? "." : ". Its last words: " + end.words));
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
    complain_of_drawing("figures.not_writable", "no folder can be made for drawing in " +
                                                    std::filesystem::path(name).parent_path().string() +
                                                    "; TMPDIR names another.");
  path_ = name;
}

DrawingFolder::~DrawingFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void draw_svgs(std::span<const Figure> figures, const DrawingFolder& folder, std::span<const EmbeddedFile> web) {
  const std::string specs = specs_of(figures);
  if (specs.empty()) return;
  put(folder.path() / "figures.json", specs);
  for (const EmbeddedFile& file : web) {
    if (file.name.ends_with(".mjs") || file.name.ends_with(".min.js")) put(folder.path() / file.name, file.text);
  }
  const ProgramEnd end = call_program({.program = needed_program("node"),
                                       .arguments = {(folder.path() / "render.mjs").string(),
                                                     (folder.path() / "figures.json").string(), folder.path().string()},
                                       .limit_s = 60.0 + 10.0 * static_cast<double>(figures.size())});
  if (end.exit_code == warned_code) throw std::logic_error("Vega warns of figures:\n" + end.words);
  if (end.exit_code != 0) complain_of_end("node", "figures", end);
}

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

}  // namespace saturn
