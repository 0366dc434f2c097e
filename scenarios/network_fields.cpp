#include <tuple>

#include "scenarios/price_rules.hpp"
#include "scenarios/scenario_fields.hpp"

namespace saturn {

namespace {

Rule<Bandwidth> link_speed() {
  return bandwidth_rule({.low = "1 bps", .high = "1000 Tbps", .usual = "Gbps"});
}

Rule<std::pair<std::string, std::string>> two_sites() {
  const Rule<std::vector<std::string>> sites = list_of(name_rule(), 2, 2);
  return {sites.text,
          [sites](const Spot& spot, ComplaintList& complaints) -> std::optional<std::pair<std::string, std::string>> {
            const std::optional<std::vector<std::string>> names = sites.read(spot, complaints);
            if (!names) return std::nullopt;
            return std::pair{names->front(), names->back()};
          }};
}

}  // namespace

const Shape<Link>& link_shape() {
  // `between` fills two members of Link, so it is read into a pair of references to them.
  const auto between = [](Link& link) { return std::tie(link.site_a, link.site_b); };
  static const Shape<Link> shape =
      Shape<Link>("link",
                  "A link between two sites, or within one. Each direction has its whole bandwidth; transfers share it "
                  "max-min fairly.")
          .required("between", two_sites(), between, "[\"fnal\", \"iowa\"]", "The two sites.")
          .required("bandwidth", link_speed(), &Link::bandwidth, "\"100 Gbps\"",
                    "Of the link, in each direction; with `bandwidth_back` from the first site to the second.")
          .measured()
          .optional("bandwidth_back", link_speed(), &Link::bandwidth_back, "as `bandwidth`",
                    "From the second site to the first; of a link within one site, for the answers.")
          .measured()
          .defaulted("rtt", duration_rule({.low = "0 s", .high = "1 h", .usual = "ms"}), &Link::round_trip_time,
                     "Round-trip time of an empty call.")
          .measured()
          .optional("per_flow", link_speed(), &Link::per_flow, "the whole link",
                    "What one transfer reaches when it is alone.")
          .measured();
  return shape;
}

const Shape<Site>& site_shape() {
  const auto egress = [](Site& site) { return std::tie(site.egress, site.egress_origin); };
  static const Shape<Site> shape =
      Shape<Site>("site", "A site as a whole.")
          .optional("uplink", link_speed(), &Site::uplink, "no limit",
                    "Bandwidth, in each direction, that all calls share which leave the site or come in from another. "
                    "Calls that only pass the site on their way do not count.")
          .measured()
          .optional("cores", count_rule(1, 1'000'000'000), &Site::cores, "enough",
                    "Cores of the site; the threads of all its jobs must fit.")
          .optional("egress", traffic_rule(), egress, "nothing is paid",
                    "Price of data that leave the site: answers of its servers to jobs elsewhere, and requests of its "
                    "jobs to servers elsewhere.")
          .costed();
  return shape;
}

const Shape<RouteRule>& route_shape() {
  const auto between = [](RouteRule& route) { return std::tie(route.site_a, route.site_b); };
  static const Shape<RouteRule> shape =
      Shape<RouteRule>("route",
                       "The way that calls between two sites take, in both directions. Without one they take the path "
                       "with the fewest links; of several that with the least round-trip time, then that whose links "
                       "stand first in the list.")
          .required("between", two_sites(), between, "[\"fnal\", \"cern\"]", "The two sites.")
          .required("via", list_of(name_rule(), 1, 1000), &RouteRule::via, "[\"chicago\", \"geneva\"]",
                    "The sites that are passed, from the first site to the second; neighbours are joined by a link.");
  return shape;
}

const Shape<Network>& network_shape() {
  static const Shape<Network> shape =
      Shape<Network>("network", "What joins the sites. Sites that no path of links joins cannot call each other.")
          .optional("sites", map_of(site_shape().rule(), "site name", 10'000), &Network::sites,
                    "nothing is said of any site", "What is to be said of sites as a whole.")
          .unspoken()
          .optional("links", list_of(link_shape().rule(), 0, 10'000), &Network::links, "no links",
                    "Direct links; each pair of sites at most once.")
          .unspoken()
          .optional("routes", list_of(route_shape().rule(), 0, 10'000), &Network::routes, "the shortest paths",
                    "Ways to take where several exist; each pair of sites at most once.")
          .optional("platform", line_rule(), &Network::platform_file, "the links and routes given here",
                    "A SimGrid platform file (XML), relative to this file, in place of `links` and `routes`. Sites are "
                    "then names of its hosts.")
          .defaulted(
              "flows", choice_rule<FlowModel>({{"aggregated", FlowModel::aggregated}, {"simgrid", FlowModel::simgrid}}),
              &Network::flows,
              "How transfers share the links: alike ones as one class, or one by one on SimGrid's network model, "
              "which is the reference and slow. The answers are the same.");
  return shape;
}

}  // namespace saturn
