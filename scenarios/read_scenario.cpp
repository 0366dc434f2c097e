#include "scenarios/read_scenario.hpp"

#include <utility>

#include "scenarios/complaint_list.hpp"
#include "scenarios/cross_checks.hpp"
#include "scenarios/fitted_files.hpp"
#include "scenarios/node_text.hpp"
#include "scenarios/overrides.hpp"
#include "scenarios/parse_document.hpp"
#include "scenarios/platform_attachment.hpp"
#include "scenarios/referenced_files.hpp"
#include "scenarios/scenario_fields.hpp"
#include "scenarios/scenario_text.hpp"
#include "scenarios/trace_files.hpp"

namespace saturn {

namespace {

void stop_if_refused(const ComplaintList& complaints, const Document& document) {
  if (!complaints.empty()) throw InputError(complaints.complaints(document));
}

/// Other values leave traces and the platform as they were, and both may be long to read.
void attach_known_files(Scenario& scenario, const Scenario& known) {
  for (std::size_t j = 0; j < scenario.jobs.size() && j < known.jobs.size(); ++j) {
    auto* law = scenario.jobs[j].arrivals ? std::get_if<TraceArrivals>(&*scenario.jobs[j].arrivals) : nullptr;
    const auto* before = known.jobs[j].arrivals ? std::get_if<TraceArrivals>(&*known.jobs[j].arrivals) : nullptr;
    if (law != nullptr && before != nullptr) law->recorded = before->recorded;
  }
  scenario.platform = known.platform;
}

/// Servers of which nothing is bought are checked as the others, and then are not there.
void leave_out_absent_servers(Scenario& scenario) {
  std::erase_if(scenario.servers, [](const Server& server) { return server.nodes == 0; });
}

/// Drawn values are no extrapolation that anybody asked for, so ranges of fits are not looked at again.
std::function<Scenario(std::span<const Override>)> decoder_of(Document document, const Scenario& known) {
  return [document = std::move(document), known](std::span<const Override> overrides) {
    Document changed = document;
    ComplaintList complaints;
    apply_overrides(changed, overrides, complaints);
    std::optional<Scenario> scenario = scenario_shape().read({changed.root, ""}, complaints);
    if (scenario) attach_known_files(*scenario, known);
    if (scenario) check_scenario({*scenario, changed, complaints});
    stop_if_refused(complaints, changed);
    leave_out_absent_servers(*scenario);
    return *scenario;
  };
}

std::string resolved_text(const Document& document) {
  return json_text(document.root, 2) + "\n";
}

/// What to vary says nothing about the scenario at a point, and must not change what a point is known by.
void forget_sweep(Document& document) {
  std::erase_if(document.root.children, [](const Node& section) { return section.key == "sweep"; });
}

std::function<Complaint(const std::string&, const std::string&, const std::string&)> complaints_of_sweep(
    const Document& document) {
  return [document](const std::string& pointer, const std::string& code, const std::string& text) {
    return document.complaint_at(document.nearest(pointer).place, code, text);
  };
}

ReadScenario decode(ScenarioText text, std::span<const Override> overrides, const PlatformReader& reader) {
  text = checked_text(std::move(text));
  ParsedText parsed = parse_document(text.text, 0);
  Document document{.sources = {{text.name, std::move(text.text), true}}, .root = std::move(parsed.root)};
  ComplaintList complaints;
  for (const SyntaxFault& fault : parsed.faults)
    complaints.refuse({0, fault.offset}, fault.pointer, fault.code, fault.text);
  if (!parsed.complete) stop_if_refused(complaints, document);

  apply_overrides(document, overrides, complaints);
  const std::filesystem::path folder = std::filesystem::path(document.sources.front().name).parent_path();
  include_referenced_files(document, folder, complaints);
  FittedValues fitted = include_fitted_files(document, folder, complaints);
  Document with_values = document;
  // A document that is no object was refused by the shape; there is then nothing to cross-check.
  std::optional<Scenario> scenario = scenario_shape().read({document.root, ""}, complaints);
  if (scenario) attach_traces(*scenario, document, folder, complaints);
  if (scenario) attach_platform(*scenario, document, folder, reader, complaints);
  if (scenario) check_scenario({*scenario, document, complaints, fitted.fits});
  stop_if_refused(complaints, document);
  leave_out_absent_servers(*scenario);
  decltype(ReadScenario::about_sweep) about_sweep;
  if (scenario->sweep) about_sweep = complaints_of_sweep(document);
  forget_sweep(document);
  forget_sweep(with_values);
  forget_references(document.root);
  return {.scenario = *scenario,
          .resolved = resolved_text(document),
          .warnings = complaints.warnings(document),
          .fits = std::move(fitted.fits),
          .fitted_files = std::move(fitted.files),
          .again = decoder_of(std::move(with_values), *scenario),
          .resolved_again =
              [document = std::move(document)](std::span<const Override> changes) {
                Document changed = document;
                ComplaintList unheard;
                apply_overrides(changed, changes, unheard);
                return resolved_text(changed);
              },
          .about_sweep = std::move(about_sweep)};
}

}  // namespace

ReadScenario read_scenario_text(const std::string& text, const std::string& name, std::span<const Override> overrides,
                                const PlatformReader& reader) {
  return decode({name, text}, overrides, reader);
}

ReadScenario read_scenario_file(const std::string& path, std::span<const Override> overrides,
                                const PlatformReader& reader) {
  return decode(load_scenario(path), overrides, reader);
}

}  // namespace saturn
