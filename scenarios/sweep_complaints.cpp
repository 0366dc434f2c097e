#include "scenarios/sweep_complaints.hpp"

#include "scenarios/document.hpp"

namespace saturn {

namespace {

/// An option as it was typed, cut where it is very long; nothing of what is no text.
std::string typed(const std::string& option, const std::string& value) {
  constexpr std::size_t longest = 200;
  if (value.empty() || first_invalid_utf8(value) != std::string::npos) return option;
  if (value.size() <= longest) return option + " " + value;
  std::string begin = value.substr(0, longest);
  if (const std::size_t torn = first_invalid_utf8(begin); torn != std::string::npos) begin.resize(torn);
  return option + " " + begin + "...";
}

std::string element(const std::string& list, std::size_t index) {
  return list.empty() ? list : list + "/" + std::to_string(index);
}

}  // namespace

void SweepComplaints::about_axis(std::size_t axis, const char* code, const std::string& sentence) {
  add("--axis", text_.axes[axis], element(text_.places.axes, axis), code, sentence);
}

void SweepComplaints::about_axes(const char* code, const std::string& sentence) {
  add("--axis", text_.axes.size() == 1 ? text_.axes.front() : "", text_.places.axes, code, sentence);
}

void SweepComplaints::about_condition(std::size_t condition, const char* code, const std::string& sentence) {
  add("--where", text_.where[condition], element(text_.places.where, condition), code, sentence);
}

void SweepComplaints::about_sample(const char* code, const std::string& sentence) {
  add("--sample", std::to_string(text_.sample.value_or(0)), text_.places.sample, code, sentence);
}

void SweepComplaints::stop_if_any() const {
  if (!complaints_.empty()) throw InputError(complaints_);
}

void SweepComplaints::add(const std::string& option, const std::string& value, const std::string& pointer,
                          const char* code, const std::string& sentence) {
  if (!pointer.empty() && read_.about_sweep)
    complaints_.push_back(read_.about_sweep(pointer, code, sentence));
  else
    complaints_.push_back({.source = typed(option, value), .code = code, .text = sentence});
}

}  // namespace saturn
