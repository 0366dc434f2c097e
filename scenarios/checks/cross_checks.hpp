#pragma once

#include <span>
#include <string>
#include <vector>

#include "scenarios/document/document.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/scenario.hpp"

/// What no single field can tell: names that must exist, values that must fit each other.

namespace saturn {

/// A decoded scenario beside the document that it came from.
struct CheckedScenario {
  const Scenario& scenario;
  const Document& document;
  ComplaintList& complaints;
  std::span<const UsedFit> fits{};  ///< of fitted parameter files

  /// Refuses what stands at the pointer, or at its nearest ancestor that exists.
  void refuse(const std::string& pointer, const char* code, const std::string& text) const;
  void warn(const std::string& pointer, const char* code, const std::string& text) const;
};

/// JSON pointer of a model.
std::string model_at(const std::string& name);

/// All cross checks. Values that were refused already are left out, so that one mistake gives one complaint.
void check_scenario(const CheckedScenario& checked);

/// Names: unique pools and servers; models, device types and service laws that exist; models that a server holds.
void check_names(const CheckedScenario& checked);
/// A site's name that is one letter or two off another one, where calls find no path for that: one complaint in place
/// of one for each call.
void check_site_spelling(const CheckedScenario& checked);
/// Sites: names that exist, cores for all threads.
void check_sites(const CheckedScenario& checked);
/// Explicit routes: one a pair of sites, no site twice, a link between all neighbours.
void check_routes(const CheckedScenario& checked);
/// Links: one a pair of sites, a path wherever a job calls a server at another site, attached devices called at their
/// own, caps below bandwidths.
void check_links(const CheckedScenario& checked);
/// Amounts: request sizes against model limits, events that take time, totals that can be simulated, run control.
void check_amounts(const CheckedScenario& checked);
/// Jobs: asynchronous stages that exist where they are needed, streams for every core, set-ups of jobs that end.
void check_jobs(const CheckedScenario& checked);
/// Batching: preferred sizes, priorities, keys that need the dynamic batcher, slices of devices.
void check_batching(const CheckedScenario& checked);
/// Preferred sizes of a model's batches: within its limit, each once.
void check_preferred_sizes(const CheckedScenario& checked, const std::string& name, const Model& model);
/// Stateful models: keys that fit the sequence batcher, calls that are sequences, servers that keep them together,
/// slots for all that never end.
void check_sequences(const CheckedScenario& checked);
/// Slots that the server takes away between two requests of an event. Only where everything else is sound, for the
/// pause depends on all.
void check_idle_sequences(const CheckedScenario& checked);
/// Service laws: times above zero, host parts within them, no batch far beyond the measured points or fitted sizes.
void check_service_laws(const CheckedScenario& checked);
/// Ensembles: steps that exist, run on the same servers, take as much, and never lead back.
void check_ensembles(const CheckedScenario& checked);
/// Balancing: servers that share a model agree, and a central queue has all its nodes to itself.
void check_balancing(const CheckedScenario& checked);
/// Attached devices: no network card, and streams that stay with their nodes.
void check_attached(const CheckedScenario& checked);
/// Costs: a price of electricity where the power of every device in use is known.
void check_costs(const CheckedScenario& checked);
/// What may come late, break or scale: names that exist, silence that somebody notices, windows that hold readings,
/// deadlines that can be met, memory that is enough. Precondition: all other checks but the next were made.
void check_living(const CheckedScenario& checked);
/// A platform file: nothing beside it that it says itself, and names of links that no other resource has.
/// Precondition: all other checks were made.
void check_platform(const CheckedScenario& checked);

/// Whether a model that is named exists, or nothing can be said about it; complains otherwise.
bool check_model_name(const CheckedScenario& checked, const std::string& pointer, const std::string& model);

/// The models that requests for a model reach: itself, or an ensemble's steps; each once. Unknown names and circles,
/// which are refused elsewhere, are passed over.
std::vector<std::string> executed_models(const Scenario& scenario, const std::string& model);

}  // namespace saturn
