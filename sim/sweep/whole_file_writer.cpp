#include "sim/sweep/whole_file_writer.hpp"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include "sim/sweep/file_bytes.hpp"
#include "sim/sweep/folder_errors.hpp"
#include "sim/sweep/points_csv.hpp"

namespace saturn {

namespace {

constexpr std::size_t bytes_a_write = std::size_t{1} << 20U;

}  // namespace

WholeFileWriter::WholeFileWriter(std::filesystem::path path) : path_(std::move(path)) {
  const std::filesystem::path folder = path_.has_parent_path() ? path_.parent_path() : ".";
  const NewFile file = make_new_file(folder, path_.filename().string(), ".partial");
  if (file.number < 0) refuse(file.error);
  file_ = file.number;
  partial_ = file.path;
}

WholeFileWriter::~WholeFileWriter() {
  if (file_ >= 0) ::close(file_);
  if (!partial_.empty()) ::unlink(partial_.c_str());
}

void WholeFileWriter::write(std::string_view text) {
  waiting_ += text;
  if (waiting_.size() >= bytes_a_write) write_out();
}

void WholeFileWriter::put_in_place() {
  write_out();
  if (::fsync(file_) != 0) refuse(errno);
  // Some network file systems say only here that there was no room.
  const int closed = ::close(file_);
  file_ = -1;
  if (closed != 0) refuse(errno);
  if (::rename(partial_.c_str(), path_.c_str()) != 0) refuse(errno);
  partial_.clear();
  flush_names(path_.has_parent_path() ? path_.parent_path() : ".");
}

void WholeFileWriter::write_out() {
  const WrittenBytes written = write_bytes(file_, waiting_);
  if (written.error != 0) refuse(written.error);
  waiting_.clear();
}

void WholeFileWriter::refuse(int error) const {
  throw InputError({not_written(path_, error)});
}

void flush_names(const std::filesystem::path& folder) {
  const OpenFile names(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (names.number() >= 0) ::fsync(names.number());
}

void replace_file(const std::filesystem::path& path, const std::string& text) {
  WholeFileWriter file(path);
  file.write(text);
  file.put_in_place();
}

}  // namespace saturn
