#include "scenarios/topology/simgrid_platform.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <expat.h>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/fields/quantity_text.hpp"

namespace saturn {

namespace {

/// SimGrid reads an int. Numbers go on as double: products of a few of them overflow no double.
std::optional<double> whole_number(std::string_view text) {
  text = trimmed(text, " ");
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

std::optional<std::vector<double>> whole_numbers(std::string_view text) {
  std::vector<double> numbers;
  for (const std::string_view piece : split_at(text, ',')) {
    const std::optional<double> number = whole_number(piece);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

/// Lists separated by semicolons.
std::optional<std::vector<std::vector<double>>> lists_of_numbers(std::string_view text) {
  std::vector<std::vector<double>> lists;
  for (const std::string_view piece : split_at(text, ';')) {
    std::optional<std::vector<double>> list = whole_numbers(piece);
    if (!list) return std::nullopt;
    lists.push_back(std::move(*list));
  }
  return lists;
}

double product_of(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 1.0, std::multiplies<>());
}

/// A host, its loopback and a link to the next one in each dimension.
double parts_of_torus(const std::vector<double>& sizes) {
  return product_of(sizes) * (2.0 + static_cast<double>(sizes.size()));
}

std::optional<double> parts_of_fat_tree(const std::vector<std::vector<double>>& lists) {
  if (lists.size() != 4 || lists[0].size() != 1) return std::nullopt;
  const std::vector<double>& below = lists[1];
  const std::vector<double>& above = lists[2];
  const std::vector<double>& cables = lists[3];
  for (const std::vector<double>* list : {&below, &above, &cables})
    if (static_cast<double>(list->size()) != lists[0][0]) return std::nullopt;
  // Of a level there are as many as the levels up to it multiply, and the levels above it divide, the hosts.
  double of_level = product_of(below);
  double parts = 2.0 * of_level;
  for (std::size_t level = 0; level < below.size(); ++level) {
    parts += of_level * above[level] * cables[level];
    if (below[level] > 0.0) of_level *= above[level] / below[level];
    parts += of_level;
  }
  return parts;
}

std::optional<double> parts_of_dragonfly(const std::vector<std::vector<double>>& lists) {
  if (lists.size() != 4 || lists[3].size() != 1) return std::nullopt;
  for (std::size_t i = 0; i < 3; ++i)
    if (lists[i].size() != 2) return std::nullopt;
  const double groups = lists[0][0];
  const double chassis = lists[1][0];
  const double blades = lists[2][0];
  const double routers = groups * chassis * blades;
  const double cables = groups * groups + groups * chassis * blades * (blades + chassis);
  return routers * (1.0 + 3.0 * lists[3][0]) + cables;
}

}  // namespace

std::optional<double> hosts_of_radical(std::string_view radical) {
  double hosts = 0.0;
  for (const std::string_view range : split_at(radical, ',')) {
    const std::vector<std::string_view> ends = split_at(range, '-');
    const std::optional<double> first = whole_number(ends.front());
    const std::optional<double> last = whole_number(ends.back());
    if (ends.size() > 2 || !first || !last) return std::nullopt;
    if (*last >= *first) hosts += *last - *first + 1.0;
  }
  return hosts;
}

std::optional<double> parts_of_topology(std::string_view topology, std::string_view parameters) {
  if (topology == "FLAT") return 0.0;
  const auto lists = lists_of_numbers(parameters);
  if (!lists) return std::nullopt;
  if (topology == "TORUS" && lists->size() == 1) return parts_of_torus(lists->front());
  if (topology == "FAT_TREE") return parts_of_fat_tree(*lists);
  if (topology == "DRAGONFLY") return parts_of_dragonfly(*lists);
  return std::nullopt;
}

std::string form_of_topology(std::string_view topology) {
  if (topology == "TORUS") return "sizes in each dimension, \"4,4,2\"";
  if (topology == "FAT_TREE") return "levels; nodes below, nodes above and cables of each, \"2;4,4;1,2;1,2\"";
  if (topology == "DRAGONFLY") return "groups, chassis and routers, each with its cables; hosts, \"3,4;4,3;5,1;2\"";
  return "a topology FLAT, TORUS, FAT_TREE or DRAGONFLY";
}

namespace {

constexpr std::size_t most_platform_faults = 50;

// What SimGrid makes an object of counts; the rest is about such objects.
constexpr std::array<std::string_view, 10> counted_elements{"zone", "AS",     "cluster",  "cabinet", "peer",
                                                            "host", "router", "backbone", "link",    "host_link"};
constexpr std::array<std::string_view, 10> other_elements{"platform",        "disk",         "prop",    "link_ctn",
                                                          "route",           "zoneRoute",    "ASroute", "bypassRoute",
                                                          "bypassZoneRoute", "bypassASroute"};

/// What an element that is refused makes SimGrid do.
struct RefusedElement {
  std::string_view name;
  std::string_view deed;
};

constexpr std::array<RefusedElement, 7> refused_elements{{
    {"config", "sets options of SimGrid itself, which may write files"},
    {"include", "reads another file"},
    {"trace", "changes hosts or links in the course of a simulation, perhaps by another file"},
    {"trace_connect", "changes hosts or links in the course of a simulation"},
    {"actor", "starts an actor in the simulation"},
    {"process", "starts an actor in the simulation"},
    {"random", "sets up a generator of SimGrid's"},
}};

std::string deed_of(std::string_view element) {
  for (const RefusedElement& refused : refused_elements)
    if (refused.name == element) return std::string(refused.deed);
  return "is not known to describe a network";
}

template <std::size_t N>
bool is_among(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Reads a platform file's elements with expat, which SimGrid's own scanner must not be asked to do first.
class PlatformText {
 public:
  explicit PlatformText(const std::string& text) : text_(text), parser_(XML_ParserCreate(nullptr), XML_ParserFree) {
    if (!parser_) throw std::bad_alloc();
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(parser_.get(), begin_element, end_element);
    XML_SetStartDoctypeDeclHandler(parser_.get(), [](void* self, auto, auto, auto, int has_declarations) {
      if (has_declarations != 0)
        of(self).refuse_form("declares elements or entities of its own in its DOCTYPE", "leave the part in [ ] out");
    });
    XML_SetStartCdataSectionHandler(parser_.get(),
                                    [](void* self) { of(self).refuse_form("has a CDATA section", "leave it out"); });
    XML_SetProcessingInstructionHandler(parser_.get(), [](void* self, auto, auto) {
      of(self).refuse_form("has a processing instruction", "leave it out");
    });
  }

  std::vector<PlatformTextFault> faults() {
    // Only the end of the text is passed as such, so that texts beyond an int are no matter.
    constexpr std::size_t piece = std::size_t{1} << 20U;
    XML_Status status = XML_STATUS_OK;
    for (std::size_t at = 0; status == XML_STATUS_OK; at += piece) {
      const std::size_t count = std::min(piece, text_.size() - at);
      status = XML_Parse(parser_.get(), text_.data() + at, static_cast<int>(count), at + count == text_.size());
      if (at + count == text_.size()) break;
    }
    if (status != XML_STATUS_OK && XML_GetErrorCode(parser_.get()) != XML_ERROR_ABORTED)
      refuse("scenario.platform_syntax",
             std::string("is no XML: ") + XML_ErrorString(XML_GetErrorCode(parser_.get())) + ". Correct the file.");
    return std::move(faults_);
  }

 private:
  static PlatformText& of(void* self) { return *static_cast<PlatformText*>(self); }

  static void begin_element(void* self, const char* name, const char** attributes) { of(self).begin(name, attributes); }
  static void end_element(void* self, const char*) {
    if (of(self).inside_refused_ > 0) --of(self).inside_refused_;
  }

  void refuse(const char* code, std::string text) {
    const auto at = std::max<std::int64_t>(0, XML_GetCurrentByteIndex(parser_.get()));
    faults_.push_back({static_cast<std::size_t>(at), code, "The platform file " + std::move(text)});
    if (faults_.size() == most_platform_faults) XML_StopParser(parser_.get(), XML_FALSE);
  }

  /// Nothing after it can be trusted to mean the same to SimGrid.
  void refuse_form(const std::string& what, const std::string& way_out) {
    refuse("scenario.platform_not_plain", what + ", which readers of XML take in different ways; " + way_out + ".");
    XML_StopParser(parser_.get(), XML_FALSE);
  }

  void begin(std::string_view name, const char** attributes) {
    if (inside_refused_ > 0) {
      ++inside_refused_;
      return;
    }
    if (!is_among(counted_elements, name) && !is_among(other_elements, name)) {
      inside_refused_ = 1;
      refuse("scenario.platform_element",
             "has the element <" + std::string(name) + ">, which " + deed_of(name) +
                 "; only hosts, links, routes, and zones, clusters and peers of them are read. Leave it out.");
      return;
    }
    refuse_references();
    Cluster cluster;
    for (; *attributes != nullptr; attributes += 2) look_at(name, attributes[0], attributes[1], cluster);
    count(name, cluster);
  }

  struct Cluster {
    std::string_view radical{};
    std::string_view topology = "FLAT";
    std::string_view parameters{};
  };

  void look_at(std::string_view element, std::string_view attribute, std::string_view value, Cluster& cluster) {
    if (attribute.ends_with("_file"))
      refuse("scenario.platform_reads_file",
             "gives <" + std::string(element) + "> the profile " + std::string(attribute) + "=" + shown(value) +
                 ", another file that SimGrid would read; hosts and links do not change here. Leave it out.");
    if (attribute == "radical") cluster.radical = value;
    if (attribute == "topology") cluster.topology = value;
    if (attribute == "topo_parameters") cluster.parameters = value;
  }

  /// A reference to an entity that only a document type defines is nothing to one reader and something to another.
  void refuse_references() {
    const auto begin = static_cast<std::size_t>(std::max<std::int64_t>(0, XML_GetCurrentByteIndex(parser_.get())));
    const auto bytes = static_cast<std::size_t>(std::max(0, XML_GetCurrentByteCount(parser_.get())));
    const std::string_view tag = std::string_view(text_).substr(std::min(begin, text_.size()), bytes);
    for (std::size_t at = tag.find('&'); at != std::string_view::npos; at = tag.find('&', at + 1)) {
      const std::string_view name = tag.substr(at + 1, tag.find(';', at) - at - 1);
      if (name == "amp" || name == "lt" || name == "gt" || name == "quot" || name == "apos") continue;
      refuse_form("has the reference " + shown("&" + std::string(name) + ";"), "write the character itself");
      return;
    }
  }

  void count(std::string_view element, const Cluster& cluster) {
    double parts = is_among(counted_elements, element) ? 1.0 : 0.0;
    if (element == "cluster" || element == "cabinet") {
      const std::optional<double> hosts = hosts_of_radical(cluster.radical);
      const std::optional<double> nodes = parts_of_topology(cluster.topology, cluster.parameters);
      if (!hosts)
        refuse("scenario.platform_cluster_size",
               "has a <" + std::string(element) + "> of radical " + shown(cluster.radical) +
                   "; a radical numbers hosts by ranges of whole numbers, \"0-99,200\". Correct it.");
      if (!nodes)
        refuse("scenario.platform_cluster_size",
               "has a <cluster> of topology " + shown(cluster.topology) + " with topo_parameters " +
                   shown(cluster.parameters) + "; needed is " + form_of_topology(cluster.topology) + ". Correct it.");
      // A host of a flat cluster has a link, and may have a loopback and a limiter.
      parts = 4.0 * hosts.value_or(0.0) + nodes.value_or(0.0);
    }
    const double before = parts_;
    parts_ += parts;
    if (parts_ <= most_platform_parts || before > most_platform_parts) return;
    refuse("scenario.platform_too_large",
           "reaches " + shortest(parts_) + " hosts, routers, links and zones at <" + std::string(element) +
               ">; allowed are " + shortest(most_platform_parts) +
               ". Keep the hosts that are sites here: one host may stand for a whole farm.");
  }

  const std::string& text_;
  std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser_;
  std::vector<PlatformTextFault> faults_{};
  std::size_t inside_refused_ = 0;
  double parts_ = 0.0;
};

}  // namespace

std::vector<PlatformTextFault> platform_text_faults(const std::string& text) {
  return PlatformText(text).faults();
}

const PlatformRoute& platform_route(const PlatformNetwork& platform, const std::string& from, const std::string& to) {
  const auto found = std::find_if(platform.routes.begin(), platform.routes.end(),
                                  [&](const PlatformRoute& route) { return route.from == from && route.to == to; });
  if (found == platform.routes.end())
    throw std::invalid_argument("platform_route: the platform has no route from " + from + " to " + to);
  return *found;
}

std::vector<std::size_t> contended_links(const PlatformNetwork& platform, const PlatformRoute& route) {
  std::vector<std::size_t> contended;
  for (const std::size_t link : route.links) {
    if (platform.links[link].sharing == LinkSharing::fatpipe) continue;
    if (std::find(contended.begin(), contended.end(), link) == contended.end()) contended.push_back(link);
  }
  return contended;
}

Bandwidth least_bandwidth(const PlatformNetwork& platform, const PlatformRoute& route) {
  Bandwidth least{std::numeric_limits<double>::infinity()};
  for (const std::size_t link : route.links) least = std::min(least, platform.links[link].bandwidth);
  return least;
}

}  // namespace saturn
