#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/complaint.hpp"

namespace saturn {

/// How a point ended in its worker. Its result is in the worker's file; "unsaved": it could not be written there.
enum class PointEnd : char { answered, failed, unsaved };

/// What a worker tells its parent about a point.
struct WorkerReport {
  PointEnd end = PointEnd::answered;
  std::vector<Complaint> complaints{};  ///< why the result could not be saved
};

/// The most that a report takes [byte]; of complaints, what goes beyond is cut off.
inline constexpr std::size_t longest_report = 32768;

/// The report as one message.
std::string report_bytes(const WorkerReport& report);

/// @returns nothing where the bytes are no report
std::optional<WorkerReport> report_from(std::string_view bytes);

}  // namespace saturn
