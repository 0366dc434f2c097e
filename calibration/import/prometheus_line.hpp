#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace saturn {

/// One sample of Prometheus' text format: name{label="value",...} value [timestamp].
/// Source  prometheus.io, docs/instrumenting/exposition_formats
struct PrometheusSample {
  std::string name{};
  std::map<std::string, std::string> labels{};  ///< escapes resolved
  double value = 0.0;                           ///< finite
  std::optional<double> time_s{};               ///< since 1970; the text has milliseconds
};

/// A line that is no comment.
/// @returns absent, with the reason in `fault`, when it is not such a sample
std::optional<PrometheusSample> prometheus_line(std::string_view line, std::string& fault);

}  // namespace saturn
