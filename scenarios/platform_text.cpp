#include "scenarios/platform_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <expat.h>
#include <memory>
#include <optional>
#include <string_view>

#include "models/words/numbers.hpp"
#include "scenarios/cluster_size.hpp"
#include "scenarios/document.hpp"
#include "scenarios/quantity_text.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_faults = 50;

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
    if (faults_.size() == most_faults) XML_StopParser(parser_.get(), XML_FALSE);
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

}  // namespace saturn
