#include "scenarios/document/edited_text.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace saturn {

namespace {

struct Edit {
  const char* before;
  Override change;
  const char* after;
};

}  // namespace

TEST_CASE("a value is changed where it stands, and all that the user wrote beside it stays") {
  const std::vector<Edit> edits{
      {"{ \"a\": 1, // one, {not} a \"brace\"\n  \"b\": [2, 3]}",
       {"/a", "0.5 ms"},
       "{ \"a\": \"0.5 ms\", // one, {not} a \"brace\"\n  \"b\": [2, 3]}"},
      {R"({"b": [2, {"c": true }]} // end)", {"/b/1/c", "false"}, R"({"b": [2, {"c": false }]} // end)"},
      {R"({"b": [2, {"c": "x\"}"}]})", {"/b/1", "7"}, R"({"b": [2, 7]})"},
      {R"({"b": /* } */ {"c": 1} })", {"/b", "{\"d\": [1]}"}, R"({"b": /* } */ {"d":[1]} })"},
      {R"({"b": 1.5e3})", {"/b", "2"}, R"({"b": 2})"},
      // What is not there yet.
      {R"({"b": {"c": 1}})", {"/b/d", "1 us"}, R"({"b": { "d": "1 us","c": 1}})"},
      {R"({"b": {}})", {"/b/d/e", "1"}, R"({"b": { "d": {"e": 1} }})"},
      // What goes.
      {R"({"a": 1, "b": 2, "c": 3})", {"/a", "null"}, R"({"b": 2, "c": 3})"},
      {R"({"a": 1, "b": 2, "c": 3})", {"/b", "null"}, R"({"a": 1, "c": 3})"},
      {R"({"a": 1, "b": 2, "c": 3})", {"/c", "null"}, R"({"a": 1, "b": 2})"},
      {"{\"a\": 1, // one\n\"b\": 2}", {"/b", "null"}, "{\"a\": 1 // one\n}"},
      {R"({"a": 1})", {"/a", "null"}, R"({})"},
      {R"({"a": 1})", {"/b", "null"}, R"({"a": 1})"},
  };
  for (const Edit& edit : edits) {
    CAPTURE(edit.before);
    const std::optional<std::string> text = edited_text(edit.before, std::vector{edit.change});
    REQUIRE(text);
    CHECK(*text == edit.after);
  }
}

TEST_CASE("a new element of a list, and the inside of a number, have no place in a text") {
  CHECK_FALSE(edited_text(R"({"b": [1]})", std::vector<Override>{{"/b/-", "2"}}));
  CHECK_FALSE(edited_text(R"({"b": 1})", std::vector<Override>{{"/b/c", "2"}}));
}

}  // namespace saturn
