#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/provenance.hpp"
#include "reports/text_table.hpp"

namespace saturn {

/// A file that a report wrote.
struct WrittenFile {
  std::string path{};
  std::uint64_t bytes = 0;
};

/// What `saturn report` says when it is done.
struct WrittenReport {
  std::string lead{};
  std::vector<std::string> warnings{};
  std::vector<WrittenFile> files{};
  std::vector<std::string> not_drawn{};  ///< "gantt: no request was sent": figures without a picture
  Provenance provenance{};
};

/// The lead, the warnings, the files with their sizes.
std::string written_report_text(const WrittenReport& report, TextStyle style);
/// {provenance, result {answer, warnings, files [{path, bytes}], not_drawn}}, newline at the end
std::string written_report_json(const WrittenReport& report);
/// Columns: path,bytes
std::string written_report_csv(const WrittenReport& report);

}  // namespace saturn
