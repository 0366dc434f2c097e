#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace saturn {

/// What stands at a place of a specification; std::monostate takes the place away.
using SpecValue =
    std::variant<std::monostate, bool, double, std::string, std::vector<std::string>, std::vector<double>>;

/// One place of a template and what it becomes.
struct SpecChange {
  std::string pointer{};  ///< RFC 6901, "/layer/0/encoding/x/title"; all but its last step must exist
  SpecValue value{};
};

/// A specification from its template, reports/figures/specs/NAME.vl.json: the theme's config and the changes go in, in
/// their order. Each template is a valid specification by itself.
/// @throws std::logic_error  no such template, or a pointer that leads nowhere: our bug
std::string filled_spec(std::string_view name, const std::vector<SpecChange>& changes);

/// An expression that Vega-Lite evaluates holds a word as this literal: quoted and escaped.
std::string vega_literal(const std::string& word);

/// A word of users as the title of a tooltip's line, which Vega-Lite puts into an expression with nothing but its
/// quotes escaped.
std::string tooltip_title(const std::string& word);

/// A specification with other fields and titles: every "field" and "title" in it that is exactly a key becomes its
/// value. So one template serves several fields and units.
/// @param spec  JSON
std::string with_words(const std::string& spec, const std::map<std::string, std::string>& words);

/// Adds the changes that take some places of lists away, each list from its end, since places move.
/// @param lists   pointers to lists, "/layer"
/// @param places  of each list, ascending
void take_away(std::vector<SpecChange>& changes, const std::vector<std::string>& lists,
               const std::vector<std::size_t>& places);

/// Adds the changes that make an axis logarithmic.
/// @param channel  pointer to its channel, which has a scale with "zero": "/encoding/x"
void make_logarithmic(std::vector<SpecChange>& changes, const std::string& channel);

}  // namespace saturn
