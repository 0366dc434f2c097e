#include "sim/cli/option_table.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/results/measures.hpp"
#include "models/words/texts.hpp"
#include "reports/words/escaped_text.hpp"
#include "scenarios/fields/value_range.hpp"
#include "sim/cli/completion.hpp"
#include "sim/cli/help.hpp"
#include "tests/cli/saturn_process.hpp"

using namespace saturn;

namespace {

bool has_word(const std::string& text, const std::string& word) {
  const auto belongs = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-'; };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !belongs(text[at - 1])) && (end == text.size() || !belongs(text[end]))) return true;
  }
  return false;
}

/// The part of a text from a line to the next one that begins alike.
std::string section(const std::string& text, const std::string& begin, const std::string& next) {
  const std::size_t at = text.find(begin);
  REQUIRE(at != std::string::npos);
  const std::size_t end = text.find(next, at + begin.size());
  return text.substr(at, end == std::string::npos ? end : end - at);
}

/// Values that a row takes; hostile ones where it takes any text.
std::vector<std::string> values_for(const OptionRow& row) {
  if (row.kind == ValueKind::flag) return {""};
  if (row.kind == ValueKind::choice) return {words_of(row.choices).back()};
  if (row.kind == ValueKind::whole) return {std::to_string(row.most)};
  if (row.kind == ValueKind::verb) return {"plan"};
  if (!row.is_repeatable) return {row.is_argument() ? "it's; $(x)" : "-it's \"20 %\""};
  return {"/a/0=$HOME `x`", row.is_argument() ? "*" : "--seed", "/a/0=$HOME `x`"};
}

/// What a user types for an option.
void append_typed(std::vector<std::string>& words, const OptionRow& row) {
  for (const std::string& value : values_for(row)) {
    if (!row.is_argument()) words.emplace_back(row.name);
    if (row.kind != ValueKind::flag) words.push_back(value);
  }
}

bool collides(const OptionRow& one, const OptionRow& other) {
  const auto names = [](const OptionRow& row, std::string_view name) {
    const std::vector<std::string> all = words_of(row.excludes);
    return std::find(all.begin(), all.end(), name) != all.end();
  };
  return names(one, other.name) || names(other, one.name);
}

/// As many options of a verb as fit each other, one of them for certain.
std::vector<const OptionRow*> options_with(std::string_view verb, const OptionRow& wanted) {
  std::vector<const OptionRow*> chosen{&wanted};
  if (!wanted.needs.empty()) chosen.push_back(find_option(verb, wanted.needs));
  const auto fits = [&](const OptionRow* row) {
    const bool has_need =
        row->needs.empty() || std::find(chosen.begin(), chosen.end(), find_option(verb, row->needs)) != chosen.end();
    return has_need && std::none_of(chosen.begin(), chosen.end(),
                                    [&](const OptionRow* other) { return other == row || collides(*row, *other); });
  };
  for (const OptionRow* row : options_of(verb))
    if (fits(row)) chosen.push_back(row);
  return chosen;
}

/// The words of a command as a shell reads them, without the program's name.
std::vector<std::string> words_by_shell(const TemporaryFolder& folder, const std::string& command) {
  REQUIRE(command.starts_with("saturn "));
  const std::string script = folder.write("words.sh", "printf '%s\\0' " + command.substr(7));
  const std::string out = (folder.path() / "words").string();
  REQUIRE(std::system(("sh '" + script + "' > '" + out + "'").c_str()) == 0);
  const std::string text = text_of_file(out);
  std::vector<std::string> words;
  for (const std::string_view word : split_at(text, '\0')) words.emplace_back(word);
  words.pop_back();
  return words;
}

/// What the produced completion offers for the last of some words.
std::vector<std::set<std::string>> offered_by_bash(const TemporaryFolder& folder,
                                                   const std::vector<std::string>& lines) {
  std::string script = completion_script("bash");
  for (const std::string& line : lines)
    script +=
        "COMP_WORDS=(saturn " + line + ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_saturn\necho \"${COMPREPLY[*]}\"\n";
  const std::string file = folder.write("completion.sh", script);
  const std::string out = (folder.path() / "offered").string();
  REQUIRE(std::system(("cd '" + folder.path().string() + "' && bash '" + file + "' > '" + out + "'").c_str()) == 0);
  const std::string text = text_of_file(out);
  std::vector<std::set<std::string>> offers;
  for (const std::string_view line : split_at(text, '\n')) {
    const std::vector<std::string> words = words_of(line);
    offers.emplace_back(words.begin(), words.end());
  }
  offers.pop_back();
  REQUIRE(offers.size() == lines.size());
  return offers;
}

}  // namespace

TEST_CASE("every option of every verb stands in the help, in the manual page and in the completion of each shell") {
  const std::string manual = replaced_all(replaced_all(manual_page("1"), "\\-", "-"), "\\&", "");
  const std::string bash = completion_script("bash");
  const std::string zsh = completion_script("zsh");
  const std::string fish = completion_script("fish");
  for (const VerbRow& verb : verb_rows()) {
    const std::string name(verb.name);
    const std::string help = help_of_verb(verb);
    CHECK(help_of_program().find("\n  " + name + " ") != std::string::npos);
    CHECK(help.starts_with(std::string(verb.help) + "\n\nExamples:\n  saturn "));
    const std::string in_manual = section(manual, ".SS \"saturn " + name + "\"", ".SS ");
    const std::string in_bash = section(bash, "\n    " + name + ")", "fi ;;");
    const std::string in_zsh = section(zsh, "\n    " + name + ")", " ;;\n");
    for (const OptionRow* row : options_of(name)) {
      CAPTURE(name);
      CAPTURE(row->name);
      const std::string word(row->is_argument() ? row->value : row->name);
      const std::string label = row->letter.empty() ? word : std::string(row->letter) + ", " + word;
      CHECK_FALSE(row->help.empty());
      CHECK(help.find("\n  " + label) != std::string::npos);
      CHECK(in_manual.find("\\fB" + label) != std::string::npos);
      if (row->is_argument()) continue;
      CHECK(has_word(in_bash, word));
      CHECK(has_word(in_zsh, word));
      CHECK(fish.find("from " + name + "' -l " + word.substr(2) + " ") != std::string::npos);
    }
  }
}

TEST_CASE("the help lists every figure that --require takes, and the forms of a range where there is one to type") {
  const std::string help = help_of_verb(*find_verb("plan"));
  const std::string figures = section(help, "\nWhat a FIGURE may be", "\n\n");
  for (const MeasureId figure : measures_where([](const Measure& one) { return one.required; })) {
    CAPTURE(figure->name);
    CHECK(has_word(figures, std::string(figure->name)));
  }
  for (const VerbRow& verb : verb_rows()) {
    CAPTURE(verb.name);
    const bool expected = verb.name == "plan" || verb.name == "sweep";
    CHECK((help_of_verb(verb).find("\nValues of a RANGE") != std::string::npos) == expected);
  }
  const std::string forms = section(help, "\nValues of a RANGE", "\n\n");
  for (const auto& form : {std::pair{"1,2,4", std::optional<Dimension>()},
                           {"0:100:10", std::optional<Dimension>()},
                           {"1:1024:x2", std::optional<Dimension>()},
                           {"0.1ms:100ms:log13", std::optional(Dimension::duration)}}) {
    const auto& [range, dimension] = form;
    CAPTURE(form.first);
    CHECK(forms.find(std::string("\n  ") + range + " ") != std::string::npos);
    CHECK(read_value_range(range, !dimension, dimension, 100).fault.empty());
  }
}

TEST_CASE("the help's example of two types of devices chooses the one whose rent is less for what it serves") {
  const std::string help = help_of_verb(*find_verb("plan"));
  const std::string example = section(help, "saturn plan mine.json --gpus l4=", "\n");
  const TemporaryFolder folder;
  // For its events an A100 takes a third of the time of an L4, and four times the rent.
  folder.write("mine.json", R"json({ "schema": "saturn-scenario/1",
    "jobs": [{ "name": "reco", "site": "farm", "count": 200, "event": [{ "cpu": "4 s" }, { "infer": "tagger", "items": 1 }] }],
    "models": { "tagger": { "input": "4 kB", "output": "100 B", "max_batch_size": 1,
      "service": { "l4": { "per_batch": "90 ms" }, "a100": { "per_batch": "30 ms" } } } },
    "servers": [{ "name": "l4", "site": "farm", "devices": { "type": "l4", "count": 1 }, "models": ["tagger"] },
                { "name": "a100", "site": "farm", "devices": { "type": "a100", "count": 1 }, "models": ["tagger"] }],
    "devices": { "l4": { "kind": "gpu", "price": "0.7 USD/h" }, "a100": { "kind": "gpu", "price": "2.8 USD/h" } },
    "run": { "brief": true } })json");
  const ProcessResult plan = saturn_process(
      example.substr(example.find(' ') + 1) + " --slowdown '10 %' --format json --quiet", folder.path().string());
  REQUIRE_MESSAGE(plan.exit_code == 0, plan.err);
  const nlohmann::json values = nlohmann::json::parse(plan.out)["answer"]["figures"];
  // 200 jobs of 4.09 s keep 4.4 L4 busy.
  CHECK(values["gpus"].get<double>() >= 5.0);
  CHECK(values["rent_usd_per_h"].get<double>() < 2.0 * 2.8);
}

TEST_CASE("a command that is spelled back is understood as it was typed, whatever its options and their order") {
  const TemporaryFolder folder;
  for (const VerbRow& verb : verb_rows()) {
    std::set<std::set<const OptionRow*>> tried;
    for (const OptionRow* wanted : options_of(verb.name)) {
      std::vector<const OptionRow*> rows = options_with(verb.name, *wanted);
      if (!tried.emplace(rows.begin(), rows.end()).second) continue;
      CAPTURE(verb.name);
      CAPTURE(wanted->name);
      const auto typed_in_this_order = [&] {
        std::vector<std::string> words{std::string(verb.name)};
        // Arguments take their places in the order of the table.
        for (const OptionRow* row : options_of(verb.name))
          if (row->is_argument() && std::find(rows.begin(), rows.end(), row) != rows.end()) append_typed(words, *row);
        for (const OptionRow* row : rows)
          if (!row->is_argument()) append_typed(words, *row);
        return read_typed_command(words);
      };
      const TypedCommand typed = typed_in_this_order();
      std::reverse(rows.begin(), rows.end());
      const std::string command = typed.spelled_back();
      CHECK(typed_in_this_order().spelled_back() == command);
      // One shell a verb is enough for the quotes.
      if (wanted != options_of(verb.name).front()) continue;
      const TypedCommand again = read_typed_command(words_by_shell(folder, command));
      for (const OptionRow* row : options_of(verb.name)) {
        const bool is_there = std::find(rows.begin(), rows.end(), row) != rows.end();
        CHECK(again.values_of(row->name) == (is_there ? values_for(*row) : std::vector<std::string>{}));
      }
    }
  }
  const auto spelled = [](const std::vector<std::string>& words) {
    return read_typed_command(words).repeating_the_answer();
  };
  CHECK(spelled({"run", "--seed=007", "--format", "json", "-j4", "a b"}) == "saturn run 'a b' --seed 7");
  CHECK(spelled({"examples", "--", "-x"}) == "saturn examples -- -x");
}

TEST_CASE("bash completes verbs, the options of a verb, and the words that an option takes") {
  const TemporaryFolder folder;
  folder.write("mine.json", "{}");
  std::vector<std::string> lines{"pl", "run mi", "run first", "plan --slowdown ''", "help comp", "run --format = j"};
  std::vector<std::set<std::string>> expected{{"plan"}, {"mine.json"}, {"first-steps"}, {}, {"compare", "completion"},
                                              {"json"}};
  for (const VerbRow& verb : verb_rows()) {
    lines.push_back(std::string(verb.name) + " --");
    expected.push_back({"--help"});
    for (const OptionRow* row : options_of(verb.name)) {
      if (row->is_argument()) continue;
      expected.back().emplace(row->name);
    }
    for (const OptionRow* row : options_of(verb.name)) {
      if (row->kind != ValueKind::choice) continue;
      lines.push_back(std::string(verb.name) + " " + (row->is_argument() ? "" : std::string(row->name)) + " ''");
      const std::vector<std::string> words = words_of(row->choices);
      expected.emplace_back(words.begin(), words.end());
    }
  }
  const std::vector<std::set<std::string>> offers = offered_by_bash(folder, lines);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    CAPTURE(lines[i]);
    CHECK(offers[i] == expected[i]);
  }
}

TEST_CASE("the manual page and the other shells' completions are sound in their own languages") {
  const TemporaryFolder folder;
  const std::string zsh = folder.write("_saturn", completion_script("zsh"));
  // Bash reads the part of zsh's language that is used, and sees quotes that do not close.
  CHECK(std::system(("bash -n '" + zsh + "'").c_str()) == 0);
  const std::string fish = completion_script("fish");
  for (const std::string_view line : split_at(fish, '\n')) {
    CAPTURE(line);
    const std::string plain = replaced_all(replaced_all(std::string(line), "\\\\", ""), "\\'", "");
    CHECK(std::count(plain.begin(), plain.end(), '\'') % 2 == 0);
    CHECK((line.empty() || line.starts_with("complete -c saturn ") || line.starts_with("#")));
  }
  const std::string manual = manual_page("1.2.3");
  CHECK(manual.starts_with(".TH SATURN 1 "));
  const std::set<std::string> macros{".TH", ".SH", ".SS", ".PP", ".TP", ".nf", ".fi"};
  for (const std::string_view line : split_at(manual, '\n')) {
    CAPTURE(line);
    CHECK(!line.starts_with("'"));
    if (line.starts_with(".")) CHECK(macros.contains(std::string(line.substr(0, 3))));
  }
  if (std::system("command -v groff > /dev/null") != 0) return;
  const std::string page = folder.write("saturn.1", manual);
  const std::string shown = (folder.path() / "shown").string();
  const std::string said = (folder.path() / "said").string();
  CHECK(std::system(("groff -man -Tutf8 -ww '" + page + "' > '" + shown + "' 2> '" + said + "'").c_str()) == 0);
  CHECK(text_of_file(said).empty());
  CHECK(text_of_file(shown).find("saturn plan protodune-big-batch --jobs 1000") != std::string::npos);
}
