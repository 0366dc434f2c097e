#include "sim/sweep/worker_report.hpp"

#include <utility>

namespace saturn {
namespace {

/// Takes the text before the next zero byte, or all of it.
std::string take_field(std::string_view& bytes) {
  const std::size_t end = bytes.find('\0');
  std::string field(bytes.substr(0, end));
  bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
  return field;
}

}  // namespace

std::string report_bytes(const WorkerReport& report) {
  std::string bytes(1, static_cast<char>(report.end));
  for (const Complaint& complaint : report.complaints) {
    for (const std::string* field : {&complaint.source, &complaint.code, &complaint.text}) {
      bytes += *field;
      bytes += '\0';
    }
  }
  if (bytes.size() > longest_report) bytes.resize(longest_report);
  return bytes;
}

std::optional<WorkerReport> report_from(std::string_view bytes) {
  if (bytes.empty() || bytes.front() < static_cast<char>(PointEnd::answered) ||
      bytes.front() > static_cast<char>(PointEnd::unsaved)) {
    return std::nullopt;
  }
  WorkerReport report{.end = PointEnd{bytes.front()}};
  bytes.remove_prefix(1);
  while (!bytes.empty()) {
    Complaint complaint;
    complaint.source = take_field(bytes);
    complaint.code = take_field(bytes);
    complaint.text = take_field(bytes);
    report.complaints.push_back(std::move(complaint));
  }
  return report;
}

}  // namespace saturn
