#include "sim/sweep/result_log.hpp"

#include <cerrno>
#include <unistd.h>

#include "sim/sweep/file_bytes.hpp"
#include "sim/sweep/folder_errors.hpp"
#include "sim/sweep/result_files.hpp"
#include "sim/sweep/whole_file_writer.hpp"

namespace saturn {

ResultLog::ResultLog(const std::filesystem::path& folder, const std::string& name) {
  const std::filesystem::path results = made_results_folder(folder);
  const NewFile file = make_new_file(results, name, ".jsonl");
  if (file.number < 0) throw InputError({not_written(file.path, file.error)});
  file_ = file.number;
  path_ = file.path;
}

ResultLog::~ResultLog() {
  ::close(file_);
}

void ResultLog::append(const std::string& id, const PointResult& result) {
  std::string line = result_line(id, result);
  if (!ends_with_newline_) line.insert(0, 1, '\n');
  const WrittenBytes written = write_bytes(file_, line);
  if (written.error != 0) {
    take_back(written.count);
    throw InputError({not_written(path_, written.error)});
  }
  size_ += line.size();
  ends_with_newline_ = true;
}

void ResultLog::take_back(std::size_t count) {
  if (count == 0) return;
  if (::ftruncate(file_, static_cast<off_t>(size_)) == 0) return;
  // The piece stays as a torn line of its own.
  size_ += count;
  ends_with_newline_ = false;
}

void ResultLog::flush_to_disk() {
  if (::fsync(file_) != 0) throw InputError({not_written(path_, errno)});
  flush_names(path_.parent_path());
}

}  // namespace saturn
