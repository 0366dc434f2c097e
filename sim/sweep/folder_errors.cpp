#include "sim/sweep/folder_errors.hpp"

#include <cerrno>
#include <system_error>

namespace saturn {

namespace {

// Empty where the reason is not a lack of room.
std::string room_to_make(int error) {
  switch (error) {
    case ENOSPC:
      return "Free some space there";
    case EDQUOT:
      return "Free some of the quota";
    case EFBIG:
      return "Raise the limit of file sizes (ulimit -f)";
    default:
      return "";
  }
}

std::string in_words(int error) {
  return std::generic_category().message(error);
}

}  // namespace

Complaint not_written(const std::filesystem::path& path, int error) {
  const std::string room = room_to_make(error);
  if (!room.empty()) {
    return {.source = path.string(),
            .code = "sweep.disk_full",
            .text = "cannot be written: " + in_words(error) + ". Every result that was saved before is kept. " + room +
                    ", then give the same command again: it goes on where it stopped."};
  }
  return {.source = path.string(),
          .code = "sweep.not_writable",
          .text = "cannot be written: " + in_words(error) +
                  ". Allow writing there, or give another folder. Every result that was saved before is kept."};
}

Complaint not_read(const std::filesystem::path& path, int error) {
  return {.source = path.string(),
          .code = "sweep.not_readable",
          .text = "cannot be read: " + in_words(error) +
                  ". Allow reading it, or move it out of the sweep's folder: what it held is made again then."};
}

}  // namespace saturn
