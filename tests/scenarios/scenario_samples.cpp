#include "tests/scenarios/scenario_samples.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace saturn::tests {

std::string sound_scenario() {
  return R"({
  "schema": "saturn-scenario/1",
  "jobs": [
    {
      "name": "reco", "site": "fnal", "count": 268,
      "event": [
        { "cpu": "110 s" },
        { "cpu": "7 s", "part_of": "emtrk" },
        { "infer": "emtrk", "items": 55000, "request_batch": 1719 }
      ]
    }
  ],
  "models": {
    "emtrk": {
      "input": "9216 B", "max_batch_size": 65536,
      "service": { "t4": { "per_item": "32.2 us" } }
    }
  },
  "servers": [
    { "name": "gke", "site": "iowa", "devices": { "type": "t4", "count": 4 }, "models": ["emtrk"] }
  ],
  "devices": { "t4": { "kind": "gpu" } },
  "network": {
    "links": [{ "between": ["fnal", "iowa"], "bandwidth": "100 Gbps", "rtt": "11.8 ms" }]
  },
  "run": { "seed": 42 }
}
)";
}

std::string sound_scenario_with(const std::string& piece, const std::string& replacement) {
  std::string text = sound_scenario();
  const std::size_t at = text.find(piece);
  if (at == std::string::npos) throw std::logic_error("the sound scenario has no " + piece);
  return text.replace(at, piece.size(), replacement);
}

std::vector<Complaint> complaints_about(const std::string& text, const std::vector<Override>& overrides) {
  try {
    read_scenario_text(text, "s.json", overrides);
  } catch (const InputError& error) {
    return error.complaints();
  }
  return {};
}

std::string place_of(const std::string& text, const std::string& piece, std::size_t skipped) {
  const std::size_t at = text.find(piece);
  if (at == std::string::npos) throw std::logic_error("the text has no " + piece);
  std::size_t line = 1;
  std::size_t column = 1;
  for (std::size_t i = 0; i < at + skipped; ++i) {
    column = text[i] == '\n' ? 1 : column + 1;
    line += text[i] == '\n' ? 1U : 0U;
  }
  return std::to_string(line) + ":" + std::to_string(column);
}

std::string places_and_codes(const std::vector<Complaint>& complaints) {
  std::string text;
  for (const Complaint& c : complaints)
    text += (text.empty() ? "" : "\n") + std::to_string(c.line) + ":" + std::to_string(c.column) + " " + c.code;
  return text;
}

std::string batching_scenario() {
  return R"({
  "schema": "saturn-scenario/1",
  "jobs": [
    { "name": "reco", "site": "fnal", "count": 10,
      "event": [{ "infer": "chain", "items": 32 }, { "infer": "tag", "items": 32, "request_batch": 8 }] }
  ],
  "models": {
    "chain": { "input": "1 kB", "max_batch_size": 32, "ensemble": ["clean", "tag"] },
    "clean": { "input": "1 kB", "max_batch_size": 64, "service": { "t4": { "per_item": "10 us" } } },
    "tag": { "input": "1 kB", "max_batch_size": 64, "service": { "t4": { "per_item": "20 us" } } }
  },
  "servers": [
    { "name": "gke", "site": "fnal", "devices": { "type": "t4", "count": 4 }, "models": ["chain", "clean", "tag"] }
  ],
  "devices": { "t4": { "kind": "gpu" } }
}
)";
}

ReadScenario sound_with(const std::vector<Override>& changes, const std::string& path) {
  return read_scenario_text(sound_scenario(), path, changes);
}

ReadScenario batching_with(const std::vector<Override>& changes, const std::string& path) {
  return read_scenario_text(batching_scenario(), path, changes);
}

std::variant<PlatformNetwork, std::string> KnownPlatform::operator()(const std::string& /*path*/,
                                                                     const std::vector<HostPair>& pairs) const {
  if (!fault.empty()) return fault;
  PlatformNetwork network{.hosts = hosts, .links = {link}, .routes = {}};
  for (const HostPair& pair : pairs) {
    if (faults.contains(pair.from)) return faults.at(pair.from);
    network.routes.push_back({.from = pair.from, .to = pair.to, .links = {0}, .latency = latency});
  }
  std::sort(network.hosts.begin(), network.hosts.end());
  return network;
}

ScratchFolder::ScratchFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "saturn-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
  folder_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string ScratchFolder::write(const std::string& name, const std::string& text) const {
  std::ofstream(folder_ / name, std::ios::binary) << text;
  return path(name);
}

}  // namespace saturn::tests
