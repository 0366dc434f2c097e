#include "sim/sweep/file_bytes.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

namespace saturn {

namespace {

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
  std::string buffer(std::size_t{1} << 20U, '\0');
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

}  // namespace saturn
