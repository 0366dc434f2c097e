#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// Single lines of ping's output, of Linux (iputils, BusyBox) and macOS.
namespace saturn {

/// "64 bytes from host (address): icmp_seq=1 ttl=59 time=24.4 ms (DUP!)".
struct PingAnswer {
  std::string host{};  ///< address where one stands there
  std::size_t sequence = 0;
  std::optional<double> time_s{};  ///< absent: none on the line, or not readable
  double resolution_s = 0.0;       ///< one unit of the last printed digit
  bool duplicate = false;          ///< marked "(DUP!)"
  std::string damage{};            ///< "(BAD CHECKSUM!)" and the like, as it stands there
  std::size_t time_column = 1;     ///< of the time, or of the line's end [byte]
};

/// "2 packets transmitted, 2 received, +19 duplicates, 0% packet loss".
struct PingCounts {
  std::size_t sent = 0;
  std::size_t received = 0;
  std::size_t duplicates = 0;
};

/// "rtt min/avg/max/mdev = 0.038/0.047/0.080/0.011 ms".
struct PingSummary {
  double mean_s = 0.0;
  std::optional<double> sd_s{};
  double resolution_s = 0.0;  ///< one unit of the last printed digit
};

/// Nothing when the line is none of the kind, or, of a summary, when its mean is not between least and most.
std::optional<PingAnswer> ping_answer(std::string_view line);
std::optional<PingCounts> ping_counts(std::string_view line);
std::optional<PingSummary> ping_summary(std::string_view line);

/// The packet that a line says is without an answer: "no answer yet for icmp_seq=5", "Request timeout for icmp_seq 3",
/// "From 192.0.2.1 icmp_seq=2 Destination Host Unreachable".
std::optional<std::size_t> ping_without_answer(std::string_view line);

/// The host of "PING host (address) 56(84) bytes of data."
std::optional<std::string> ping_begins(std::string_view line);

/// The host of "--- host ping statistics ---".
std::optional<std::string> ping_statistics(std::string_view line);

/// What ping says about a name that it cannot find: "ping: nohost: Name or service not known".
std::optional<std::string> ping_fails(std::string_view line);

}  // namespace saturn
