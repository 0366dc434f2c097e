#include "sim/sweep/sweep_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <unistd.h>

#include "tests/sweep/drawn_sweeps.hpp"
#include "tests/sweep/small_disk.hpp"

using namespace saturn;
using namespace saturn::tests;

namespace fs = std::filesystem;

namespace {

std::string said_of(const fs::path& folder) {
  return complaints_of([&] { prepare_sweep_folder(folder); });
}

std::string not_writable(const fs::path& folder, const std::string& reason) {
  return folder.string() + ": sweep.not_writable\n  cannot be written: " + reason +
         ". Allow writing there, or give another folder. Every result that was saved before is kept.";
}

}  // namespace

TEST_CASE("a folder that is not there is made with its parents, and an empty one is taken as it is") {
  const SweepScratch scratch;
  CHECK(said_of(scratch / "a/b/c") == "");
  CHECK(fs::is_directory(scratch / "a/b/c"));
  CHECK(said_of(scratch / "a/b/c") == "");
  CHECK(files_below(scratch.path()).empty());
}

TEST_CASE("a folder with a plan is taken, and one that was left at the very beginning of a sweep") {
  const SweepScratch scratch;
  for (const char* name : {"sweep.lock", "plan.jsonl.partial", "provenance.json", "points.csv"})
    write_text(scratch / name, "");
  fs::create_directory(scratch / "results");
  CHECK(said_of(scratch.path()) == "");
  write_text(scratch / "thesis.tex", "");
  const std::string refused =
      scratch.path().string() +
      ": sweep.not_a_sweep_folder\n  The folder is not empty (it holds \"thesis.tex\") and holds "
      "no sweep: there is no plan.jsonl. Give an empty folder, or one that is not there yet.";
  CHECK(said_of(scratch.path()) == refused);
  write_text(scratch / "plan.jsonl", "");
  CHECK(said_of(scratch.path()) == "");
}

TEST_CASE("what cannot be the folder of a sweep is refused with the reason") {
  const SweepScratch scratch;
  write_text(scratch / "file", "");
  fs::create_symlink("nowhere", scratch / "broken");
  CHECK(said_of("") ==
        "--out: sweep.not_a_sweep_folder\n  The name of the folder is empty. Give a folder, for example "
        "--out sweep.");
  CHECK(said_of(scratch / "file") ==
        (scratch / "file").string() +
            ": sweep.not_a_sweep_folder\n  This is a file. A sweep needs a folder of its own.");
  CHECK(said_of(scratch / "file/inside") == not_writable(scratch / "file/inside", "Not a directory"));
  CHECK(said_of(scratch / "broken").find("sweep.not_") != std::string::npos);
  CHECK(said_of(scratch / std::string(5000, 'x')) ==
        not_writable(scratch / std::string(5000, 'x'), "File name too long"));
  CHECK(
      complaints_of([&] { require_sweep_folder(scratch / "none"); }) ==
      (scratch / "none").string() +
          ": sweep.not_a_sweep_folder\n  There is no such folder. Name the folder that was given to the sweep command "
          "with --out.");
}

TEST_CASE("a folder that may not be written is refused") {
  const SweepScratch scratch;
  fs::create_directory(scratch / "closed");
  fs::permissions(scratch / "closed",
                  fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
  fs::permissions(scratch.path(), fs::perms::owner_all | fs::perms::others_read | fs::perms::others_exec);
  const std::string said = in_child([&]() -> std::string {
    if (geteuid() == 0 && seteuid(65534) != 0) return "cannot be another user";
    return said_of(scratch / "closed") + "\n" + said_of(scratch / "closed/new");
  });
  CHECK(said == not_writable(scratch / "closed", "Permission denied") + "\n" +
                    not_writable(scratch / "closed/new", "Permission denied"));
}

TEST_CASE("a folder on a read-only or full disk is refused, to root as well") {
  const SweepScratch scratch;
  const std::string said = in_child([&]() -> std::string {
    if (!mount_small_disk(scratch.path(), "size=16k")) return "no disk to mount";
    fs::create_directory(scratch / "sweep");
    write_text(scratch / "plan.jsonl", std::string(100000, 'x'));
    const std::string full = said_of(scratch.path());
    if (!make_disk_read_only(scratch.path())) return "no disk to mount";
    return full + "\n" + said_of(scratch / "sweep") + "\n" + said_of(scratch / "new");
  });
  if (said == "no disk to mount") {
    MESSAGE("no small disk can be mounted here; permissions stand for it in the test above");
    return;
  }
  CHECK(said ==
        scratch.path().string() +
            ": sweep.disk_full\n  cannot be written: No space left on device. Every result that was saved before "
            "is kept. Free some space there, then give the same command again: it goes on where it stopped.\n" +
            not_writable(scratch / "sweep", "Read-only file system") + "\n" +
            not_writable(scratch / "new", "Read-only file system"));
}
