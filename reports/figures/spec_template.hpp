#pragma once

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

}  // namespace saturn
