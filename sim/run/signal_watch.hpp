#pragma once

#include <csignal>

namespace saturn {

/// For as long as it lives, SIGINT and SIGTERM are noted instead of ending the process, and are delivered only while
/// wait_mask() is in force (in ppoll), so that none is lost between looking and waiting.
/// Assumes at most one at a time.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  /// True once one of the signals came.
  bool interrupted() const;

  /// The signal mask for ppoll: what the process had before, with the two signals let through.
  const sigset_t* wait_mask() const { return &wait_mask_; }

  /// In a forked child: a terminal's SIGINT is left to the parent, every other signal has its usual effect.
  void become_child() const;

 private:
  sigset_t former_mask_{};
  sigset_t wait_mask_{};
  struct sigaction former_interrupt_ {};
  struct sigaction former_terminate_ {};
};

}  // namespace saturn
