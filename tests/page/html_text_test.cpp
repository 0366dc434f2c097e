#include "reports/page/html_text.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <string>
#include <utility>
#include <vector>

using namespace saturn;

namespace {

// What a browser makes of escaped text, written out.
std::string unescaped(std::string html) {
  const std::vector<std::pair<std::string, std::string>> entities = {
      {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}};
  for (const auto& [entity, character] : entities) {
    for (std::size_t at = html.find(entity); at != std::string::npos; at = html.find(entity, at + 1))
      html.replace(at, entity.size(), character);
  }
  return html;
}

}  // namespace

TEST_CASE("what a user wrote shows as text, in elements and in attributes") {
  CHECK(html_text("</script><b onclick=\"x()\">'&amp;") ==
        "&lt;/script&gt;&lt;b onclick=&quot;x()&quot;&gt;&#39;&amp;amp;");
  CHECK(html_text("µs, Übersicht, 日本") == "µs, Übersicht, 日本");
}

TEST_CASE("bytes that are no text are shown as replaced") {
  CHECK(html_text("a\xff"
                  "b") == "a\uFFFDb");
  CHECK(html_text("cut \xe6\x97") == "cut \uFFFD");
  CHECK(html_text(std::string("nul\0bell\a", 9)) == "nul\uFFFDbell\uFFFD");
}

TEST_CASE("escaped text reads back as it was and holds nothing that acts") {
  rc::check([] {
    std::string text;
    for (const char c : *rc::gen::container<std::string>(rc::gen::inRange<char>(' ', '~'))) text += c;
    const std::string html = html_text(text);
    RC_ASSERT(html.find_first_of("<>\"'") == std::string::npos);
    RC_ASSERT(unescaped(html) == text);
  });
}

TEST_CASE("JSON in a script element cannot end it and reads back as it was") {
  rc::check([] {
    const std::string text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("</script>!-& \"\\ab")));
    const nlohmann::json json = {{"title", text + "\u2028\u2029</script><!--"}};
    const std::string inside = script_json(json.dump());
    RC_ASSERT(inside.find_first_of("<>&") == std::string::npos);
    RC_ASSERT(inside.find("\u2028") == std::string::npos);
    RC_ASSERT(inside.find("\u2029") == std::string::npos);
    RC_ASSERT(nlohmann::json::parse(inside) == json);
  });
}

TEST_CASE("scripts keep their meaning and cannot end their element") {
  CHECK(script_code("const a = '</SCRIPT>'; // <!-- b") == "const a = '\\x3c/SCRIPT>'; // \\x3c!-- b");
  CHECK(script_code("if (a < b) c = '</p>';") == "if (a < b) c = '</p>';");
}

TEST_CASE("an id has only what links can hold") {
  CHECK(html_id("Résumé 2") == "R--sum---2");
  CHECK(html_id("event_time-1") == "event_time-1");
  CHECK(html_id("") == "part");
}
