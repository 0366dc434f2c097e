#include "reports/timeline_csv.hpp"

#include <cstddef>

#include "models/csv_text.hpp"

namespace saturn {

std::string timeline_csv(const RunTrace& trace) {
  std::string text = "time_s,name,kind,value\n";
  for (std::size_t i = 0; i < trace.sample_ends_s.size(); ++i) {
    const std::string time = csv_number(trace.sample_ends_s[i]);
    for (const TimelineSeries& series : trace.series)
      text += time + "," + csv_cell(series.name) + (series.is_queue ? ",queue," : ",use,") +
              csv_number(series.values[i]) + "\n";
  }
  return text;
}

}  // namespace saturn
