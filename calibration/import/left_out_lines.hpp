#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "calibration/import/measured_file.hpp"

namespace saturn {

/// Gathers what could not be used of one text. After a hundred complaints it only counts, since a large file of another
/// kind would fill the memory with them.
class LeftOutLines {
 public:
  explicit LeftOutLines(std::string path) : path_(std::move(path)) {}

  /// @param line  from 1; 0 when the complaint is about the whole text
  void add(std::size_t line, const std::string& code, const std::string& text, std::string_view excerpt = {});

  /// Hands the complaints to the file.
  /// @param used  something of the text was used
  /// @throws InputError  nothing was: `code` and `text`, then all complaints
  void hand_over(MeasuredFile& file, bool used, const std::string& code, const std::string& text);

 private:
  std::string path_;
  std::vector<Complaint> complaints_;
  std::size_t more_ = 0;
};

}  // namespace saturn
