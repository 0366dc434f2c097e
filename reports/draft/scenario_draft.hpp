#pragma once

#include <string>
#include <vector>

namespace saturn {

/// What a number of a drafted scenario rests on.
enum class DraftBasis {
  given,       ///< typed, or answered
  measured,    ///< fitted to measured files
  repository,  ///< what a model's configuration says
  assumed,     ///< nothing: to be changed by whoever knows better
};

/// "given", "measured", "repository", "assumed".
const char* name_of(DraftBasis basis);

/// Where a value is from, in words: an option, a file with its rows, or what was assumed.
struct DraftOrigin {
  DraftBasis basis = DraftBasis::given;
  std::string text{};
};

/// A value of a drafted scenario that somebody may ask about.
struct DraftedValue {
  std::string pointer{};
  std::string json{};
  DraftOrigin origin{};
};

/// A scenario that is being written, value by value, with a comment on each that says where it is from.
class ScenarioDraft {
 public:
  /// Puts a value that needs no reason, such as a name. Lists grow by their next index.
  /// @param json  the value as JSON
  void put(const std::string& pointer, const std::string& json);
  /// Puts a value with its origin.
  void put(const std::string& pointer, const std::string& json, DraftOrigin origin);

  /// Values with an origin, in the order in which they were put.
  std::vector<DraftedValue> values() const;
  std::size_t count(DraftBasis basis) const;

  /// The document as JSON with comments: what is short stands in one line.
  /// @param heading  comments above it, a line each
  std::string text(const std::vector<std::string>& heading) const;

 private:
  struct Put {
    DraftedValue value{};
    bool has_origin = false;
  };
  std::vector<Put> put_{};
};

/// A text as JSON.
std::string json_of(const std::string& text);

}  // namespace saturn
