#include "reports/page/page_scripts.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "reports/page/html_text.hpp"
#include "reports/web/web_files.hpp"

namespace saturn {

namespace {

constexpr std::array<std::string_view, 3> bundles = {"vega.min.js", "vega-lite.min.js", "vega-embed.min.js"};
// Each after those that it uses.
constexpr std::array<std::string_view, 13> scripts = {
    "number_words.js",  "planner_system.js",      "planner_closed.js",
    "planner_open.js",  "planner_inputs.js",      "planner_words.js",
    "planner_chart.js", "planner_closed_view.js", "planner_open_view.js",
    "drawing.js",       "linked_map.js",          "planner_panel.js",
    "page.js"};

std::string_view text_of(std::span<const EmbeddedFile> web, std::string_view name) {
  const auto file = std::find_if(web.begin(), web.end(), [&](const EmbeddedFile& one) { return one.name == name; });
  return file == web.end() ? std::string_view() : file->text;
}

std::string script_html(std::span<const EmbeddedFile> web, std::string_view name) {
  const std::string_view text = text_of(web, name);
  return text.empty() ? "" : "<script>\n" + script_code(text) + "\n</script>\n";
}

}  // namespace

std::string style_html(std::span<const EmbeddedFile> web) {
  return "<style>\n" + std::string(text_of(web, "page.css")) + "</style>\n";
}

std::string scripts_html(std::span<const EmbeddedFile> web) {
  std::string html;
  if (has_bundles(web)) {
    for (const std::string_view name : bundles) html += script_html(web, name);
  }
  for (const std::string_view name : scripts) html += script_html(web, name);
  return html;
}

std::string licences_html(std::span<const EmbeddedFile> web) {
  const std::string_view text = text_of(web, "bundle-licences.txt");
  if (text.empty() || !has_bundles(web)) return "";
  return "<details class=\"licences\"><summary>Licences of the code that draws the figures</summary>\n<pre>" +
         html_text(text) + "</pre></details>\n";
}

}  // namespace saturn
