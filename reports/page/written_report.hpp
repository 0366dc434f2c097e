#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/page/report_page.hpp"
#include "reports/text_table.hpp"

namespace saturn {

/// A file that a report wrote.
struct WrittenFile {
  std::string path{};
  std::uint64_t bytes = 0;
};

/// What `saturn report` says when it is done: the page's lead, its warnings, the figures without a picture, the files
/// with their sizes.
std::string written_report_text(const ReportPage& page, const std::vector<WrittenFile>& files, TextStyle style);
/// {provenance, result {answer, warnings, files [{path, bytes}], not_drawn}}, newline at the end
std::string written_report_json(const ReportPage& page, const std::vector<WrittenFile>& files);
/// Columns: path,bytes
std::string written_report_csv(const std::vector<WrittenFile>& files);

}  // namespace saturn
