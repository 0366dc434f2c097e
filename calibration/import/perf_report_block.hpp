#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace saturn {

/// The detailed report of one load: "Request concurrency: 16", then the client's and the server's figures.
struct PerfReportBlock {
  std::size_t line = 0;
  double load = 0.0;
  bool is_rate = false;  ///< the load is a rate of requests, not a concurrency
  std::optional<double> items_per_s{};
  std::optional<double> requests{};
  std::optional<double> executed_batch{};
  std::map<std::string, double> measured{};  ///< as in LoadPoint
};

/// Fills a block from the lines under its heading.
class PerfReportReader {
 public:
  explicit PerfReportReader(PerfReportBlock& block) : block_(block) {}

  /// Takes one line, without margins; what it does not know it passes over.
  void take(std::string_view line);

 private:
  void client(std::string_view line);
  void server(std::string_view line);
  void put(const char* name, std::optional<double> microseconds);

  enum class Part { none, client, server };
  PerfReportBlock& block_;
  Part part_ = Part::none;
  std::optional<double> inferences_;
  std::optional<double> wait_;       ///< for the response [µs]
  std::optional<double> user_time_;  ///< "Avg HTTP time" [µs]
};

/// The number right behind a text, such as 16 in "Request concurrency: 16"; absent when the line does not begin with
/// the text, or no number >= 0 follows.
std::optional<double> number_behind(std::string_view line, std::string_view text);

}  // namespace saturn
