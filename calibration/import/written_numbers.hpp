#pragma once

#include <string>
#include <string_view>

#include "calibration/import/measured_file.hpp"

namespace saturn {

/// True when the text begins like a JSON object of the schema "saturn-numbers/1".
bool recognises_written_numbers(std::string_view text);

/// Reads single numbers with their errors:
/// {"schema": "saturn-numbers/1", "source": "...", "numbers": {"gpu": {"value": "2.7 s", "error": "0.3 s"}}}.
/// preprocessing, travel and gpu are times, bandwidth is a bandwidth; other names may be any quantity, or a bare
/// number.
/// @throws InputError  import.*: every complaint at once, with pointer, line and column
void read_written_numbers(std::string_view text, const std::string& path, MeasuredFile& file);

}  // namespace saturn
