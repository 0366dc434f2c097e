#include "sim/sweep/folder_lock.hpp"

#include <doctest/doctest.h>

#include <array>
#include <csignal>
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
  const SweepScratch scratch;
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
  const SweepScratch scratch;
  const SweepScratch other;
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
  const SweepScratch scratch;
  auto lock = std::make_unique<FolderLock>(scratch.path(), "sweep");
  const WaitingChild child([&] { lock->forget(); });
  CHECK(complaints_of([&] { FolderLock(scratch.path(), "sweep"); }) != "");
  lock.reset();
  CHECK(FolderLock(scratch.path(), "sweep").keeps_others_out());
}

TEST_CASE("a lock whose file says nothing, or anything, is still a lock") {
  const SweepScratch scratch;
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
  const SweepScratch scratch;
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
  const SweepScratch scratch;
  CHECK(
      complaints_of([&] { FolderLock(scratch / "none", "sweep"); }) ==
      (scratch / "none/sweep.lock").string() +
          ": sweep.not_writable\n  cannot be written: No such file or directory. Allow writing there, or give another "
          "folder. Every result that was saved before is kept.");
}
