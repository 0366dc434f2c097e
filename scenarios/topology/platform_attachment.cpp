#include "scenarios/topology/platform_attachment.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/text_files.hpp"
#include "scenarios/scenario_traits.hpp"
#include "scenarios/topology/simgrid_platform.hpp"

namespace saturn {

namespace {

const std::string platform_at = "/network/platform";

/// The pairs of different sites between which calls and their answers travel, each once.
std::vector<HostPair> ways_of_calls(const Scenario& scenario) {
  std::vector<HostPair> pairs;
  std::set<CallingSites> seen;
  for (const auto& [jobs, server] : calling_sites(scenario))
    for (const auto& [from, to] : {CallingSites{jobs, server}, CallingSites{server, jobs}})
      if (from != to && seen.insert({from, to}).second) pairs.push_back({from, to});
  return pairs;
}

void note_fingerprint(Document& document, const std::string& text) {
  for (Node& section : document.root.children) {
    if (section.key != "network") continue;
    Node fingerprint;
    fingerprint.kind = NodeKind::text;
    fingerprint.key = "fingerprint";
    fingerprint.text = fingerprint_of(text);
    section.children.push_back(std::move(fingerprint));
  }
}

bool is_text(const std::string& name) {
  const bool printable = std::none_of(name.begin(), name.end(), [](char c) { return c >= '\0' && c < ' '; });
  return printable && first_invalid_utf8(name) == std::string::npos;
}

/// Reads one platform file for one scenario.
class PlatformFile {
 public:
  PlatformFile(const Scenario& scenario, Document& document, std::string name, const PlatformReader& reader,
               ComplaintList& complaints)
      : scenario_(scenario), document_(document), name_(std::move(name)), reader_(reader), complaints_(complaints) {}

  /// The file's text; nothing after a complaint.
  std::optional<std::string> text() {
    if (!reader_)
      return refuse("scenario.no_platform_reader",
                    ", but platform files are read by the program saturn alone; write the network as \"links\".");
    // SimGrid takes what does not end in .xml for a program that builds the platform, and would run it.
    if (!name_.ends_with(".xml"))
      return refuse("scenario.platform_not_xml", "; the name of a SimGrid platform file ends in \".xml\"." + way_out());
    std::string text;
    if (const std::optional<FileFault> fault = read_regular_file(name_, largest_platform_file, text))
      return refuse(fault->code, fault->text + way_out());
    if (first_invalid_utf8(text) != std::string::npos)
      return refuse("scenario.not_utf8", ", which is not UTF-8 text; save it in that encoding.");
    if (!accept_text(text)) return std::nullopt;
    return text;
  }

  /// The platform with the routes of all calls; nothing after a complaint.
  std::optional<PlatformNetwork> network() {
    const auto whole = reader_(name_, {});
    if (const auto* fault = std::get_if<std::string>(&whole)) return refuse_fault(*fault);
    if (!hosts_exist(std::get<PlatformNetwork>(whole).hosts)) return std::nullopt;
    const std::vector<HostPair> pairs = ways_of_calls(scenario_);
    auto read = reader_(name_, pairs);
    if (std::holds_alternative<std::string>(read)) {
      refuse_pairs(pairs, std::get<std::string>(read));
      return std::nullopt;
    }
    auto& network = std::get<PlatformNetwork>(read);
    if (!check_links(network) || !check_routes(network)) return std::nullopt;
    return std::move(network);
  }

 private:
  static std::string way_out() { return " Name a SimGrid platform file, relative to this file."; }

  std::nullopt_t refuse(const char* code, const std::string& text) {
    complaints_.refuse(document_.nearest(platform_at).place, platform_at, code,
                       platform_at + " names " + shown(name_) + text);
    return std::nullopt;
  }
  /// Before SimGrid sees the file: it does what such a file tells it to.
  bool accept_text(const std::string& text) {
    const std::vector<PlatformTextFault> faults = platform_text_faults(text);
    if (faults.empty()) return true;
    document_.sources.push_back({.name = name_, .text = text});
    for (const PlatformTextFault& fault : faults)
      complaints_.refuse({document_.sources.size() - 1, fault.offset}, platform_at, fault.code, fault.text);
    return false;
  }

  std::nullopt_t refuse_fault(const std::string& fault) {
    return refuse("scenario.unusable_platform", ", which cannot be used: " + fault + (fault.ends_with('.') ? "" : ".") +
                                                    " Correct the file, or describe the network with \"links\".");
  }

  /// A fault of all pairs together is about the first of them that has one; the user wants to know all.
  void refuse_pairs(const std::vector<HostPair>& pairs, const std::string& first) {
    refuse_fault(first);
    for (const HostPair& pair : pairs) {
      if (complaints_.full()) return;
      const auto alone = reader_(name_, {pair});
      if (const auto* fault = std::get_if<std::string>(&alone)) refuse_fault(*fault);
    }
  }

  bool hosts_exist(const std::vector<std::string>& hosts) {
    bool exist = true;
    const auto check = [&](const std::string& site, const std::string& pointer) {
      if (!complaints_.sound(pointer) || std::binary_search(hosts.begin(), hosts.end(), site)) return;
      exist = false;
      const std::string hint =
          hosts.empty() ? "It has no hosts at all." : name_meant(site, hosts, "Did you mean", "It has");
      complaints_.refuse(document_.nearest(pointer).place, pointer, "scenario.unknown_host",
                         pointer + " is " + shown(site) + ", but the platform file " + shown(name_) +
                             " has no host of that name; sites are its hosts. " + hint);
    };
    for (std::size_t i = 0; i < scenario_.jobs.size(); ++i)
      check(scenario_.jobs[i].site, "/jobs/" + std::to_string(i) + "/site");
    for (std::size_t i = 0; i < scenario_.servers.size(); ++i)
      check(scenario_.servers[i].site, "/servers/" + std::to_string(i) + "/site");
    return exist;
  }

  bool check_links(const PlatformNetwork& network) {
    constexpr double least = 0.125;
    constexpr double most = 125e12;
    bool sound = true;
    for (const PlatformLink& link : network.links) {
      if (!is_text(link.name)) {
        sound = false;
        refuse("scenario.platform_out_of_range", ", where the name of the link " + shown(link.name) +
                                                     " is not plain text in UTF-8; give it another name.");
      }
      if (link.bandwidth.value >= least && link.bandwidth.value <= most) continue;
      sound = false;
      refuse("scenario.platform_out_of_range", ", where the link " + shown(link.name) + " has a bandwidth of " +
                                                   significant(link.bandwidth.value, 6) +
                                                   " B/s; allowed is 1 bps to 1000 Tbps, as for \"links\".");
    }
    return sound;
  }

  bool check_routes(const PlatformNetwork& network) {
    constexpr double longest_s = 1800.0;
    bool sound = true;
    for (const PlatformRoute& route : network.routes) {
      if (route.latency.value >= 0.0 && route.latency.value <= longest_s) continue;
      sound = false;
      refuse("scenario.platform_out_of_range", ", where the way from " + shown(route.from) + " to " + shown(route.to) +
                                                   " has a latency of " + significant(route.latency.value, 6) +
                                                   " s; allowed is 0 s to 30 min.");
    }
    return sound;
  }

  const Scenario& scenario_;
  Document& document_;
  std::string name_;
  const PlatformReader& reader_;
  ComplaintList& complaints_;
};

}  // namespace

void attach_platform(Scenario& scenario, Document& document, const std::filesystem::path& folder,
                     const PlatformReader& reader, ComplaintList& complaints) {
  if (!scenario.platform_file || !complaints.sound(platform_at)) return;
  PlatformFile file(scenario, document, (folder / *scenario.platform_file).string(), reader, complaints);
  const std::optional<std::string> text = file.text();
  if (!text) return;
  scenario.platform = file.network();
  note_fingerprint(document, *text);
}

}  // namespace saturn
