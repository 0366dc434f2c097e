#include "sim/study/report/figure_files.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <stdlib.h>
#include <string>
#include <vector>

#include "reports/web/web_files.hpp"
#include "scenarios/document/complaints.hpp"
#include "sim/run/called_program.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/web/plain_figures.hpp"

using namespace saturn;

namespace {

/// Programs are found in this folder alone, until the object goes.
class OnlyPath {
 public:
  explicit OnlyPath(const std::string& path) : before_(std::getenv("PATH")) { setenv("PATH", path.c_str(), 1); }
  ~OnlyPath() { setenv("PATH", before_.c_str(), 1); }

 private:
  std::string before_;
};

template <typename Call>
std::vector<std::string> complaints_of_call(Call call) {
  std::vector<std::string> texts;
  try {
    call();
  } catch (const InputError& error) {
    for (const Complaint& complaint : error.complaints()) texts.push_back(complaint.code + ": " + complaint.text);
  }
  return texts;
}

const std::vector<EmbeddedFile> three_bundles{{"vega-embed.min.js", ""}, {"vega-lite.min.js", ""}, {"vega.min.js", ""}};

}  // namespace

TEST_CASE("rows and specifications are always among the kinds of figure files, and a kind is named once or more") {
  CHECK(read_figure_kinds("SVG, csv") == std::set{FigureKind::csv, FigureKind::spec, FigureKind::svg});
  CHECK(read_figure_kinds("csv") == std::set{FigureKind::csv, FigureKind::spec});
  CHECK(read_figure_kinds("png,svg,png") ==
        std::set{FigureKind::csv, FigureKind::spec, FigureKind::svg, FigureKind::png});
}

TEST_CASE("every unknown kind of figure is named with those that there are") {
  CHECK(complaints_of_call([] { read_figure_kinds("svg,jpg,"); }) ==
        std::vector<std::string>{
            "figures.unknown_kind: \"jpg\" is no kind of figure; name some of csv, spec, svg, png, pdf, with commas "
            "between.",
            "figures.unknown_kind: \"\" is no kind of figure; name some of csv, spec, svg, png, pdf, with commas "
            "between."});
}

TEST_CASE("what drawing lacks is said at once, with the packages that bring it") {
  const OnlyPath nowhere("/nonexistent");
  CHECK(complaints_of_call([] { refuse_kinds_without_programs(read_figure_kinds("svg,pdf"), {}); }) ==
        std::vector<std::string>{
            "figures.no_bundles: svg,pdf needs Vega, which this saturn was built without: npm was missing then, or had "
            "no connection. Debian: apt install nodejs npm; then build again. CSV and specifications are written "
            "without it.",
            "figures.no_node: svg,pdf needs node, which is not on the PATH. Debian: apt install nodejs. CSV and "
            "specifications are written without it.",
            "figures.no_rsvg_convert: pdf needs rsvg-convert, which is not on the PATH. Debian: apt install "
            "librsvg2-bin fonts-liberation. CSV and specifications are written without it."});
  CHECK(complaints_of_call([] { refuse_kinds_without_programs(read_figure_kinds("csv"), {}); }).empty());
}

TEST_CASE("a node that is too old is refused with its version") {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "node") << "#!/bin/sh\necho v12.22.12\n";
  std::filesystem::permissions(folder.path() / "node", std::filesystem::perms::owner_all);
  const OnlyPath only(folder.path().string());
  CHECK(complaints_of_call([] { refuse_kinds_without_programs(read_figure_kinds("svg"), three_bundles); }) ==
        std::vector<std::string>{"figures.old_node: svg needs node 18 or newer; " + (folder.path() / "node").string() +
                                 " is version 12. Put a newer one first on the PATH. CSV and specifications are "
                                 "written without it."});
}

TEST_CASE("rows and specifications are written without any program, and a figure that was not drawn leaves its rows") {
  const TemporaryFolder folder;
  const OnlyPath nowhere("/nonexistent");
  write_figures(std::vector{plain_figures().front(), undrawn_figure()}, folder.path() / "new" / "deep",
                read_figure_kinds("csv"), {});
  const std::filesystem::path deep = folder.path() / "new" / "deep";
  CHECK(text_of_file(deep / "undrawn.csv") == "streams\n1\n");
  CHECK(text_of_file(deep / "curve.csv") == rows_csv(plain_figures().front().rows));
  CHECK(text_of_file(deep / "curve.vl.json") == spec_beside_csv(plain_figures().front()));
  CHECK_FALSE(std::filesystem::exists(deep / "undrawn.vl.json"));
}

TEST_CASE("a folder of figures that holds something is replaced with --force alone") {
  const TemporaryFolder folder;
  const std::filesystem::path figures = figure_folder_of(folder.path() / "protodune.big.html");
  CHECK(figures == folder.path() / "protodune.big-figures");
  refuse_to_replace_figures(figures, false);
  std::filesystem::create_directory(figures);
  refuse_to_replace_figures(figures, false);
  std::ofstream(figures / "curve.csv") << "mine\n";
  CHECK(complaints_of_call([&] { refuse_to_replace_figures(figures, false); }) ==
        std::vector<std::string>{"figures.exists: " + figures.string() +
                                 " holds files already; name another report, or add --force."});
  refuse_to_replace_figures(figures, true);
  CHECK(complaints_of_call([&] { refuse_to_replace_figures(figures / "curve.csv", true); }) ==
        std::vector<std::string>{"figures.not_a_folder: " + (figures / "curve.csv").string() +
                                 " is a file; figures go into a folder of that name. Name another report, or move the "
                                 "file away."});
}

TEST_CASE("names that would leave the folder, or meet in it, are our bug") {
  const TemporaryFolder folder;
  for (const char* name : {"", "../up", "a/b", ".hidden", "two words"}) {
    CHECK_THROWS_AS(write_figures(std::vector<Figure>{{.name = name}}, folder.path(), {}, {}), std::logic_error);
  }
  CHECK_THROWS_AS(write_figures(std::vector<Figure>{{.name = "a"}, {.name = "a"}}, folder.path(), {}, {}),
                  std::logic_error);
  CHECK(folder.files().empty());
}

TEST_CASE("a program that fails while figures are drawn is named with its last words, and leaves no half a file") {
  const TemporaryFolder programs;
  std::ofstream(programs.path() / "node") << "#!/bin/sh\necho 'out of memory' >&2\nexit 134\n";
  std::filesystem::permissions(programs.path() / "node", std::filesystem::perms::owner_all);
  const OnlyPath only(programs.path().string());
  const TemporaryFolder folder;
  CHECK(complaints_of_call([&] {
          write_figures(plain_figures(), folder.path(), read_figure_kinds("svg"), three_bundles);
        }) == std::vector<std::string>{"figures.not_drawn: node was killed by signal 6 while it drew figures. Its last "
                                       "words: out of memory"});
  CHECK(folder.files() == std::vector<std::string>{"curve.csv", "curve.vl.json", "map.csv", "map.vl.json",
                                                   "ugly-words.csv", "ugly-words.vl.json"});
}

// Where node, rsvg-convert or the bundles are missing there is nothing to look at.
TEST_CASE("figures are drawn as SVG, PNG and PDF with the same bytes each time" *
          doctest::skip(!has_bundles(web_files()) || !program_on_path("node") || !program_on_path("rsvg-convert"))) {
  const std::vector<Figure> drawn = plain_figures();
  const TemporaryFolder first;
  const TemporaryFolder second;
  for (const TemporaryFolder* folder : {&first, &second})
    write_figures(std::span(drawn).first(1), folder->path(), read_figure_kinds("svg,png,pdf"), web_files());
  CHECK(first.files() == std::vector<std::string>{"curve.csv", "curve.pdf", "curve.png", "curve.svg", "curve.vl.json"});
  for (const std::string& name : first.files()) {
    CAPTURE(name);
    CHECK(text_of_file(first.path() / name) == text_of_file(second.path() / name));
  }
  CHECK(text_of_file(first.path() / "curve.svg").starts_with("<svg "));
  CHECK(text_of_file(first.path() / "curve.png").starts_with("\x89PNG\r\n"));
  CHECK(text_of_file(first.path() / "curve.pdf").starts_with("%PDF-"));
}

TEST_CASE("a figure that Vega warns of is our bug, told by the figure's name" *
          doctest::skip(!has_bundles(web_files()) || !program_on_path("node"))) {
  const TemporaryFolder folder;
  Figure wrong = plain_figures().front();
  wrong.spec =
      R"({"data": {"name": "rows"}, "mark": "point", "encoding": {"x": {"field": "streams"}, "q": {"field": "streams"}}})";
  CHECK_THROWS_WITH_AS(write_figures(std::vector{wrong}, folder.path(), read_figure_kinds("svg"), web_files()),
                       doctest::Contains("Vega warns of figures:\ncurve: "), std::logic_error);
}

TEST_CASE("the program holds its own files, and the bundles whole or not at all") {
  const auto files = web_files();
  CHECK(std::is_sorted(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; }));
  const auto text_of = [&](std::string_view name) {
    const auto found = std::find_if(files.begin(), files.end(), [&](const auto& file) { return file.name == name; });
    return found == files.end() ? std::string_view() : found->text;
  };
  CHECK(text_of("render.mjs") == text_of_file(std::filesystem::path(SATURN_WEB_FOLDER) / "render.mjs"));
  CHECK(text_of("vega.min.js").empty() == text_of("bundle-licences.txt").empty());
  CHECK(text_of("vega.min.js").empty() == !has_bundles(files));
  CHECK_FALSE(has_bundles(std::span(three_bundles).first(2)));
}
