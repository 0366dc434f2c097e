#pragma once

#include <span>
#include <string_view>

namespace saturn {

/// A file that was compiled into the program, so that it is found wherever the program is installed.
struct EmbeddedFile {
  std::string_view name;  ///< without its folder, e.g. "protodune-big-batch.json"
  std::string_view text;
};

}  // namespace saturn
