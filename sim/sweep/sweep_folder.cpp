#include "sim/sweep/sweep_folder.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

#include "scenarios/document/complaints.hpp"
#include "sim/sweep/sweep_plan.hpp"
#include "sim/sweep/whole_files.hpp"

namespace saturn {

namespace {

std::string this_host() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "an unknown host";
}

std::string time_in_words() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts);
  return text.data();
}

// What the file says of its holder; nobody promises that it does.
std::string holder(int file) {
  std::array<char, 512> text{};
  const ssize_t count = ::pread(file, text.data(), text.size(), 0);
  const std::string_view read(text.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
  const std::string_view line = read.substr(0, read.find('\n'));
  return line.empty() ? "a process that does not say its name" : std::string(line);
}

void write_holder(int file) {
  const std::string text = "process " + std::to_string(::getpid()) + " on " + this_host() + " since " + time_in_words();
  // Only messages need the text, so a full disk is not complained about here.
  if (::ftruncate(file, 0) == 0) write_bytes(file, text + '\n');
}

bool knows_no_locks(int error) {
  return error == ENOLCK || error == EOPNOTSUPP || error == ENOSYS || error == EINVAL;
}

Complaint in_use(const std::filesystem::path& path, const std::string& name, const std::string& who) {
  const bool whole = name == "sweep";
  return {.source = path.string(),
          .code = "sweep.in_use",
          .text = std::string(whole ? "Another sweep works in this folder: " : "This shard is being worked on: ") +
                  who + ". Wait for its end, or interrupt it: then the same command goes on where it stopped" +
                  (whole ? "; or give another folder."
                         : ". Where that process is known to be dead, --take-over goes on without waiting.")};
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder, const std::string& name) {
  const std::filesystem::path path = folder / (name + ".lock");
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
  if (file_ < 0) throw InputError({not_written(path, errno)});
  while (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    if (error == EINTR) continue;
    const std::string who = error == EWOULDBLOCK ? holder(file_) : "";
    forget();
    if (error == EWOULDBLOCK) throw InputError({in_use(path, name, who)});
    if (!knows_no_locks(error)) throw InputError({not_written(path, error)});
    return;
  }
  write_holder(file_);
}

FolderLock::~FolderLock() {
  forget();
}

void FolderLock::forget() {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
}

namespace {

namespace fs = std::filesystem;

bool is_left_by_a_sweep(const fs::path& path) {
  static const std::array<std::string, 3> names{"provenance.json", "points.csv", "results"};
  static const std::array<std::string, 2> endings{".lock", ".partial"};
  return std::find(names.begin(), names.end(), path.filename().string()) != names.end() ||
         std::find(endings.begin(), endings.end(), path.extension().string()) != endings.end();
}

[[noreturn]] void refuse_folder(const fs::path& folder, const std::string& text) {
  refuse_input(folder.string(), "sweep.not_a_sweep_folder", text);
}

void try_to_write(const fs::path& folder) {
  const NewFile file = make_new_file(folder, "tried", ".partial");
  if (file.number < 0) throw InputError({not_written(folder, file.error)});
  const OpenFile closed_at_end(file.number);
  // One byte, since a full disk may still have room for names.
  const WrittenBytes written = write_bytes(file.number, "\n");
  ::unlink(file.path.c_str());
  if (written.error != 0) throw InputError({not_written(folder, written.error)});
}

}  // namespace

void require_sweep_folder(const fs::path& folder) {
  std::error_code failed;
  const fs::file_status status = fs::status(folder, failed);
  if (!fs::exists(status)) {
    if (failed && failed != std::errc::no_such_file_or_directory && failed != std::errc::not_a_directory)
      throw InputError({not_read(folder, failed.value())});
    refuse_folder(folder, "There is no such folder. Name the folder that was given to the sweep command with --out.");
  }
  if (!fs::is_directory(status)) refuse_folder(folder, "This is a file. A sweep needs a folder of its own.");
  if (has_plan(folder)) return;
  failed.clear();
  fs::directory_iterator entry(folder, failed);
  for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
    if (is_left_by_a_sweep(entry->path())) continue;
    refuse_folder(folder, "The folder is not empty (it holds \"" + entry->path().filename().string() +
                              "\") and holds no sweep: there is no plan.jsonl. Give an empty folder, or one that is not"
                              " there yet.");
  }
  if (failed) throw InputError({not_read(folder, failed.value())});
}

void prepare_sweep_folder(const fs::path& folder) {
  if (folder.empty())
    refuse_folder("--out", "The name of the folder is empty. Give a folder, for example --out sweep.");
  std::error_code failed;
  if (!fs::exists(folder, failed)) {
    failed.clear();
    fs::create_directories(folder, failed);
    if (failed) throw InputError({not_written(folder, failed.value())});
  }
  require_sweep_folder(folder);
  try_to_write(folder);
}

}  // namespace saturn
