#include "sim/sweep/whole_files.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace saturn {

namespace {

constexpr std::size_t bytes_a_read = std::size_t{1} << 20U;

// The signal is blocked in this thread alone, and taken away again where a write has caused it.
class WithoutSizeSignal {
 public:
  WithoutSizeSignal() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~WithoutSizeSignal() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  WithoutSizeSignal(const WithoutSizeSignal&) = delete;
  WithoutSizeSignal& operator=(const WithoutSizeSignal&) = delete;

  void take_away() {
    const timespec now{};
    sigtimedwait(&signal_, nullptr, &now);
  }

 private:
  sigset_t signal_{};
  sigset_t before_{};
};

// Cuts what is read into lines; `carried_` holds the beginning of a line whose end was not read yet.
class LineCutter {
 public:
  LineCutter(std::size_t longest, const UseLine& use) : longest_(longest), use_(use) {}

  void take(std::string_view bytes) {
    for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
      end_line(bytes.substr(0, end));
      bytes.remove_prefix(end + 1);
    }
    carry(bytes);
  }

  void finish() {
    if (too_long_ || !carried_.empty()) end_line({});
  }

 private:
  void carry(std::string_view piece) {
    too_long_ = too_long_ || carried_.size() + piece.size() > longest_;
    if (too_long_)
      carried_.clear();
    else
      carried_ += piece;
  }

  void end_line(std::string_view piece) {
    if (carried_.empty() && !too_long_ && piece.size() <= longest_) {
      use_(piece, true);
      return;
    }
    carry(piece);
    use_(carried_, !too_long_);
    carried_.clear();
    too_long_ = false;
  }

  std::size_t longest_;
  const UseLine& use_;
  std::string carried_{};
  bool too_long_ = false;
};

}  // namespace

OpenFile::~OpenFile() {
  if (number_ >= 0) ::close(number_);
}

WrittenBytes write_bytes(int file, std::string_view bytes) {
  WithoutSizeSignal signal;
  WrittenBytes written;
  while (written.count < bytes.size()) {
    const ssize_t count = ::write(file, bytes.data() + written.count, bytes.size() - written.count);
    if (count > 0) {
      written.count += static_cast<std::size_t>(count);
    } else if (count == 0 || errno != EINTR) {
      written.error = count == 0 ? ENOSPC : errno;
      if (written.error == EFBIG) signal.take_away();
      return written;
    }
  }
  return written;
}

NewFile make_new_file(const std::filesystem::path& folder, const std::string& stem, const std::string& ending) {
  for (std::uint64_t attempt = 1;; ++attempt) {
    NewFile file;
    file.path = folder / (stem + (attempt == 1 ? "" : "." + std::to_string(attempt)) + ending);
    file.number = ::open(file.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    if (file.number >= 0) return file;
    file.error = errno;
    if (file.error != EEXIST && file.error != EINTR) return file;
  }
}

int read_lines(const std::filesystem::path& path, std::size_t longest, const UseLine& use) {
  // A pipe in the place of the file would let open() wait for ever.
  const OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) return errno;
  struct stat facts {};
  if (::fstat(file.number(), &facts) != 0) return errno;
  if (!S_ISREG(facts.st_mode)) return S_ISDIR(facts.st_mode) ? EISDIR : EINVAL;
  LineCutter lines(longest, use);
  std::string buffer(std::clamp<std::size_t>(static_cast<std::size_t>(facts.st_size), 4096, bytes_a_read), '\0');
  while (true) {
    const ssize_t count = ::read(file.number(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0) break;
    lines.take(std::string_view(buffer).substr(0, static_cast<std::size_t>(count)));
  }
  lines.finish();
  return 0;
}

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
