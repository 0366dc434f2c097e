#pragma once

#include <chrono>
#include <csignal>
#include <ctime>
#include <initializer_list>
#include <vector>

namespace saturn {

/// Whether a process that this signal ends ends by its own fault (SIGSEGV, SIGABRT, SIGFPE, ...), and is not killed
/// from outside.
bool is_own_fault(int signal);

/// What is left until then, as ppoll takes it; nothing of a time that has passed.
timespec time_until(std::chrono::steady_clock::time_point then);

/// For as long as it lives, SIGINT and SIGTERM are noted instead of ending the process, and are delivered only while
/// wait_mask() is in force (in ppoll), so that none is lost between looking and waiting.
/// Assumes at most one at a time.
class SignalWatch {
 public:
  /// @param numbers  the signals to note. A SIGHUP that is ignored (nohup) stays ignored
  explicit SignalWatch(std::initializer_list<int> numbers = {SIGINT, SIGTERM});
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  /// True once one of the signals came.
  bool interrupted() const { return count() > 0; }

  /// How many of the signals came. Those of one number that come before the next wait count once.
  unsigned count() const;

  /// The signal mask for ppoll: what the process had before, with the noted signals let through.
  const sigset_t* wait_mask() const { return &wait_mask_; }

  /// In a forked child: a terminal's SIGINT is left to the parent, every other signal has its usual effect.
  void become_child() const;

  /// In a forked child that watches over children of its own: the noted signals are ignored by it and by its children,
  /// and no watch of its own notes them any more. A batch system sends them to every process; the parent alone decides.
  void become_worker() const;

 private:
  struct Noted {
    int number;
    struct sigaction former;
  };

  std::vector<Noted> noted_;
  sigset_t former_mask_{};
  sigset_t wait_mask_{};
};

}  // namespace saturn
