#pragma once

#include <string>
#include <vector>

/// Small whole files of measurements, for tests that damage them.
namespace saturn::tests {

struct SampleFile {
  std::string format{};  ///< what it is recognised as
  std::string text{};
};

/// At least one of each format that is a text.
const std::vector<SampleFile>& sample_files();

}  // namespace saturn::tests
