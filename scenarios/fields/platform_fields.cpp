#include <algorithm>
#include <chrono>
#include <memory>
#include <tuple>
#include <utility>

#include "models/words/numbers.hpp"
#include "scenarios/fields/field_table.hpp"
#include "scenarios/fields/law_rules.hpp"
#include "scenarios/fields/scenario_fields.hpp"
#include "scenarios/fields/value_rules.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

// Prices as a document gives them: a quantity, or an object that also says from when and from whom it is.

/// A price and where it is from.
template <class Quantity>
using OriginatedPrice = std::pair<Quantity, PriceOrigin>;

namespace {

bool is_date(const std::string& text) {
  const bool with_day = text.size() == 10;
  if ((!with_day && text.size() != 7) || text[4] != '-' || (with_day && text[7] != '-')) return false;
  const std::string_view view = text;
  const auto year = read_count(view.substr(0, 4));
  const auto month = read_count(view.substr(5, 2));
  const auto day = with_day ? read_count(view.substr(8, 2)) : std::uint64_t{1};
  if (!year || !month || !day) return false;
  return std::chrono::year_month_day(std::chrono::year(static_cast<int>(*year)),
                                     std::chrono::month(static_cast<unsigned>(*month)),
                                     std::chrono::day(static_cast<unsigned>(*day)))
      .ok();
}

/// A date of the calendar as "2026-11-01", or a month as "2026-11".
Rule<std::string> date_rule() {
  const char* schema = R"({"pattern":"^[0-9]{4}-[0-9]{2}(-[0-9]{2})?$","type":"string"})";
  return {{"date, \"2026-11-01\" or \"2026-11\"", schema, ValueForm::single, {PlaceKind::text}},
          [](const Spot& spot, ComplaintList& complaints) -> std::optional<std::string> {
            if (spot.node.kind == NodeKind::text && is_date(spot.node.text)) return spot.node.text;
            return refuse_value(spot, complaints, "scenario.not_a_date",
                                "; a date of the calendar is needed, for example \"2026-11-01\", or a month, "
                                "\"2026-11\".");
          }};
}

/// A price as it stands, or within an object with the name.
/// @param plain  the price itself
template <class Quantity>
Rule<OriginatedPrice<Quantity>> originated(const char* name, const char* sentence, const Rule<Quantity>& plain,
                                           const char* example) {
  using Price = OriginatedPrice<Quantity>;
  const auto date = [](Price& price) -> std::string& { return price.second.date; };
  const auto source = [](Price& price) -> std::string& { return price.second.source; };
  const auto shape = std::make_shared<Shape<Price>>(name, sentence);
  shape->required("value", plain, &Price::first, example, "The price.")
      .unspoken()
      .optional("date", date_rule(), date, "not said", "When this was the price: a day or a month.")
      .unchosen()
      .optional("source", line_rule(), source, "not said", "Who says so.")
      .unchosen();
  const ValueText object = reference_to(shape->definition());
  return {{.words = plain.text.words + "; or an object " + object.words,
           .form = ValueForm::either,
           .parts = {plain.text, object}},
          [plain, shape](const Spot& spot, ComplaintList& complaints) -> std::optional<Price> {
            if (spot.node.kind == NodeKind::object) return shape->read(spot, complaints);
            const std::optional<Quantity> value = plain.read(spot, complaints);
            if (!value) return std::nullopt;
            return Price{*value, {}};
          }};
}

const Rule<OriginatedPrice<UsdPerHour>>& rent_rule() {
  static const auto rule =
      originated("rent", "A price of renting, or a purchase spread over the hours of its life, with where it is from.",
                 price_rule({.low = "0 USD/h", .high = "1e6 USD/h", .usual = "USD/h"}), "\"0.35 USD/h\"");
  return rule;
}

const Rule<OriginatedPrice<UsdPerKilowattHour>>& electricity_rule() {
  static const auto rule = originated(
      "electricity price", "A price of electricity with where it is from.",
      energy_price_rule({.low = "0 USD/kWh", .high = "1000 USD/kWh", .usual = "USD/kWh"}), "\"0.15 USD/kWh\"");
  return rule;
}

const Rule<OriginatedPrice<UsdPerGigabyte>>& traffic_rule() {
  static const auto rule =
      originated("traffic price", "A price of traffic with where it is from.",
                 traffic_price_rule({.low = "0 USD/GB", .high = "1e6 USD/GB", .usual = "USD/GB"}), "\"0.12 USD/GB\"");
  return rule;
}

}  // namespace

const Shape<Costs>& costs_shape() {
  const auto core = [](Costs& costs) { return std::tie(costs.core, costs.core_origin); };
  const auto electricity = [](Costs& costs) { return std::tie(costs.electricity, costs.electricity_origin); };
  static const Shape<Costs> shape =
      Shape<Costs>(
          "costs",
          "What is paid beside devices (`price` of a device type), hosts (`host_price` of a server) and traffic "
          "(`egress` of a site).")
          .optional("core", rent_rule(), core, "not known: what jobs cost is left out",
                    "Price of one core of a job for an hour, busy or not.")
          .costed()
          .optional("core_power", power_rule({.low = "0 W", .high = "10 kW", .usual = "W"}), &Costs::core_power,
                    "not known", "Electrical power of one core of a job, with its share of the node.")
          .costed()
          .optional("electricity", electricity_rule(), electricity, "contained in the other prices",
                    "Price of electricity, added for everything whose power is known. For hardware of one's own, whose "
                    "`price` is then what it loses in value; rented hardware has it in its price.")
          .costed();
  return shape;
}

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

const Shape<SlowStart>& slow_start_shape() {
  static const Shape<SlowStart> shape =
      Shape<SlowStart>(
          "slow start",
          "How the congestion windows of TCP connections begin: a new one, or one that was idle, sends its "
          "first bytes in several round trips. docs/models/network.md has the rule.")
          .defaulted("initial_window", size_rule({.low = "1 B", .high = "1 GB", .usual = "kB"}),
                     &SlowStart::initial_window, "Data sent before the first acknowledgement (RFC 6928).")
          .measured()
          .defaulted("idle_restart", duration_rule({.low = "1 ms", .high = "1000 h", .usual = "ms"}),
                     &SlowStart::idle_restart,
                     "The window halves for each such time without data (the retransmission timeout). Longer than any "
                     "pause: only new connections begin small.")
          .measured();
  return shape;
}

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
          .measured()
          .optional("tcp", slow_start_shape().rule(), &Link::tcp, "transfers go at full speed from their first byte on",
                    "Slow start of the connections over this link, one for each stream of a job and node.")
          .optional("failures", failure_shape().rule(), &Link::failures, "it never breaks",
                    "How often the link breaks. Nothing passes it meanwhile, and transfers under way stand still.");
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

const Shape<DevicePool>& device_pool_shape() {
  static const Shape<DevicePool> shape =
      Shape<DevicePool>("device pool", "The devices of a node.")
          .required("type", name_rule(), &DevicePool::type, "\"t4\"", "Device type, from `devices`.")
          .required(
              "count",
              count_rule(1, 1024, "allowed is 1 to 1,024; more devices stand in more nodes (\"nodes\" of the server)."),
              &DevicePool::count, "4", "Devices in each node.")
          .searched(SearchStart::up_to_16)
          .optional(
              "mig", list_of(ratio_rule({.low = 0.01, .high = 1.0}), 1, 16), &DevicePool::mig, "undivided",
              "Shares of each device that its slices have (NVIDIA's multi-instance GPU), in sum at most 1. A slice "
              "works as a device of its own, on which the device part of a batch takes 1/share as long.")
          .defaulted(
              "interference", number_rule({.low = 0.0, .high = 1.0}), &DevicePool::interference,
              "How much the devices of a node are in each other's way, at its buses and its processors: while n of "
              "them are busy, each runs at n^(-interference) of its speed. 0: independent; 1: together they are as "
              "fast as one.")
          .measured()
          .defaulted("dispatch",
                     choice_rule<DeviceDispatch>({{"shared_queue", DeviceDispatch::shared_queue},
                                                  {"per_device_queue", DeviceDispatch::per_device_queue}}),
                     &DevicePool::dispatch,
                     "Where a request that has reached the node waits: in one queue a model, of which an idle device "
                     "takes as much as a batch may hold; or in the queue of the device, or slice, with the fewest "
                     "requests waiting or executed, of whatever model, the next in turn on a tie. Limits of a queue "
                     "hold for each. What one idle device takes is limited by `preferred_batch_size` (without a delay) "
                     "or `max_batch_size` of the model.")
          .optional("failures", failure_shape().rule(), &DevicePool::failures, "they never break",
                    "How often each device breaks, alone. The node goes on with the others.");
  return shape;
}

const Shape<HostStage>& host_stage_shape() {
  const QuantityRange work{.low = "0 s", .high = "1e6 s", .usual = "us"};
  static const Shape<HostStage> shape =
      Shape<HostStage>("host stage",
                       "What a node's host does with a request before it joins a queue: receiving, unpacking, copying. "
                       "All requests that are at it share its workers equally, and none works faster than one worker.")
          .defaulted("per_request", duration_rule(work), &HostStage::per_request, "Work that every request costs.")
          .measured()
          .defaulted("per_item", duration_rule(work), &HostStage::per_item, "Work that each item of it costs.")
          .measured()
          .defaulted("workers", number_rule({.low = 0.0, .high = 1e6, .above_low = true}), &HostStage::workers,
                     "Workers that work side by side, of each node.")
          .measured()
          .defaulted("scatter", ratio_rule({.low = 0.0, .high = 10.0}), &HostStage::scatter,
                     "Coefficient of variation of a request's work, which is gamma distributed.")
          .measured();
  return shape;
}

const Shape<Attachment>& attachment_shape() {
  static const Shape<Attachment> shape =
      Shape<Attachment>("attachment",
                        "How the devices of worker nodes are reached: over the bus of the node, not over a network.")
          .required("bus", bandwidth_rule({.low = "1 bps", .high = "1000 Tbps", .usual = "GB/s"}), &Attachment::bus,
                    "\"12 GB/s\"", "Bandwidth of each node's bus, in each direction.")
          .measured()
          .defaulted("latency", duration_rule({.low = "0 s", .high = "1 s", .usual = "us"}), &Attachment::latency,
                     "Of the bus, one way.")
          .measured();
  return shape;
}

const Shape<Server>& server_shape() {
  const auto host_price = [](Server& server) { return std::tie(server.host_price, server.host_price_origin); };
  static const Shape<Server> shape =
      Shape<Server>(
          "server",
          "A pool of equal nodes. A node has one queue for each of its models, which the model's instances on all its "
          "devices draw from; with `dispatch` of its devices one for each device.")
          .required("name", name_rule(), &Server::name, "\"gke\"", "Unique among the servers.")
          .unchosen()
          .required("site", name_rule(), &Server::site, "\"iowa\"", "Where the nodes stand; links join sites.")
          .defaulted("nodes", count_rule(0, 1'000'000'000), &Server::nodes,
                     "Number of nodes. 0: as if the server were not there, which is what `--gpus NAME=0:4` may choose.")
          .searched(SearchStart::up_to_16)
          .optional("nic", bandwidth_rule({.low = "1 bps", .high = "1000 Tbps", .usual = "Gbps"}), &Server::nic,
                    "no limit", "Bandwidth of each node's network card, in each direction.")
          .measured()
          .optional("host", host_stage_shape().rule(), &Server::host, "handling requests costs nothing",
                    "The stage that every request passes before its queue; all devices of the node have it in common.")
          .optional("batch_workers", number_rule({.low = 1.0, .high = 1e6}), &Server::batch_workers,
                    "host parts of batches overlap",
                    "Workers of each node that share the host parts of batches, of all models and instances, equally; "
                    "none is faster than one worker. For code that holds cores or a lock, unlike copies.")
          .required("devices", device_pool_shape().rule(), &Server::devices, "{ \"type\": \"t4\", \"count\": 4 }",
                    "The devices of each node.")
          .unspoken()
          .required("models", list_of(name_rule(), 1, 1000), &Server::models, "[\"emtrk\"]",
                    "Models that the server holds, from `models`.")
          .defaulted(
              "dispatch",
              choice_rule<Dispatch>({{"round_robin", Dispatch::round_robin},
                                     {"random", Dispatch::random},
                                     {"least_outstanding", Dispatch::least_outstanding},
                                     {"power_of_two", Dispatch::power_of_two}}),
              &Server::dispatch,
              "How requests, or connections, are spread over the nodes of all servers that hold the model: in "
              "turn; at random; to the node with the fewest unanswered requests (of all models that just the same "
              "nodes hold, where each request is sent anew), one of them at random on a tie; to the better of two "
              "nodes drawn at random, with replacement as Envoy draws them.")
          .defaulted(
              "balancing",
              choice_rule<Balancing>({{"per_request", Balancing::per_request},
                                      {"per_connection", Balancing::per_connection},
                                      {"per_sequence", Balancing::per_sequence},
                                      {"central_queue", Balancing::central_queue}}),
              &Server::balancing,
              "When the node is chosen: for every request; once for every stream of a job, which keeps its "
              "connection, as gRPC behind a layer-4 balancer does; for every sequence of a model that keeps state, as "
              "Envoy does for each gRPC stream; or when an instance anywhere is free, from one queue that all nodes "
              "share (an ideal that no dispatch reaches).")
          .optional("attached", attachment_shape().rule(), &Server::attached, "requests arrive over the network",
                    "The nodes are worker nodes: the jobs of the same site run on them, each stream on one of them, "
                    "dealt out in turn (`per_connection`, `round_robin`), and call the devices of their own node.")
          .optional("host_price", rent_rule(), host_price, "not known, or contained in that of the devices",
                    "Price of one node for an hour, without its devices.")
          .costed()
          .defaulted(
              "standby", flag_rule(), &Server::standby,
              "True: only stages that name it, in `servers` or as their `fallback`, ask it; balancers and formulas "
              "leave it out.")
          .optional("failures", failure_shape().rule(), &Server::failures, "they never break",
                    "How often each node breaks. What it was sent, and what waits there, is lost.")
          .defaulted(
              "start_up", time_rule("s"), &Server::start_up,
              "Time that a node takes to start, after a repair or when an autoscaler adds it, before it loads its "
              "models (`load_time`): until it is found, scheduled, has its image, and is ready.")
          .measured()
          .optional("autoscaler", autoscaler_rule(), &Server::autoscaler, "there are always as many nodes",
                    "Nodes follow the load; `nodes` are those in service when a run begins.")
          .unspoken()
          .optional("sag", sag_shape().rule(), &Server::sag, "nodes are as fast, however much waits there",
                    "How its nodes slow down with the requests that are there.")
          .optional("rate_limit", rate_limit_shape().rule(), &Server::rate_limit, "every request is let in",
                    "How many requests are let in.")
          .optional("admission", admission_rule(), &Server::admission, "every job is let in",
                    "Which jobs are let in, by the load that their first call meets.")
          .unspoken()
          .finish([](Server& server, const Spot& spot, ComplaintList&) {
            if (server.autoscaler) {
              server.autoscaler->begin = server.nodes;
              // Formulas and bounds are those of all nodes that there may be.
              server.nodes = std::max(server.nodes, server.autoscaler->most);
            }
            // A stream cannot leave its node.
            if (server.attached && spot.node.find("balancing") == nullptr) server.balancing = Balancing::per_connection;
          });
  return shape;
}

const Shape<DeviceType>& device_type_shape() {
  const auto price = [](DeviceType& type) { return std::tie(type.price, type.price_origin); };
  static const Shape<DeviceType> shape =
      Shape<DeviceType>("device type", "A kind of accelerator, with what it costs.")
          .required("kind",
                    choice_rule<ResourceKind>({{"gpu", ResourceKind::gpu},
                                               {"fpga", ResourceKind::fpga},
                                               {"ipu", ResourceKind::ipu},
                                               {"cpu", ResourceKind::cpu}}),
                    &DeviceType::kind, "\"gpu\"", "What the device is.")
          .defaulted("sharing",
                     choice_rule<DeviceSharing>({{"exclusive", DeviceSharing::exclusive},
                                                 {"processor_sharing", DeviceSharing::processor_sharing}}),
                     &DeviceType::sharing,
                     "How the device parts of several instances share a device: one after the other, first come first "
                     "served; or all at once, each at an equal share of its speed.")
          .defaulted("contention", number_rule({.low = 0.0, .high = 100.0}), &DeviceType::contention,
                     "How much longer, as a share, a device part takes while other instances use the device too; 0.1 "
                     "means 10 % longer.")
          .measured()
          .defaulted("contention_per_batch", duration_rule({.low = "0 s", .high = "1e6 s", .usual = "us"}),
                     &DeviceType::contention_per_batch,
                     "Time by which the device parts of a batch take longer besides when they find others at the "
                     "device, all its turns together; on a slice, over its share.")
          .measured()
          .optional("price", rent_rule(), price, "not known", "Price of one device for an hour, busy or not.")
          .costed()
          .optional("power", power_rule({.low = "0 W", .high = "1 MW", .usual = "W"}), &DeviceType::power, "not known",
                    "Electrical power of one device.")
          .costed()
          .optional("memory", size_rule({.low = "1 MB", .high = "100 TB", .usual = "GB"}), &DeviceType::memory,
                    "enough for any models", "Memory of one device; the instances on it, or on its slice, must fit.");
  return shape;
}

}  // namespace saturn
