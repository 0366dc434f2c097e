#include "scenarios/read_scenario.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "scenarios/checks/cross_checks.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/document/parse_document.hpp"
#include "scenarios/document/scenario_text.hpp"
#include "scenarios/document/text_files.hpp"
#include "scenarios/fields/scenario_fields.hpp"
#include "scenarios/fields/value_rules.hpp"
#include "scenarios/inputs/fitted_files.hpp"
#include "scenarios/topology/platform_attachment.hpp"
#include "scenarios/triton/triton_fields.hpp"

namespace saturn {

// Files that a scenario names, put into its document before it is decoded, so that complaints point into them.

namespace {

constexpr FilePurpose triton_purpose{"a Triton model configuration",
                                     "Name the model's config.pbtxt, relative to this file, or give its values here."};
constexpr FilePurpose law_purpose{"a service law in JSON",
                                  "Name a file with a service law, relative to this file, or write the law here."};

class ReferencedFiles {
 public:
  ReferencedFiles(Document& document, const std::filesystem::path& folder, ComplaintList& complaints)
      : document_(document), complaints_(complaints), texts_(document, folder, complaints) {}

  void fill_model(Node& model, const std::string& pointer) {
    if (Node* config = child_of(model, "triton_config"); config != nullptr && config->kind == NodeKind::text)
      fill_from_config(model, *config, pointer);
    Node* service = child_of(model, "service");
    if (service == nullptr || service->kind != NodeKind::object) return;
    for (Node& law : service->children) replace_law(law, pointer + "/service/" + escape_pointer(law.key));
  }

 private:
  void fill_from_config(Node& model, Node& path, const std::string& pointer) {
    const std::optional<std::size_t> source = texts_.load(path, pointer + "/triton_config", triton_purpose);
    path.text = texts_.joined(path.text);
    if (source && read_config(model, *source, pointer)) return;
    // What the file would have said is not known, so nothing else can be wrong with this model.
    complaints_.distrust(pointer);
    Node nothing;
    nothing.place.source = path.place.source;
    fill_from_triton(model, nothing);
  }

  /// False after a complaint.
  bool read_config(Node& model, std::size_t source, const std::string& pointer) {
    const ParsedTriton parsed = parse_triton_config(document_.sources[source].text, source);
    for (const SyntaxFault& fault : parsed.warnings)
      complaints_.warn({source, fault.offset}, "", fault.code, fault.text);
    if (parsed.fault) {
      complaints_.refuse({source, parsed.fault->offset}, pointer, parsed.fault->code, parsed.fault->text);
      return false;
    }
    for (const SyntaxFault& fault : fill_from_triton(model, parsed.config))
      complaints_.warn({source, fault.offset}, "", fault.code, fault.text);
    return true;
  }

  void replace_law(Node& law, const std::string& pointer) {
    const Node* path = law.find("file");
    if (path == nullptr || path->kind != NodeKind::text) return;
    const std::string file_at = pointer + "/file";
    if (law.children.size() > 1) {
      complaints_.refuse(path->key_place, file_at, "scenario.law_beside_file",
                         pointer +
                             " has other keys beside \"file\"; the file holds the whole law: leave out \"file\" or "
                             "the others.");
      return;
    }
    const std::optional<std::size_t> source = texts_.load(*path, file_at, law_purpose);
    if (!source) return;
    ParsedText parsed = parse_document(document_.sources[*source].text, *source);
    for (const SyntaxFault& fault : parsed.faults)
      complaints_.refuse({*source, fault.offset}, file_at, fault.code, fault.text);
    if (!parsed.complete) return;
    if (const Node* nested = parsed.root.find("file"); nested != nullptr) {
      complaints_.refuse(nested->key_place, file_at, "scenario.nested_law_file",
                         "A law file holds the law itself, not the name of another file.");
      return;
    }
    parsed.root.key = std::move(law.key);
    parsed.root.key_place = law.key_place;
    law = std::move(parsed.root);
  }

  Document& document_;
  ComplaintList& complaints_;
  TextFiles texts_;
};

}  // namespace

/// Adds to every model with "triton_config" the keys that it lacks and that file gives, and puts in the place of every
/// service law { "file": ... } the law that the file holds. Paths are relative to `folder`; the path of "triton_config"
/// is replaced by the joined one.
/// Codes: scenario.missing_file, .not_a_file, .unreadable_file, .too_large, .empty_file, .binary_file, .not_utf8, those
/// of parse_triton_config() and parse_document()
void include_referenced_files(Document& document, const std::filesystem::path& folder, ComplaintList& complaints) {
  ReferencedFiles files(document, folder, complaints);
  for (Node& section : document.root.children) {
    if (document.root.kind != NodeKind::object || section.key != "models" || section.kind != NodeKind::object) continue;
    for (Node& model : section.children)
      if (model.kind == NodeKind::object) files.fill_model(model, "/models/" + escape_pointer(model.key));
  }
}

/// Removes the references that have been followed, so that the document stands for itself.
void forget_references(Node& root) {
  for (Node& section : root.children)
    if (section.key == "models")
      for (Node& model : section.children)
        std::erase_if(model.children, [](const Node& child) { return child.key == "triton_config"; });
}

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

namespace {

// The largest whole number below which every JSON reader keeps all digits.
constexpr std::uint64_t largest_seed = (std::uint64_t{1} << 53U) - 1;

using NetworkMembers = std::tuple<std::map<std::string, Site>, std::vector<Link>, std::vector<RouteRule>,
                                  std::optional<std::string>, FlowModel>;

Rule<NetworkMembers> members_of_network() {
  const Rule<Network> network = network_shape().rule();
  return {network.text, [network](const Spot& spot, ComplaintList& complaints) -> std::optional<NetworkMembers> {
            const std::optional<Network> read = network.read(spot, complaints);
            if (!read) return std::nullopt;
            return NetworkMembers{read->sites, read->links, read->routes, read->platform_file, read->flows};
          }};
}

}  // namespace

const Shape<RunControl>& run_control_shape() {
  static const Shape<RunControl> shape =
      Shape<RunControl>("run", "How the scenario is simulated.")
          .defaulted("seed", count_rule(0, largest_seed), &RunControl::seed,
                     "Seed of all random numbers; the same seed gives the same result everywhere.")
          .defaulted("precision", ratio_rule({.low = 0.0001, .high = 0.5}), &RunControl::precision,
                     "Half-width asked of the confidence interval of the mean event time, relative to that time.")
          .defaulted("confidence", ratio_rule({.low = 0.5, .high = 0.9999}), &RunControl::confidence,
                     "Confidence of all intervals.")
          .defaulted("min_replications", count_rule(1, 10'000), &RunControl::min_replications,
                     "Independent repetitions that are run in any case.")
          .defaulted("max_replications", count_rule(1, 10'000), &RunControl::max_replications,
                     "Repetitions after which the run ends even if the precision is not reached.")
          .optional("cycles", count_rule(1, 100'000), &RunControl::cycles,
                    "24, or as few as 6 where many jobs bring the events that the precision needs",
                    "Least length of a repetition's window, in event times.")
          .defaulted("window", duration_rule({.low = "0 s", .high = "1e9 s", .usual = "h"}), &RunControl::window,
                     "Least length of a repetition's window in simulated time, for example \"1 h\" of production.")
          .defaulted("brief", flag_rule(), &RunControl::brief,
                     "A first look: windows hold a tenth of the events that good numbers need, or what `cycles` and "
                     "`window` ask for.")
          .optional("horizon", duration_rule({.low = "0 s", .high = "1e9 s", .usual = "h", .above_low = true}),
                    &RunControl::horizon, "the steady state is measured, without its warm-up",
                    "Every repetition is just so long, from an empty system on, and all of it counts: for what changes "
                    "over time.")
          .defaulted("whole", flag_rule(), &RunControl::whole,
                     "A large farm is simulated as a whole, however long that takes, and never answered by a cell of "
                     "it (docs/models/cells.md).");
  return shape;
}

const Shape<Scenario>& scenario_shape() {
  const auto nowhere = [](Scenario&) { return Nothing{}; };
  const auto network = [](Scenario& scenario) {
    return std::tie(scenario.sites, scenario.links, scenario.routes, scenario.platform_file, scenario.flows);
  };
  static const Shape<Scenario> shape =
      Shape<Scenario>("scenario", "The whole document.")
          .required("schema", only_checked(choice_rule<int>({{schema_name, 1}})), nowhere, "\"saturn-scenario/1\"",
                    "Version of the format.")
          .beside()
          .unchosen()
          .optional("$schema", only_checked(line_rule()), nowhere, "nothing",
                    "Address of the JSON Schema, for editors; not read.")
          .unchosen()
          .optional("title", line_rule(), &Scenario::title, "no title", "One line for tables and figures.")
          .unchosen()
          .required("jobs", list_of(job_pool_shape().rule(), 1, 1000), &Scenario::jobs,
                    "[{ \"name\": \"reco\", \"site\": \"fnal\", \"count\": 268, \"event\": [{ \"cpu\": \"110 s\" }] }]",
                    "Who calls.")
          .unspoken()
          .optional("models", map_of(model_shape().rule(), "model name", 1000), &Scenario::models, "no models",
                    "What is called.")
          .unspoken()
          .optional("servers", list_of(server_shape().rule(), 0, 1000), &Scenario::servers, "no servers",
                    "Who answers.")
          .unspoken()
          .optional("devices", map_of(device_type_shape().rule(), "device type", 1000), &Scenario::devices,
                    "no devices", "What the servers compute on.")
          .unspoken()
          .optional("network", members_of_network(), network,
                    "no links: jobs call servers at their own site, at no cost", "What joins the sites.")
          .unspoken()
          .optional("run", run_control_shape().rule(), &Scenario::run, "all its defaults",
                    "How the scenario is simulated.")
          .unchosen()
          .optional("costs", costs_shape().rule(), &Scenario::costs, "nothing of them is known",
                    "What is paid beside devices, hosts and traffic.")
          .optional("outages", list_of(outage_shape().rule(), 0, 1000), &Scenario::outages, "none",
                    "What is out of service, and when.")
          .unspoken()
          .optional("alternatives", list_of(alternative_shape().rule(), 1, 100), &Scenario::alternatives,
                    "made from the scenario: GPUs in the worker nodes, a service on site, the service as it stands",
                    "What `saturn compare --alternatives` puts beside CPU only.")
          .beside()
          .unchosen()
          .optional("sweep", sweep_shape().rule(), &Scenario::sweep, "none",
                    "What `saturn sweep` varies; it changes no other answer.")
          .beside()
          .finish([](Scenario& scenario, const Spot&, ComplaintList&) {
            for (std::size_t i = 0; i < scenario.servers.size(); ++i) scenario.servers[i].place = i;
          });
  return shape;
}

}  // namespace saturn
