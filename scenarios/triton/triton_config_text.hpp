#pragma once

#include <string>

#include "scenarios/scenario.hpp"

namespace saturn {

/// The config.pbtxt of a model as simulated. Where the model says the same as `original_text` nothing of that is
/// touched: other fields, also unknown ones, comments and layout stay as they are. Without an original it is a small
/// file that lacks what only the model file knows (backend, tensors), and says so. Times are rounded to whole
/// microseconds.
/// @param name           of the model
/// @param original_text  the file that the server uses now, or empty
/// @param scenario       what the new file says it was written for; may be empty
/// @throws InputError             original_text cannot be read
/// @throws std::invalid_argument  the model's ensemble differs from the original's, whose tensors nobody could rewire
std::string triton_config_text(const std::string& name, const Model& model, const std::string& original_text,
                               const std::string& scenario = "");

}  // namespace saturn
