#include "scenarios/complaint_list.hpp"

#include <algorithm>
#include <utility>

namespace saturn {

void ComplaintList::keep(std::vector<Entry>& entries, Entry entry) {
  constexpr std::size_t longest_text = 1500;
  if (entries.size() >= most_kept) return;
  if (entry.text.size() > longest_text) entry.text = entry.text.substr(0, longest_text) + "...";
  entries.push_back(std::move(entry));
}

void ComplaintList::refuse(Place place, const std::string& pointer, std::string code, std::string text) {
  // Also beyond what is kept: whoever asks whether the value can be trusted must hear that it cannot.
  refused_pointers_.insert(pointer);
  keep(refused_, {place, std::move(code), std::move(text)});
}

void ComplaintList::warn(Place place, const std::string&, std::string code, std::string text) {
  keep(warned_, {place, std::move(code), std::move(text)});
}

bool ComplaintList::complete(const std::string& pointer) const {
  std::size_t end = pointer.size();
  while (!refused_pointers_.contains(pointer.substr(0, end))) {
    if (end == 0) return true;
    const std::size_t slash = pointer.rfind('/', end - 1);
    end = slash == std::string::npos ? 0 : slash;
  }
  return false;
}

bool ComplaintList::sound(const std::string& pointer) const {
  if (!complete(pointer)) return false;
  const auto below = refused_pointers_.lower_bound(pointer + "/");
  return below == refused_pointers_.end() || !below->starts_with(pointer + "/");
}

std::vector<Complaint> ComplaintList::located(std::vector<Entry> entries, const Document& document) {
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  std::vector<Complaint> complaints;
  for (const Entry& entry : entries) {
    if (complaints.size() == most_printed) {
      complaints.push_back({.source = document.sources.front().name,
                            .code = "scenario.more_complaints",
                            .text = "And " + std::to_string(entries.size() - most_printed) +
                                    " more; correct these first and read again."});
      break;
    }
    complaints.push_back(document.complaint_at(entry.place, entry.code, entry.text));
  }
  return complaints;
}

}  // namespace saturn
