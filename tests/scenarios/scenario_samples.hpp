#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "scenarios/read_scenario.hpp"

namespace saturn::tests {

/// A small scenario without a mistake; line by line known, so that tests can name places in it.
std::string sound_scenario();

/// The sound scenario with the first occurrence of a piece of its text replaced. The piece must occur.
std::string sound_scenario_with(const std::string& piece, const std::string& replacement);

/// Reads a text under the name "s.json" and gives the complaints; none when it is read.
std::vector<Complaint> complaints_about(const std::string& text, const std::vector<Override>& overrides = {});

/// The sound scenario with two small models more, "clean" and "tag", whose batches may have 64 items and take time on a
/// t4, an ensemble "chain" of the two, all on the server, and calls of the ensemble and of "tag".
std::string batching_scenario();

/// Reads one of the two with changes. @param path  of the text, whose folder holds the files that the changes name
ReadScenario sound_with(const std::vector<Override>& changes, const std::string& path = "s.json");
ReadScenario batching_with(const std::vector<Override>& changes, const std::string& path = "s.json");

/// What a SimGrid platform would be: hosts, and a link or a fault for some pairs of them.
struct KnownPlatform {
  std::vector<std::string> hosts{"fnal", "iowa", "cern"};
  PlatformLink link{.name = "wan", .bandwidth = Bandwidth{1.25e9}};
  Seconds latency{0.0059};
  std::string fault{};                          ///< of the whole file
  std::map<std::string, std::string> faults{};  ///< by the host from which a route leads

  std::variant<PlatformNetwork, std::string> operator()(const std::string& path,
                                                        const std::vector<HostPair>& pairs) const;
};

/// A folder of its own that is removed with its files.
class ScratchFolder {
 public:
  ScratchFolder();
  /// With one file in it.
  ScratchFolder(const std::string& name, const std::string& text) : ScratchFolder() { write(name, text); }
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  /// Writes a file and gives its path.
  std::string write(const std::string& name, const std::string& text) const;
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

/// "line:column" of the first occurrence of a piece of a text, counted here and not by the reader; the piece must
/// occur.
/// @param skipped  characters of the piece before the place that is meant
std::string place_of(const std::string& text, const std::string& piece, std::size_t skipped = 0);

/// "line:column code" of each complaint, one a line, without a final newline.
std::string places_and_codes(const std::vector<Complaint>& complaints);

}  // namespace saturn::tests
