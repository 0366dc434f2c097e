#include "reports/page/page_template.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

using namespace saturn;

namespace {

const std::string evil = "</script><b a='1'>\"&";

}  // namespace

TEST_CASE("a value is escaped where it stands as text, and stays as it is where it stands as HTML") {
  const PageValues values = {{"name", evil}};
  CHECK(filled_page_template("<p title=\"{{name}}\">", values) ==
        "<p title=\"&lt;/script&gt;&lt;b a=&#39;1&#39;&gt;&quot;&amp;\">");
  CHECK(filled_page_template("{{{name}}}", values) == evil);
}

TEST_CASE("braces in a value are text, and no template") {
  CHECK(filled_page_template("{{a}} {{{a}}}", {{"a", "{{b}} {{#b}}"}}) == "{{b}} {{#b}} {{b}} {{#b}}");
}

TEST_CASE("a section stands once an item of a list, once for what is true or not empty, else not at all") {
  const PageValues values = {{"list", PageValue::List{PageValues{{"n", "1"}}, PageValues{{"n", "2"}}}},
                             {"words", std::vector<std::string>{"a", "b"}},
                             {"none", PageValue::List()},
                             {"yes", true},
                             {"no", false},
                             {"empty", ""}};
  CHECK(filled_page_template("{{#list}}({{n}}){{/list}}", values) == "(1)(2)");
  CHECK(filled_page_template("{{#words}}{{.}},{{/words}}", values) == "a,b,");
  CHECK(filled_page_template("{{#yes}}y{{/yes}}{{#no}}n{{/no}}{{#empty}}e{{/empty}}{{#none}}0{{/none}}", values) ==
        "y");
  CHECK(filled_page_template("{{^yes}}y{{/yes}}{{^no}}n{{/no}}{{^empty}}e{{/empty}}{{^none}}0{{/none}}", values) ==
        "ne0");
}

TEST_CASE("what an item lacks is looked for outside it, and sections of one name may stand in each other") {
  const PageValues values = {
      {"unit", "s"},
      {"row", PageValue::List{PageValues{{"cell", "1"}, {"row", PageValue::List{PageValues{{"cell", "2"}}}}}}}};
  CHECK(filled_page_template("{{#row}}{{cell}}{{unit}}{{#row}}<{{cell}}{{unit}}>{{/row}}{{/row}}", values) == "1s<2s>");
}

TEST_CASE("lines that hold a section's tag or a remark alone leave nothing behind") {
  CHECK(filled_page_template("a\n{{! why }}\n{{#yes}}\nb\n{{/yes}}\nc\n", {{"yes", true}}) == "a\nb\nc\n");
}

TEST_CASE("a template that asks for what is not there is our bug, by name") {
  CHECK_THROWS_WITH_AS(filled_page_template("{{nobody}}", {}), "template of the page: no value of nobody",
                       std::logic_error);
  CHECK_THROWS_WITH_AS(filled_page_template("{{#a}}", {{"a", true}}), "template of the page: no end of a",
                       std::logic_error);
  CHECK_THROWS_WITH_AS(filled_page_template("{{/a}}", {{"a", true}}), "template of the page: no begin of a",
                       std::logic_error);
  CHECK_THROWS_WITH_AS(page_part("nothing", {}), "template of the page: no file nothing.html", std::logic_error);
}
