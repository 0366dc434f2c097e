#include "sim/cli/verb.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <optional>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "sim/cli/main.hpp"

namespace saturn {

VerbOption VerbOption::type_name(const std::string& name) const {
  option_->type_name(name);
  return *this;
}

VerbOption VerbOption::required() const {
  option_->required();
  return *this;
}

VerbOption VerbOption::whole_number(std::uint64_t least, std::uint64_t most) const {
  option_->check(CLI::Validator(
      [least, most](std::string& text) -> std::string {
        const std::optional<std::uint64_t> value = read_count(text);
        if (value && *value >= least && *value <= most) return {};
        return "\"" + text + "\" is not allowed; it takes a whole number from " + std::to_string(least) + " to " +
               std::to_string(most);
      },
      ""));
  return *this;
}

VerbOption VerbOption::one_of(const std::vector<std::string>& words) const {
  option_->check(CLI::IsMember(words));
  return *this;
}

VerbOption VerbOption::repeatable() const {
  option_->allow_extra_args(false);
  return *this;
}

VerbOption VerbOption::single() const {
  option_->expected(1);
  return *this;
}

VerbOption VerbOption::needs(const VerbOption& other) const {
  option_->needs(other.option_);
  return *this;
}

VerbOption VerbOption::needs(const std::string& other) const {
  option_->needs(other);
  return *this;
}

VerbOption VerbOption::excludes(const VerbOption& other) const {
  option_->excludes(other.option_);
  return *this;
}

VerbOption VerbOption::excludes(const std::string& other) const {
  option_->excludes(other);
  return *this;
}

VerbOption VerbOption::former_name(const std::string& now) const {
  make_former_name(*option_, now);
  return *this;
}

Verb::Verb(CLI::App& program, const std::string& name, const std::string& help)
    : app_(program.add_subcommand(name, help)) {}

template <class Value>
VerbOption Verb::add_option(const std::string& name, Value& value, const std::string& help) const {
  return VerbOption(*app_->add_option(name, value, help));
}

template VerbOption Verb::add_option(const std::string&, std::string&, const std::string&) const;
template VerbOption Verb::add_option(const std::string&, std::optional<std::string>&, const std::string&) const;
template VerbOption Verb::add_option(const std::string&, std::vector<std::string>&, const std::string&) const;
template VerbOption Verb::add_option(const std::string&, std::filesystem::path&, const std::string&) const;
template VerbOption Verb::add_option(const std::string&, std::vector<std::filesystem::path>&, const std::string&) const;
template VerbOption Verb::add_option(const std::string&, unsigned&, const std::string&) const;
template VerbOption Verb::add_option(const std::string&, std::uint64_t&, const std::string&) const;
template VerbOption Verb::add_option(const std::string&, std::optional<std::uint32_t>&, const std::string&) const;
template VerbOption Verb::add_option(const std::string&, std::optional<std::uint64_t>&, const std::string&) const;

VerbOption Verb::add_flag(const std::string& name, bool& value, const std::string& help) const {
  return VerbOption(*app_->add_flag(name, value, help));
}

VerbOption Verb::add_numbered(const std::string& name, const std::map<std::string, int>& words,
                              const std::function<void(int)>& take, const std::string& help) const {
  CLI::Option* option = app_->add_option_function<int>(name, take, help);
  option->transform(CLI::Validator(
      [words](std::string& text) -> std::string {
        const auto found = words.find(text);
        if (found != words.end()) {
          text = std::to_string(found->second);
          return {};
        }
        std::string allowed;
        for (const auto& [word, number] : words) append_part(allowed, word);
        return "\"" + text + "\" is not allowed; it takes one of: " + allowed;
      },
      ""));
  return VerbOption(*option);
}

void Verb::footer(const std::string& text) const {
  app_->footer(text);
}

void Verb::answers(Chosen& chosen, const Chosen& answer) const {
  app_->callback([&chosen, answer] { chosen = answer; });
}

}  // namespace saturn
