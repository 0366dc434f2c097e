#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/laws/arrival_law.hpp"
#include "scenarios/document/parse_document.hpp"

namespace saturn {

/// A CSV text of dates, or what is wrong with it.
struct ParsedTrace {
  RecordedDates recorded;           ///< meaningful when there are no faults
  std::vector<SyntaxFault> faults;  ///< at most 100; each with its offset in the text
};

/// Reads dates from CSV: one column, or several of which the header calls one "time" or "timestamp", in quotes or not.
/// A header may name the unit behind an underscore (time_s, time_ms, timestamp_us, timestamp_ns); seconds otherwise.
/// Whole seconds are kept exactly, so that dates of any epoch lose nothing. Blank lines and CRLF are passed over; a
/// byte order mark too. The dates are made relative to the first. A last line without an end of line is torn when it is
/// no number, lacks columns, lies before its predecessor, or has fewer decimals than every other line. Codes:
/// trace.not_a_number, trace.negative, trace.out_of_order, trace.torn, trace.no_time_column, trace.too_short Cost: some
/// 20 ns a line
ParsedTrace parse_arrival_trace(std::string_view text);

}  // namespace saturn
