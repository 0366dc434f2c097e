#include <tuple>

#include "scenarios/scenario_fields.hpp"

namespace saturn {

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
          .defaulted("cycles", count_rule(1, 100'000), &RunControl::cycles,
                     "Least length of a repetition's window, in event times.")
          .defaulted("window", duration_rule({.low = "0 s", .high = "1e9 s", .usual = "h"}), &RunControl::window,
                     "Least length of a repetition's window in simulated time, for example \"1 h\" of production.")
          .defaulted("brief", flag_rule(), &RunControl::brief,
                     "A first look: windows hold a tenth of the events that good numbers need, or what `cycles` and "
                     "`window` ask for.");
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
