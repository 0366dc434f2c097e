#include "sim/sweep/sweep_folder.hpp"

#include <doctest/doctest.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <memory>
#include <regex>
#include <string>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/sweep/drawn_sweeps.hpp"

using namespace saturn;
using namespace saturn::tests;

namespace {

// A child that does something and then waits to be killed.
class WaitingChild {
 public:
  explicit WaitingChild(const std::function<void()>& action) {
    std::array<int, 2> ready{};
    REQUIRE(pipe(ready.data()) == 0);
    child_ = fork();
    if (child_ == 0) {
      action();
      const ssize_t told = write(ready[1], "x", 1);
      while (told == 1) pause();
      _exit(1);
    }
    close(ready[1]);
    char byte = 0;
    REQUIRE(read(ready[0], &byte, 1) == 1);
    close(ready[0]);
  }
  ~WaitingChild() { end(); }
  WaitingChild(const WaitingChild&) = delete;
  WaitingChild& operator=(const WaitingChild&) = delete;

  pid_t number() const { return child_; }
  void end() {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    child_ = -1;
  }

 private:
  pid_t child_ = -1;
};

// From now on this process lives on a file system that knows no locks, as far as it can tell.
bool forbid_locks(int error) {
  std::array<sock_filter, 4> steps{
      sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
      sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_flock, 0, 1),
      sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(error)),
      sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  sock_fprog program{.len = steps.size(), .filter = steps.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

}  // namespace

TEST_CASE("a folder in which a sweep works is refused with who works there, and is free when that one is killed") {
  const TemporaryFolder scratch;
  WaitingChild holder([&] { new FolderLock(scratch.path(), "sweep"); });
  const std::string said = complaints_of([&] { FolderLock(scratch.path(), "sweep"); });
  const std::regex expected(
      R"(/.*/sweep\.lock: sweep\.in_use\n  Another sweep works in this folder: process )" +
      std::to_string(holder.number()) +
      R"( on [^ ]+ since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\. Wait for its end, or interrupt it: then the same command )"
      R"(goes on where it stopped; or give another folder\.)");
  CHECK_MESSAGE(std::regex_match(said, expected), said);
  holder.end();
  const FolderLock mine(scratch.path(), "sweep");
  CHECK(mine.keeps_others_out());
}

TEST_CASE("locks of other names and folders are free, and a lock ends with its scope") {
  const TemporaryFolder scratch;
  const TemporaryFolder other;
  {
    const FolderLock sweep(scratch.path(), "sweep");
    const FolderLock elsewhere(other.path(), "sweep");
    const FolderLock shard(scratch.path(), "shard-0001-of-0002");
    const std::string said = complaints_of([&] { FolderLock(scratch.path(), "shard-0001-of-0002"); });
    CHECK(said.find("This shard is being worked on: process " + std::to_string(getpid()) + " on ") !=
          std::string::npos);
    CHECK(said.ends_with("Where that process is known to be dead, --take-over goes on without waiting."));
  }
  CHECK(FolderLock(scratch.path(), "sweep").keeps_others_out());
}

TEST_CASE("a child that forgets the lock does not hold it when its parent is gone") {
  const TemporaryFolder scratch;
  auto lock = std::make_unique<FolderLock>(scratch.path(), "sweep");
  const WaitingChild child([&] { lock->forget(); });
  CHECK(complaints_of([&] { FolderLock(scratch.path(), "sweep"); }) != "");
  lock.reset();
  CHECK(FolderLock(scratch.path(), "sweep").keeps_others_out());
}

TEST_CASE("a lock whose file says nothing, or anything, is still a lock") {
  const TemporaryFolder scratch;
  const FolderLock lock(scratch.path(), "sweep");
  std::ofstream(scratch / "sweep.lock") << "";
  CHECK(complaints_of([&] {
          FolderLock(scratch.path(), "sweep");
        }).find("works in this folder: a process that does not say its name. Wait") != std::string::npos);
  std::ofstream(scratch / "sweep.lock") << "\x1b[2J" + std::string(100000, 'x');
  const std::string said = complaints_of([&] { FolderLock(scratch.path(), "sweep"); });
  CHECK(said.size() < 1000);
  CHECK(said.find('\x1b') == std::string::npos);
}

TEST_CASE("where the file system knows no locks the sweep goes on without one") {
  const TemporaryFolder scratch;
  for (const int error : {ENOLCK, EOPNOTSUPP, EIO}) {
    const std::string said = in_child([&]() -> std::string {
      if (!forbid_locks(error)) return "no filter of system calls";
      bool kept_out = true;
      const std::string refused =
          complaints_of([&] { kept_out = FolderLock(scratch.path(), "sweep").keeps_others_out(); });
      return refused.empty() ? kept_out ? "held" : "not held" : "refused";
    });
    if (said == "no filter of system calls") {
      MESSAGE(said);
      return;
    }
    CHECK(said == (error == EIO ? "refused" : "not held"));
  }
}

TEST_CASE("a lock in a folder that is not there is refused") {
  const TemporaryFolder scratch;
  CHECK(
      complaints_of([&] { FolderLock(scratch / "none", "sweep"); }) ==
      (scratch / "none/sweep.lock").string() +
          ": sweep.not_writable\n  cannot be written: No such file or directory. Allow writing there, or give another "
          "folder. Every result that was saved before is kept.");
}

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
  const TemporaryFolder scratch;
  CHECK(said_of(scratch / "a/b/c") == "");
  CHECK(fs::is_directory(scratch / "a/b/c"));
  CHECK(said_of(scratch / "a/b/c") == "");
  CHECK(scratch.files().empty());
}

TEST_CASE("a folder with a plan is taken, and one that was left at the very beginning of a sweep") {
  const TemporaryFolder scratch;
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
  const TemporaryFolder scratch;
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
  const TemporaryFolder scratch;
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
  const TemporaryFolder scratch;
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
