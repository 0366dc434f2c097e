#include <tuple>

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
                  "A link between two sites, or within one. Each direction has the whole bandwidth; transfers share it "
                  "max-min fairly.")
          .required("between", two_sites(), between, "[\"fnal\", \"iowa\"]", "The two sites.")
          .required("bandwidth", link_speed(), &Link::bandwidth, "\"100 Gbps\"", "Of the link, in each direction.")
          .defaulted("rtt", duration_rule({.low = "0 s", .high = "1 h", .usual = "ms"}), &Link::round_trip_time,
                     "Round-trip time of an empty call.")
          .optional("per_flow", link_speed(), &Link::per_flow, "the whole link",
                    "What one transfer reaches when it is alone.");
  return shape;
}

const Shape<Network>& network_shape() {
  static const Shape<Network> shape =
      Shape<Network>("network", "What joins the sites. Sites without a link between them cannot call each other.")
          .required("links", list_of(link_shape().rule(), 0, 10'000), &Network::links,
                    "[{ \"between\": [\"fnal\", \"iowa\"], \"bandwidth\": \"100 Gbps\", \"rtt\": \"11.8 ms\" }]",
                    "Direct links; each pair of sites at most once.")
          .defaulted(
              "flows", choice_rule<FlowModel>({{"aggregated", FlowModel::aggregated}, {"simgrid", FlowModel::simgrid}}),
              &Network::flows,
              "How transfers share the links: alike ones as one class, or one by one on SimGrid's network model, "
              "which is the reference and slow. The answers are the same.");
  return shape;
}

}  // namespace saturn
