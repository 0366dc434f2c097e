#include <cstdio>
#include <fstream>
#include <string>

#include "reports/web/web_files.hpp"
#include "tests/page/page_samples.hpp"

// Writes the pages that the tests in a browser open. Usage: sample_page FOLDER
namespace {

bool write_page(const std::string& path, const saturn::ReportPage& page, std::span<const saturn::EmbeddedFile> web) {
  std::ofstream file(path, std::ios::binary);
  file << saturn::report_html(page, web);
  file.close();
  if (!file) std::fprintf(stderr, "cannot write %s\n", path.c_str());
  return static_cast<bool>(file);
}

std::vector<saturn::EmbeddedFile> without_bundles() {
  std::vector<saturn::EmbeddedFile> files;
  for (const saturn::EmbeddedFile& one : saturn::web_files())
    if (!one.name.ends_with(".min.js")) files.push_back(one);
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: sample_page FOLDER\n");
    return 64;
  }
  const std::string folder = std::string(argv[1]) + "/";
  const bool written = write_page(folder + "sample.html", saturn::sample_report(), saturn::web_files()) &&
                       write_page(folder + "open.html", saturn::open_report(), saturn::web_files()) &&
                       write_page(folder + "unsimulated.html", saturn::unsimulated_report(), saturn::web_files()) &&
                       write_page(folder + "hostile.html", saturn::hostile_report(), saturn::web_files()) &&
                       write_page(folder + "wide.html", saturn::wide_report(100), saturn::web_files()) &&
                       write_page(folder + "undrawn.html", saturn::sample_report(), without_bundles());
  if (!written) return 1;
  // Without the bundles there is nothing for a browser to draw: its tests are then skipped.
  return saturn::has_bundles(saturn::web_files()) ? 0 : 77;
}
