#include "sim/cli/sweep_view_options.hpp"

#include <optional>

#include "scenarios/quantity_text.hpp"

namespace saturn {

namespace {

/// A value with any unit that scenarios know, in its base unit.
std::optional<double> any_quantity(const std::string& text) {
  for (const Unit& unit : units()) {
    const ReadQuantity read = read_quantity(text, unit.dimension);
    if (read.reading == QuantityReading::good) return read.value;
  }
  return std::nullopt;
}

}  // namespace

void add_sweep_view_options(const Verb& verb, SweepViewOptions& options) {
  verb.add_option("--metric", options.metric,
                  "What is shown: a name as in points.csv, or a part of one; default: the first")
      .type_name("NAME");
  verb.add_option("--x", options.x, "Axis that goes to the right; alone: bars over this axis").type_name("AXIS");
  verb.add_option("--y", options.y, "Axis that goes upwards").type_name("AXIS");
  verb.add_option("--at", options.at, "Only points at which an axis has this value; may be repeated")
      .type_name("AXIS=VALUE")
      .repeatable();
}

SweepView view_of(const SweepViewOptions& options, std::vector<Complaint>& complaints) {
  SweepView view{.metric = options.metric, .x = options.x, .y = options.y, .quantity = any_quantity};
  for (const std::string& at : options.at) {
    const std::size_t equals = at.find('=');
    const std::string source = "--at " + at;
    if (equals == std::string::npos || equals == 0) {
      complaints.push_back({.source = source,
                            .code = "show.bad_at",
                            .text = "An axis and its value are needed, for example --at rtt=\"1 ms\"."});
    } else if (!view.at.emplace(at.substr(0, equals), at.substr(equals + 1)).second) {
      complaints.push_back({.source = source,
                            .code = "show.held_twice",
                            .text = "\"" + at.substr(0, equals) + "\" is held already; one --at an axis."});
    }
  }
  return view;
}

void refuse_faults(const SweepTable& table, const SweepView& view) {
  std::vector<Complaint> complaints;
  for (const SweepViewFault& fault : faults_of(table, view))
    complaints.push_back({.source = fault.option, .code = fault.code, .text = fault.text});
  if (!complaints.empty()) throw InputError(complaints);
}

}  // namespace saturn
