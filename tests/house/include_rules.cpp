#include "tests/house/include_rules.hpp"

#include <algorithm>
#include <regex>

namespace saturn::house {

namespace {

struct Room {
  std::string folder;
  std::vector<std::string> may_include;         ///< folders, or single headers, besides itself
  std::vector<std::string> third_party;         ///< beginnings of headers, allowed everywhere in the folder
  std::vector<std::string> third_party_in_cpp;  ///< the same, in .cpp files alone
};

const std::vector<Room>& rooms() {
  static const std::vector<Room> all{
      {"models/", {}, {"Eigen/", "Random123/"}, {"boost/math/", "openssl/", "fmt/"}},
      {"scenarios/", {"models/"}, {}, {"nlohmann/", "google/protobuf/", "muParser.h", "expat.h"}},
      {"calibration/", {"models/", "scenarios/"}, {}, {"Eigen/", "boost/", "nlohmann/", "sqlite3.h"}},
      {"sim/engine/", {"models/", "scenarios/"}, {"simgrid/", "xbt/"}, {}},
      {"sim/run/",
       {"models/", "scenarios/", "sim/engine/simulate.hpp", "sim/engine/run_size.hpp", "sim/engine/platform_file.hpp"},
       {"sys/", "unistd.h", "fcntl.h", "poll.h", "sched.h", "signal.h", "cxxabi.h", "gcov.h"},
       {}},
      {"sim/sweep/",
       {"models/", "scenarios/", "sim/run/signal_watch.hpp", "sim/run/usable_cores.hpp"},
       {"sys/", "unistd.h", "fcntl.h", "poll.h", "signal.h", "gcov.h"},
       {"nlohmann/"}},
      {"sim/plan/", {"models/", "scenarios/"}, {}, {}},
      {"sim/cli/",
       {"models/", "scenarios/", "calibration/", "sim/", "reports/"},
       {"CLI/", "unistd.h", "fcntl.h", "sys/ioctl.h"},
       {}},
      {"reports/",
       {"models/", "scenarios/", "calibration/", "sim/plan/", "sim/run/", "sim/sweep/"},
       {},
       {"nlohmann/", "sqlite3.h"}},
  };
  return all;
}

bool starts_with_any(const std::string& text, const std::vector<std::string>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](const std::string& beginning) { return text.starts_with(beginning); });
}

// A header of the standard library has neither a folder nor an ending.
bool is_standard(const std::string& header) {
  return header.find_first_of("/.") == std::string::npos;
}

}  // namespace

std::vector<std::string> broken_include_rules(const SourceFile& file) {
  std::vector<std::string> broken;
  const auto room =
      std::find_if(rooms().begin(), rooms().end(), [&](const Room& one) { return file.path.starts_with(one.folder); });
  if (room == rooms().end()) return broken;
  const bool is_cpp = file.path.ends_with(".cpp");
  static const std::regex include(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    std::smatch match;
    if (!std::regex_search(file.lines[i], match, include)) continue;
    const std::string header = match[2];
    const std::string where = file.path + ":" + std::to_string(i + 1) + ": ";
    if (match[1] == "\"") {
      if (header.find('/') == std::string::npos) {
        broken.push_back(where + "\"" + header + "\" is not named from the root");
      } else if (!header.starts_with(room->folder) && !starts_with_any(header, room->may_include)) {
        broken.push_back(where + room->folder + " may not include \"" + header + "\": arrows never turn back");
      }
    } else if (!is_standard(header) && !starts_with_any(header, room->third_party)) {
      if (!starts_with_any(header, room->third_party_in_cpp)) {
        broken.push_back(where + "<" + header + "> does not belong into " + room->folder);
      } else if (!is_cpp) {
        broken.push_back(where + "<" + header + "> belongs into .cpp files of " + room->folder + " alone");
      }
    }
  }
  return broken;
}

}  // namespace saturn::house
