#pragma once

#include <string>

namespace saturn {

/// Refuses a page that exists or has no place, before anything is simulated for it.
/// @throws InputError  write.exists, write.no_folder
void refuse_to_overwrite_page(const std::string& path, bool force);

/// @throws InputError  write.not_writable
void write_page(const std::string& path, const std::string& text);

}  // namespace saturn
