#include "calibration/import/left_out_lines.hpp"

#include <algorithm>
#include <iterator>

namespace saturn {

namespace {

constexpr std::size_t most_complaints = 100;
constexpr std::size_t longest_excerpt = 300;

}  // namespace

void LeftOutLines::add(std::size_t line, const std::string& code, const std::string& text, std::string_view excerpt) {
  if (complaints_.size() == most_complaints) {
    ++more_;
    return;
  }
  complaints_.push_back({.source = path_,
                         .line = line,
                         .code = code,
                         .text = text,
                         .excerpt = std::string(excerpt.substr(0, longest_excerpt))});
}

void LeftOutLines::hand_over(MeasuredFile& file, bool used, const std::string& code, const std::string& text) {
  if (more_ > 0) {
    complaints_.push_back({.source = path_,
                           .code = "import.more_left_out",
                           .text = std::to_string(more_) + " more complaints like these are not listed."});
    more_ = 0;
  }
  if (!used) {
    complaints_.insert(complaints_.begin(), {.source = path_, .code = code, .text = text});
    throw InputError(complaints_);
  }
  std::move(complaints_.begin(), complaints_.end(), std::back_inserter(file.left_out));
  complaints_.clear();
}

}  // namespace saturn
