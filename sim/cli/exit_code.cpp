#include "sim/cli/exit_code.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <streambuf>
#include <string>
#include <unistd.h>

#include "models/values/text.hpp"
#include "scenarios/document/complaints.hpp"

namespace saturn {

void open_standard_files() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(number, F_GETFD) >= 0) continue;
    const int direction = number == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    // The system gives the lowest number that is free: this one. A folder, too, can neither be read nor written.
    int opened = open("/dev/null", direction);
    if (opened < 0) opened = open("/", O_RDONLY);
    if (opened != number) std::abort();
  }
}

std::ostream& terminal_line() {
  static std::ostream line(std::cerr.rdbuf());
  return line;
}

class PrintableErrors::Buffer : public std::streambuf {
 public:
  explicit Buffer(std::streambuf* to) : to_(to) {}
  std::streambuf* behind() const { return to_; }

 protected:
  int_type overflow(int_type character) override {
    if (!traits_type::eq_int_type(character, traits_type::eof())) pending_ += traits_type::to_char_type(character);
    return traits_type::not_eof(character);
  }
  std::streamsize xsputn(const char* text, std::streamsize count) override {
    pending_.append(text, static_cast<std::size_t>(count));
    return count;
  }
  // std::cerr asks for it after each output.
  int sync() override {
    const std::string clean = printable_lines(pending_);
    pending_.clear();
    const bool written = to_->sputn(clean.data(), static_cast<std::streamsize>(clean.size())) ==
                         static_cast<std::streamsize>(clean.size());
    return to_->pubsync() == 0 && written ? 0 : -1;
  }

 private:
  std::streambuf* to_;
  std::string pending_{};
};

PrintableErrors::PrintableErrors() {
  terminal_line();
  buffer_ = std::make_unique<Buffer>(std::cerr.rdbuf());
  std::cerr.rdbuf(buffer_.get());
}

PrintableErrors::~PrintableErrors() {
  std::cerr.flush();
  std::cerr.rdbuf(buffer_->behind());
}

void finish_stdout() {
  if (std::cout.flush()) return;
  refuse_input("stdout", "stdout.not_writable", "The answer cannot be written: stdout is closed, or its disk is full.");
}

}  // namespace saturn
