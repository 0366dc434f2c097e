#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "scenarios/document.hpp"

namespace saturn {

/// Complaints and warnings about one document, collected so that the user sees all of them at once.
class ComplaintList {
 public:
  /// @param pointer  JSON pointer of the guilty value, also when it is absent
  void refuse(Place place, const std::string& pointer, std::string code, std::string text);
  /// Makes the value at the pointer unsound without a complaint of its own: another one covers it.
  void distrust(const std::string& pointer) { refused_pointers_.insert(pointer); }
  void warn(Place place, const std::string& pointer, std::string code, std::string text);

  /// True when nothing was refused at the pointer, below it, or at one of its ancestors: what was decoded from there
  /// can be trusted.
  bool sound(const std::string& pointer) const;
  /// True when nothing was refused at the pointer or at one of its ancestors: the entries of the list or object that
  /// stands there are all known, though some may be wrong inside.
  bool complete(const std::string& pointer) const;
  bool empty() const { return refused_.empty(); }
  /// So many complaints that further ones need no effort.
  bool full() const { return refused_.size() >= most_kept; }

  /// The complaints by position, each once; after the first 50 one that says how many more there are.
  std::vector<Complaint> complaints(const Document& document) const { return located(refused_, document); }
  /// The warnings in the same way.
  std::vector<Complaint> warnings(const Document& document) const { return located(warned_, document); }

 private:
  static constexpr std::size_t most_kept = 1000;
  static constexpr std::size_t most_printed = 50;

  struct Entry {
    Place place;
    std::string code;
    std::string text;
    auto operator<=>(const Entry&) const = default;
  };

  static void keep(std::vector<Entry>& entries, Entry entry);
  static std::vector<Complaint> located(std::vector<Entry> entries, const Document& document);

  std::vector<Entry> refused_;
  std::vector<Entry> warned_;
  std::set<std::string> refused_pointers_;
};

}  // namespace saturn
