#include <doctest/doctest.h>

#include <regex>
#include <set>
#include <string>
#include <vector>

#include "reports/web/web_files.hpp"
#include "tests/page/page_samples.hpp"

using namespace saturn;

namespace {

// Stands in for the bundles, so that the page's own markup can be read.
std::vector<EmbeddedFile> small_web() {
  std::vector<EmbeddedFile> files = {
      {"bundle-licences.txt", "licence of <vega>"}, {"page.css", "body { color: black; }"},
      {"page.js", "start('</script>');"},           {"vega-embed.min.js", "var vegaEmbed = 3;"},
      {"vega-lite.min.js", "var vegaLite = 2;"},    {"vega.min.js", "var vega = 1;"}};
  return files;
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> all;
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match)
    all.emplace_back((*match)[1]);
  return all;
}

// The page without what its scripts read and do.
std::string markup(const std::string& html) {
  std::string left;
  std::size_t from = 0;
  for (std::size_t at = html.find("<script"); at != std::string::npos; at = html.find("<script", from)) {
    left += html.substr(from, at - from);
    from = html.find("</script>", at) + 9;
  }
  return left + html.substr(from);
}

}  // namespace

TEST_CASE("the answer comes first, then warnings, contents, and the parts in their order") {
  const std::string html = report_html(sample_report(), small_web());
  const std::vector<std::string> order = {"<!DOCTYPE html>",
                                          "Content-Security-Policy",
                                          "<h1>ProtoDUNE EmTrkMichelId",
                                          "<p class=\"lead\">One T4 serves 68 jobs",
                                          "<li>The simulation of 400 jobs",
                                          "<nav class=\"contents\"",
                                          "<section id=\"saturation\">",
                                          "<section id=\"network\">",
                                          "<section id=\"planner\">",
                                          "<section id=\"assumptions\">",
                                          "<section id=\"checks\">",
                                          "<section id=\"provenance\">",
                                          "<section id=\"commands\">",
                                          "licence of &lt;vega&gt;",
                                          "var vega = 1;",
                                          "var vegaLite = 2;",
                                          "var vegaEmbed = 3;",
                                          "start('\\x3c/script>');"};
  std::size_t at = 0;
  for (const std::string& part : order) {
    CAPTURE(part);
    const std::size_t found = html.find(part, at);
    REQUIRE(found != std::string::npos);
    at = found;
  }
}

TEST_CASE("a page refers to nothing outside itself") {
  const std::string html = markup(report_html(sample_report(), web_files()));
  for (const std::string& target : matches(html, "(?:src|href|action|srcset|poster)\\s*=\\s*[\"']?([^\"'\\s>]*)")) {
    CAPTURE(target);
    CHECK((target.starts_with("#") || target.starts_with("data:")));
  }
  CHECK(count(html, "url(") == 0);
  CHECK(count(html, "@import") == 0);
  CHECK(html.find("default-src 'none'") != std::string::npos);
  CHECK(html.find("connect-src 'none'") != std::string::npos);
  CHECK(html.find("unsafe-eval") == std::string::npos);
}

TEST_CASE("every link of a page leads somewhere and no two parts share a name") {
  ReportPage page = sample_report();
  page.sections.push_back(page.sections[0]);
  page.sections.back().id = "planner";
  const std::string html = markup(report_html(page, small_web()));
  const std::vector<std::string> sections = matches(html, "<section id=\"([^\"]*)\"");
  const std::set<std::string> ids(sections.begin(), sections.end());
  CHECK(ids.size() == sections.size());
  const std::vector<std::string> links = matches(html, "<li><a href=\"#([^\"]*)\"");
  CHECK(links == sections);
}

TEST_CASE("texts that would act show as text everywhere") {
  const std::string html = report_html(hostile_report(), small_web());
  CHECK(count(html, "<script>window.pwned") == 0);
  CHECK(count(html, "<img") == 0);
  // The bundles, the page's own script; and of each data block its own tags.
  CHECK(count(html, "</script>") == count(html, "<script"));
  CHECK(count(html, "<!--") == 0);
  CHECK(html.find("<h1>&lt;/script&gt;&lt;script&gt;window.pwned=1&lt;/script&gt;&quot;&#39;&amp;&lt;!--") !=
        std::string::npos);
}

TEST_CASE("the same report gives the same bytes") {
  CHECK(report_html(sample_report(), web_files()) == report_html(sample_report(), web_files()));
}

TEST_CASE("a paragraph that ends with a line break is shown line by line, escaped") {
  ReportPage page;
  page.sections.push_back(
      {.id = "about", .heading = "What is asked", .paragraphs = {"Prose.", "saturn plan a <b\nc\n"}});
  const std::string html = report_html(page, {});
  CHECK(html.find("<p>Prose.</p>\n<div class=\"lines\">\n<code>saturn plan a &lt;b</code>\n<code>c</code>\n</div>\n") !=
        std::string::npos);
}

TEST_CASE("without the bundles each figure says what is missing and shows its rows") {
  std::vector<EmbeddedFile> web = small_web();
  web.pop_back();
  const std::string html = report_html(sample_report(), web);
  const std::string sentence =
      "This figure is not drawn: saturn was built without the drawing bundles. Install node and npm, build saturn "
      "again, "
      "and repeat the command of this report.";
  CHECK(count(html, sentence) == 2);
  CHECK(html.find("<summary>Its 12 rows</summary>") != std::string::npos);
  CHECK(html.find("<td class=\"word\">simulation</td><td class=\"number\">100</td><td class=\"number\">183.6</td>") !=
        std::string::npos);
  CHECK(count(html, "figure-data") == 0);
  CHECK(count(html, "licence of") == 0);
  CHECK(html.find("planner-data") != std::string::npos);
}

TEST_CASE("a figure that cannot be drawn says why in its place") {
  const std::string html = report_html(sample_report(), small_web());
  CHECK(html.find("<p class=\"cannot\">Loss is not drawn: no events arrive from outside.</p>") != std::string::npos);
  CHECK(count(html, "class=\"figure-data\"") == 2);
}

TEST_CASE("a law that does not hold is named before all others") {
  ReportPage page = sample_report();
  page.checks.push_back({"utilisation gke/t4", false, "0.91 against 0.85"});
  const std::string html = report_html(page, small_web());
  CHECK(html.find("1 of 3 laws that every run must satisfy does not hold: do not use these results.") !=
        std::string::npos);
  CHECK(html.find("<p class=\"failed\">utilisation gke/t4: 0.91 against 0.85</p>") != std::string::npos);
  page.checks.push_back({"flow gke/t4", false, "3 against 2"});
  CHECK(report_html(page, small_web()).find("2 of 4 laws that every run must satisfy do not hold: ") !=
        std::string::npos);
}

TEST_CASE("where the formulas do not hold, the planner says why") {
  ReportPage page = sample_report();
  page.planner = PlannerModel{.why_not = "Two pools of jobs share the GPUs."};
  const std::string html = report_html(page, small_web());
  CHECK(html.find("<p class=\"cannot\">Two pools of jobs share the GPUs.</p>") != std::string::npos);
  CHECK(count(html, "planner-data") == 0);
}

TEST_CASE("the panel says that its formulas are bounds where events arrive, and only there") {
  const std::string bounds = "in the long run no system loses less.";
  CHECK(count(report_html(open_report(), small_web()), bounds) == 1);
  CHECK(count(report_html(sample_report(), small_web()), bounds) == 0);
}

TEST_CASE("a report of nothing is still a page") {
  const std::string html = report_html(ReportPage{}, {});
  CHECK(html.starts_with("<!DOCTYPE html>"));
  CHECK(html.ends_with("</html>\n"));
}

TEST_CASE("a page of 10,000 clickable cells stays under 5 MB, an ordinary one under 2 MB") {
  CHECK(report_html(wide_report(100), web_files()).size() < 5'000'000);
  CHECK(report_html(sample_report(), web_files()).size() < 2'000'000);
}
