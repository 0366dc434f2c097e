#pragma once

#include "calibration/score/placed_row.hpp"

namespace saturn {

/// Gives all loads of a file that lacks the items of a request (perf_analyzer's CSV) the same number of them, and says
/// which in a note; loads of several runs or models in one file are taken by themselves. By Little's law every row
/// tells rate · latency / concurrency items. A printed rate that falls behind the true one in proportion to the
/// latency, as perf_analyzer's does, makes that fall on a line; where the rows show one (slope below 0 by three
/// standard errors), the items are the line's value at no latency, else the rows' mean; then the nearest whole number.
/// Refuses the file where a row is more than 15 % off, since its requests then had different sizes, and where that
/// number would be 0; the user says the items with --batch.
void infer_request_items(MeasuredFile& file, RowsOfFile& result);

}  // namespace saturn
