#include "sim/sweep/sweep_folder.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <unistd.h>

#include "sim/sweep/file_bytes.hpp"
#include "sim/sweep/folder_errors.hpp"
#include "sim/sweep/sweep_plan.hpp"

namespace saturn {

namespace {

namespace fs = std::filesystem;

bool is_left_by_a_sweep(const fs::path& path) {
  static const std::array<std::string, 3> names{"provenance.json", "points.csv", "results"};
  static const std::array<std::string, 2> endings{".lock", ".partial"};
  return std::find(names.begin(), names.end(), path.filename().string()) != names.end() ||
         std::find(endings.begin(), endings.end(), path.extension().string()) != endings.end();
}

[[noreturn]] void refuse_folder(const fs::path& folder, const std::string& text) {
  throw InputError({{.source = folder.string(), .code = "sweep.not_a_sweep_folder", .text = text}});
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
