#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace saturn {

/// Goes through a text line by line; lines end with LF or CRLF. Lines of nothing but white space are passed over.
class LineWalk {
 public:
  explicit LineWalk(std::string_view text) : rest_(text) {}

  /// Goes on to the next line. @returns false behind the last one
  bool next();

  std::size_t line() const { return line_; }       ///< from 1
  std::string_view text() const { return text_; }  ///< without its end
  bool ended() const { return ended_; }            ///< a line feed stands behind it
  std::string_view rest() const { return rest_; }  ///< what follows the line

 private:
  std::string_view rest_;
  std::string_view text_{};
  std::size_t line_ = 0;
  bool ended_ = false;
};

/// A name of a column as it is compared: small letters, no margins, one blank where there are several.
std::string column_key(std::string_view name);

/// The whole text as a decimal number, such as "12", " 0.5" or "1e+06"; absent when it is anything else, or nothing
/// that a measurement can give (is_measurable(), but for the sign).
std::optional<double> plain_number(std::string_view text);

}  // namespace saturn
