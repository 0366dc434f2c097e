#pragma once

#include <iosfwd>
#include <memory>

#include "sim/study/reply.hpp"

namespace saturn {

/// Makes sure that descriptors 0 to 2 are open, first thing in the program: whatever is opened later in the place of a
/// closed one would be written to as if it were stdout or stderr. A closed one is opened so that reading or writing it
/// still fails.
void open_standard_files();

/// For as long as it lives, std::cerr passes on nothing that would move the cursor or turn the direction of writing:
/// whatever is echoed goes through printable_lines().
class PrintableErrors {
 public:
  PrintableErrors();
  ~PrintableErrors();
  PrintableErrors(const PrintableErrors&) = delete;
  PrintableErrors& operator=(const PrintableErrors&) = delete;

 private:
  class Buffer;
  std::unique_ptr<Buffer> buffer_;
};

/// stderr without that, for lines that replace themselves on a terminal. What they say is the program's own.
std::ostream& terminal_line();

/// Throws where something that was printed has not reached stdout.
/// @throws InputError  stdout.not_writable
void finish_stdout();

}  // namespace saturn
