#include "sim/cli/completion.hpp"

#include <map>
#include <vector>

#include "models/words/texts.hpp"
#include "scenarios/read_scenario.hpp"
#include "sim/cli/option_table.hpp"

namespace saturn {

namespace {

std::string names_of_scenarios() {
  std::string names;
  for (const EmbeddedFile& file : shipped_scenarios())
    append_part(names, file.name.substr(0, file.name.rfind(".json")), " ");
  return names;
}

/// Words that may stand there, besides files; separated by spaces.
std::string words_after(const OptionRow& row) {
  switch (row.kind) {
    case ValueKind::scenario:
      return names_of_scenarios();
    case ValueKind::verb:
      return joined(verb_names(), " ");
    default:
      return std::string(row.choices);
  }
}

bool may_be_file(const OptionRow& row) {
  return row.kind == ValueKind::file || row.kind == ValueKind::scenario;
}

std::vector<const OptionRow*> offered(std::string_view verb, bool arguments) {
  std::vector<const OptionRow*> rows;
  for (const OptionRow* row : options_of(verb))
    if (row->is_argument() == arguments) rows.push_back(row);
  return rows;
}

std::string in_single_quotes(std::string_view text, std::string_view quote) {
  return "'" + replaced_all(std::string(text), "'", quote) + "'";
}

/// What bash does where such a value is to be typed.
std::string bash_action(const OptionRow& row) {
  std::string action;
  if (may_be_file(row)) action += "_saturn_files -f; ";
  if (row.kind == ValueKind::folder) action += "_saturn_files -d; ";
  if (row.kind == ValueKind::scenario) return action + "_saturn_words \"$_saturn_scenarios\"; ";
  const std::string words = words_after(row);
  return words.empty() ? action : action + "_saturn_words '" + words + "'; ";
}

/// One branch for all options that are followed by the same.
std::string bash_values(const VerbRow& verb) {
  std::map<std::string, std::string> options_before;
  for (const OptionRow* row : offered(verb.name, false)) {
    if (row->kind == ValueKind::flag) continue;
    std::string& options = options_before[bash_action(*row)];
    append_part(options, row->name, " | ");
    if (!row->letter.empty()) append_part(options, row->letter, " | ");
  }
  std::string text;
  for (const auto& [action, options] : options_before) text += "        " + options + ") " + action + "return ;;\n";
  return text.empty() ? text : "      case $before in\n" + text + "      esac\n";
}

std::string bash_verb(const VerbRow& verb) {
  std::string options = "-h --help";
  for (const OptionRow* row : offered(verb.name, false)) {
    append_part(options, row->name, " ");
    if (!row->letter.empty()) append_part(options, row->letter, " ");
  }
  std::string text = "    " + std::string(verb.name) + ")\n" + bash_values(verb) + "      if [[ $now == -* ]]; then\n" +
                     "        _saturn_words '" + options + "'\n";
  const std::vector<const OptionRow*> arguments = offered(verb.name, true);
  if (!arguments.empty()) text += "      else\n        " + bash_action(*arguments.front()) + "\n";
  return text + "      fi ;;\n";
}

// Where a line is split at "=", "--format=js" is three words.
constexpr const char* bash_begin = R"(# Completion of saturn for bash, from "saturn completion bash".
_saturn_scenarios='SCENARIOS'
_saturn_words() {
  COMPREPLY+=($(compgen -W "$1" -- "$now"))
}
_saturn_files() {
  local IFS=$'\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY+=($(compgen "$1" -- "$now"))
}
_saturn() {
  local now=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb= place
  COMPREPLY=()
  if [[ $now == = ]]; then now=; elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
  for ((place = 1; place < COMP_CWORD; place++)); do
    if [[ ${COMP_WORDS[place]} != -* ]]; then
      verb=${COMP_WORDS[place]}
      break
    fi
  done
  case $verb in
)";

std::string bash_completion() {
  std::string text = replaced_all(bash_begin, "SCENARIOS", names_of_scenarios());
  text += "    '') _saturn_words '" + joined(verb_names(), " ") + " --help --version' ;;\n";
  for (const VerbRow& verb : verb_rows()) text += bash_verb(verb);
  return text + "  esac\n}\ncomplete -F _saturn saturn\n";
}

/// In a specification of _arguments.
std::string zsh_text(std::string_view text, bool in_brackets) {
  std::string escaped = replaced_all(std::string(text), "\\", "\\\\");
  if (!in_brackets) return replaced_all(escaped, ":", "\\:");
  return replaced_all(replaced_all(escaped, "[", "\\["), "]", "\\]");
}

std::string zsh_value(const OptionRow& row) {
  const std::string begin = ":" + zsh_text(row.value, false) + ":";
  if (row.kind == ValueKind::scenario) return begin + "_saturn_scenarios";
  if (row.kind == ValueKind::file) return begin + "_files";
  if (row.kind == ValueKind::folder) return begin + "_files -/";
  const std::string words = words_after(row);
  return words.empty() ? begin + " " : begin + "(" + words + ")";
}

std::string zsh_specification(const OptionRow& row) {
  constexpr std::string_view quote = "'\\''";
  if (row.is_argument()) return in_single_quotes((row.is_repeatable ? "*" : "") + zsh_value(row), quote);
  const std::string value = row.kind == ValueKind::flag ? "" : zsh_value(row);
  const std::string name(row.name);
  const std::string help = "[" + zsh_text(row.help_text(), true) + "]" + value;
  if (row.letter.empty()) return in_single_quotes((row.is_repeatable ? "*" : "") + name + help, quote);
  const std::string letter(row.letter);
  return "'(" + letter + " " + name + ")'{" + letter + "," + name + "}" + in_single_quotes(help, quote);
}

std::string zsh_completion() {
  std::string text =
      "#compdef saturn\n# Completion of saturn for zsh, from \"saturn completion zsh\".\n_saturn_scenarios() {\n"
      "  compadd -- " +
      names_of_scenarios() + "\n  _files\n}\n_saturn() {\n  local -a verbs=(\n";
  for (const VerbRow& verb : verb_rows())
    text += "    " + in_single_quotes(std::string(verb.name) + ":" + std::string(verb.help), "'\\''") + "\n";
  text +=
      "  )\n  if ((CURRENT == 2)); then\n    _describe verb verbs\n    return\n  fi\n  local verb=$words[2]\n"
      "  shift words\n  ((CURRENT--))\n  case $verb in\n";
  for (const VerbRow& verb : verb_rows()) {
    text += "    " + std::string(verb.name) + ")\n      _arguments '(-h --help)'{-h,--help}'[Explain this verb]'";
    for (const bool arguments : {false, true})
      for (const OptionRow* row : offered(verb.name, arguments)) text += " \\\n        " + zsh_specification(*row);
    text += " ;;\n";
  }
  return text +
         "  esac\n}\nif [[ $funcstack[1] == _saturn ]]; then\n  _saturn \"$@\"\nelse\n  compdef _saturn saturn\nfi\n";
}

std::string fish_option(const VerbRow& verb, const OptionRow& row) {
  std::string line = "complete -c saturn -n '__fish_seen_subcommand_from " + std::string(verb.name) + "'";
  if (!row.is_argument()) line += " -l " + std::string(row.name.substr(2));
  if (!row.letter.empty()) line += " -s " + std::string(row.letter.substr(1));
  if (!row.is_argument() && row.kind != ValueKind::flag) line += may_be_file(row) ? " -r" : " -x";
  if (may_be_file(row)) line += " -F";
  if (row.kind == ValueKind::folder) line += " -a '(__fish_complete_directories)'";
  if (const std::string words = words_after(row); !words.empty()) line += " -a '" + words + "'";
  return line + " -d " + in_single_quotes(replaced_all(row.help_text(), "\\", "\\\\"), "\\'") + "\n";
}

std::string fish_completion() {
  std::string text =
      "# Completion of saturn for fish, from \"saturn completion fish\".\ncomplete -c saturn -f\n"
      "complete -c saturn -s h -l help -d 'Explain a verb'\n"
      "complete -c saturn -n __fish_use_subcommand -l version -d 'Print which saturn this is'\n";
  for (const VerbRow& verb : verb_rows())
    text += "complete -c saturn -n __fish_use_subcommand -a " + std::string(verb.name) + " -d " +
            in_single_quotes(verb.help, "\\'") + "\n";
  for (const VerbRow& verb : verb_rows())
    for (const bool arguments : {true, false})
      for (const OptionRow* row : offered(verb.name, arguments)) text += fish_option(verb, *row);
  return text;
}

}  // namespace

std::string completion_script(std::string_view shell) {
  if (shell == "zsh") return zsh_completion();
  return shell == "fish" ? fish_completion() : bash_completion();
}

Reply answer_completion(const TypedCommand& typed, Monitor& /*monitor*/) {
  std::string shell;
  typed.take("shell", shell);
  return {.text = completion_script(shell)};
}

}  // namespace saturn
