#include "tests/house/include_rules.hpp"

#include <algorithm>
#include <regex>

namespace saturn::house {

namespace {

struct Room {
  std::string folder;
  std::vector<std::string> may_include;  ///< folders, or single headers, besides itself
};

const std::vector<Room>& rooms() {
  static const std::vector<Room> all{
      {"models/", {}},
      {"scenarios/", {"models/"}},
      {"calibration/", {"models/", "scenarios/"}},
      {"sim/engine/", {"models/", "scenarios/"}},
      {"sim/run/",
       {"models/", "scenarios/", "sim/engine/simulate.hpp", "sim/engine/run_size.hpp", "sim/engine/platform_file.hpp"}},
      {"sim/sweep/", {"models/", "scenarios/", "sim/run/signal_watch.hpp", "sim/run/usable_cores.hpp"}},
      {"sim/plan/", {"models/", "scenarios/"}},
      {"sim/cli/", {"models/", "scenarios/", "calibration/", "sim/", "reports/"}},
      {"reports/", {"models/", "scenarios/", "calibration/", "sim/plan/", "sim/run/", "sim/sweep/"}},
  };
  return all;
}

/// A library of others, and the only files that may include it, so that no other file waits for it to compile.
struct Library {
  std::string headers;              ///< what they begin with
  std::vector<std::string> in_cpp;  ///< .cpp files, or folders of them
  std::vector<std::string> in_hpp;  ///< the few headers that cannot do without
};

const std::vector<Library>& libraries() {
  static const std::vector<Library> all{
      {"boost/", {"models/quantiles.cpp"}, {}},
      {"CLI/", {"sim/cli/verb.cpp", "sim/cli/main.cpp", "sim/cli/usage_error.cpp", "sim/cli/former_names.cpp"}, {}},
      {"Eigen/",
       {"models/column_generation.cpp", "models/parameter_draws.cpp", "models/parameter_spread.cpp",
        "calibration/fit/linear_squares.cpp"},
       {}},
      {"expat.h", {"scenarios/platform_text.cpp"}, {}},
      {"google/protobuf/", {"scenarios/triton_syntax.cpp"}, {}},
      {"muParser.h", {"scenarios/sweep_conditions.cpp"}, {}},
      {"nlohmann/", {"scenarios/", "calibration/", "sim/sweep/", "reports/"}, {}},
      {"openssl/", {"models/sha256.cpp"}, {}},
      {"Random123/", {"models/random_stream.cpp"}, {}},
      // The engine's clock is one of SimGrid's models.
      {"simgrid/", {"sim/engine/"}, {"sim/engine/simgrid_clock.hpp"}},
      {"xbt/", {"sim/engine/"}, {}},
      {"sqlite3.h", {"calibration/import/sqlite_bytes.cpp", "reports/sqlite_writer.cpp"}, {}},
  };
  return all;
}

/// Of the operating system and the compiler.
const std::vector<std::string> system_headers{"sys/",    "unistd.h", "fcntl.h",  "poll.h",
                                              "sched.h", "signal.h", "cxxabi.h", "gcov.h"};
const std::vector<std::string> system_folders{"sim/run/", "sim/sweep/", "sim/cli/"};

bool starts_with_any(const std::string& text, const std::vector<std::string>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](const std::string& beginning) { return text.starts_with(beginning); });
}

std::string listed(const std::vector<std::string>& paths) {
  std::string text;
  for (const std::string& path : paths) text += (text.empty() ? "" : ", ") + path;
  return text;
}

// A header of the standard library has neither a folder nor an ending.
bool is_standard(const std::string& header) {
  return header.find_first_of("/.") == std::string::npos;
}

/// Empty when the file may include the header.
std::string broken_library_rule(const std::string& path, const std::string& header) {
  if (starts_with_any(header, system_headers))
    return starts_with_any(path, system_folders) ? "" : "belongs into " + listed(system_folders);
  const auto library = std::find_if(libraries().begin(), libraries().end(),
                                    [&](const Library& one) { return header.starts_with(one.headers); });
  if (library == libraries().end()) return "is of no library that the house knows";
  if (starts_with_any(path, library->in_hpp)) return "";
  if (!starts_with_any(path, library->in_cpp)) return "belongs into " + listed(library->in_cpp) + " alone";
  return path.ends_with(".cpp") ? "" : "belongs into .cpp files alone";
}

}  // namespace

std::vector<std::string> broken_include_rules(const SourceFile& file) {
  std::vector<std::string> broken;
  const auto room =
      std::find_if(rooms().begin(), rooms().end(), [&](const Room& one) { return file.path.starts_with(one.folder); });
  if (room == rooms().end()) return broken;
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
    } else if (!is_standard(header)) {
      const std::string rule = broken_library_rule(file.path, header);
      if (!rule.empty()) broken.push_back(where + "<" + header + "> " + rule);
    }
  }
  return broken;
}

}  // namespace saturn::house
