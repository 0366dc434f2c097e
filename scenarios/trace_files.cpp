#include "scenarios/trace_files.hpp"

#include <map>
#include <memory>
#include <string>

#include "scenarios/arrival_trace.hpp"
#include "scenarios/regular_file.hpp"

namespace saturn {

namespace {

using Traces = std::map<std::string, std::shared_ptr<const RecordedDates>>;

/// Nothing after a complaint.
std::shared_ptr<const RecordedDates> read_trace(const std::string& name, const Node& path, const std::string& pointer,
                                                Document& document, ComplaintList& complaints) {
  std::string text;
  if (const std::optional<FileFault> fault = read_regular_file(name, largest_trace_file, text)) {
    complaints.refuse(path.place, pointer, fault->code,
                      pointer + " names " + shown(name) + fault->text +
                          " Name a CSV file with the dates of the arrivals, relative to this file.");
    return nullptr;
  }
  ParsedTrace parsed = parse_arrival_trace(text);
  if (parsed.faults.empty()) return std::make_shared<const RecordedDates>(std::move(parsed.recorded));
  const std::size_t source = document.sources.size();
  document.sources.push_back({name, std::move(text), true});
  for (const SyntaxFault& fault : parsed.faults)
    complaints.refuse({source, fault.offset}, pointer, fault.code, fault.text);
  return nullptr;
}

Node* child(Node* parent, std::string_view key) {
  if (parent == nullptr) return nullptr;
  const Node* found = child_of(*parent, key);
  return found == nullptr ? nullptr : &parent->children[static_cast<std::size_t>(found - parent->children.data())];
}

void note_fingerprint(Node& arrivals, const RecordedDates& recorded) {
  Node fingerprint;
  fingerprint.kind = NodeKind::text;
  fingerprint.key = "fingerprint";
  fingerprint.text = recorded.fingerprint;
  arrivals.children.push_back(std::move(fingerprint));
}

}  // namespace

void attach_traces(Scenario& scenario, Document& document, const std::filesystem::path& folder,
                   ComplaintList& complaints) {
  Traces known;
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    auto* law = scenario.jobs[j].arrivals ? std::get_if<TraceArrivals>(&*scenario.jobs[j].arrivals) : nullptr;
    const std::string pointer = "/jobs/" + std::to_string(j) + "/arrivals";
    if (law == nullptr || !complaints.sound(pointer)) continue;
    Node* arrivals = child(child(child(&document.root, "jobs"), std::to_string(j)), "arrivals");
    const Node* path = child(arrivals, "trace");
    const std::string name = (folder / law->file).string();
    const auto [entry, is_new] = known.try_emplace(name);
    if (is_new) entry->second = read_trace(name, *path, pointer + "/trace", document, complaints);
    if (entry->second == nullptr) {
      complaints.distrust(pointer);
      continue;
    }
    law->recorded = entry->second;
    note_fingerprint(*arrivals, *law->recorded);
  }
}

}  // namespace saturn
