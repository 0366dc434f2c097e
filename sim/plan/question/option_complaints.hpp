#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scenarios/document/complaints.hpp"

namespace saturn {

/// Complaints about options, collected so that the user sees all of them at once.
class OptionComplaints {
 public:
  /// @param option  as it was typed: "--free /jobs/0/count=8:1"
  void refuse(const std::string& option, std::string code, std::string text) {
    complaints_.push_back({.source = option, .code = std::move(code), .text = std::move(text)});
  }
  bool empty() const { return complaints_.empty(); }
  std::size_t count() const { return complaints_.size(); }
  /// @throws InputError  if there are any
  void stop_if_any() const {
    if (!complaints_.empty()) throw InputError(complaints_);
  }

 private:
  std::vector<Complaint> complaints_;
};

}  // namespace saturn
