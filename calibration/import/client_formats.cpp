#include <array>

#include "calibration/import/fast_timer_report.hpp"
#include "calibration/import/iperf_report.hpp"
#include "calibration/import/ping_text.hpp"
#include "calibration/import/plain_table.hpp"
#include "calibration/import/text_format.hpp"
#include "calibration/import/timetracker_database.hpp"
#include "calibration/import/timetracker_table.hpp"
#include "calibration/import/written_numbers.hpp"

namespace saturn {

std::span<const ImportFormat> client_formats() {
  // The plain table comes last: its columns' names are those of others as well.
  static constexpr std::array formats{
      ImportFormat{.name = "TimeTracker database",
                   .looks_like = "an SQLite file with the tables TimeEvent and TimeModule",
                   .recognises = recognises_sqlite,
                   .read = read_timetracker_database},
      ImportFormat{.name = "saturn-numbers JSON",
                   .looks_like = "a JSON object with \"schema\": \"saturn-numbers/1\"",
                   .recognises = recognises_written_numbers,
                   .read = read_written_numbers},
      ImportFormat{.name = "iperf3 JSON",
                   .looks_like = "what `iperf3 -J` writes, with \"start\", \"intervals\" and \"end\"",
                   .recognises = recognises_iperf,
                   .read = read_iperf},
      ImportFormat{.name = "FastTimerService JSON",
                   .looks_like = "CMSSW's resources.json, with \"modules\" and \"total\"",
                   .recognises = recognises_fast_timer,
                   .read = read_fast_timer},
      ImportFormat{.name = "TimeTracker summary",
                   .looks_like = "a log of art's with \"TimeTracker printout (sec)\"",
                   .recognises = recognises_timetracker_table,
                   .read = read_timetracker_table},
      ImportFormat{.name = "ping output",
                   .looks_like = "lines such as \"64 bytes from host: icmp_seq=1 ttl=59 time=24.4 ms\"",
                   .recognises = recognises_ping,
                   .read = read_ping},
      ImportFormat{.name = "plain table",
                   .looks_like = "a header such as \"clients,event_time_s\", \"concurrency,items_per_s\" or "
                                 "\"batch,time_ms\"",
                   .recognises = recognises_plain_table,
                   .read = read_plain_table},
  };
  return formats;
}

}  // namespace saturn
