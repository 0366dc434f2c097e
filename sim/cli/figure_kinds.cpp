#include "sim/cli/figure_kinds.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>
#include <vector>

#include "models/words/texts.hpp"
#include "reports/web/web_files.hpp"
#include "scenarios/complaint.hpp"
#include "sim/run/called_program.hpp"

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

Complaint figure_complaint(const std::string& code, const std::string& text) {
  return {.source = "--figures", .code = code, .text = text};
}

/// "svg" of " SVG ".
std::string plain_word(const std::string& text) {
  std::string word;
  for (const char c : text)
    if (c != ' ') word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
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

void check_node(const std::string& asked, std::vector<Complaint>& complaints) {
  const auto node = program_on_path("node");
  if (!node) {
    complaints.push_back(figure_complaint("figures.no_node", asked +
                                                                 " needs node, which is not on the PATH. Debian: "
                                                                 "apt install nodejs." +
                                                                 always));
    return;
  }
  const int version = major_version(*node);
  if (version < oldest_node) {
    complaints.push_back(figure_complaint(
        "figures.old_node", asked + " needs node " + std::to_string(oldest_node) + " or newer; " + node->string() +
                                (version > 0 ? " is version " + std::to_string(version) : " does not say its version") +
                                ". Put a newer one first on the PATH." + always));
  }
}

}  // namespace

std::set<FigureKind> read_figure_kinds(const std::string& list) {
  std::set<FigureKind> kinds{FigureKind::csv, FigureKind::spec};
  std::vector<Complaint> complaints;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string word = plain_word(list.substr(begin, end - begin));
    const auto* const found =
        std::find_if(kind_names.begin(), kind_names.end(), [&](const auto& named) { return word == named.first; });
    if (found != kind_names.end()) {
      kinds.insert(found->second);
    } else {
      complaints.push_back(figure_complaint(
          "figures.unknown_kind",
          "\"" + word + "\" is no kind of figure; name some of csv, spec, svg, png, pdf, with commas between."));
    }
    begin = end + 1;
  }
  if (!complaints.empty()) throw InputError(std::move(complaints));
  return kinds;
}

void refuse_kinds_without_programs(const std::set<FigureKind>& kinds, std::span<const EmbeddedFile> web) {
  const std::string drawn = asked_words(kinds, FigureKind::svg);
  if (drawn.empty()) return;
  std::vector<Complaint> complaints;
  if (!has_bundles(web)) {
    complaints.push_back(figure_complaint(
        "figures.no_bundles", drawn +
                                  " needs Vega, which this saturn was built without: npm was missing then, or had "
                                  "no connection. Debian: apt install nodejs npm; then build again." +
                                  always));
  }
  check_node(drawn, complaints);
  const std::string converted = asked_words(kinds, FigureKind::png);
  if (!converted.empty() && !program_on_path("rsvg-convert")) {
    complaints.push_back(figure_complaint(
        "figures.no_rsvg_convert",
        converted +
            " needs rsvg-convert, which is not on the PATH. Debian: apt install librsvg2-bin fonts-liberation." +
            always));
  }
  if (!complaints.empty()) throw InputError(std::move(complaints));
}

}  // namespace saturn
