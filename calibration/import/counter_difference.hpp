#pragma once

#include "calibration/import/measured_file.hpp"

namespace saturn {

/// What the models of a server have done between two readings of its counters. A model that the earlier reading has not
/// counts from zero, unless that reading had to leave something out. Ensembles are kept, marked as such.
/// @returns counters of the models that answered requests in between; elapsed_s where both files carry timestamps;
///          path, hash and place are those of the later reading
/// @throws InputError  import.no_difference: no model is left; with the reason for each: counters that fell (the server
///                     was started anew, or the files were given in the wrong order), no request in between, a model
///                     that the later reading has not
MeasuredFile difference(const MeasuredFile& earlier, const MeasuredFile& later);

}  // namespace saturn
