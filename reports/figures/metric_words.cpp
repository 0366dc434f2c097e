#include "reports/figures/metric_words.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace saturn {

namespace {

using NamedTitle = std::pair<std::string_view, std::string_view>;

/// Of what points answer besides the numbers of a run.
constexpr std::array<NamedTitle, 9> known_answers{
    {{answer_keys::streams_per_gpu, "streams per GPU"},
     {"unrounded_streams_per_gpu", "streams per GPU, not rounded"},
     {answer_keys::saturates_at, "streams per GPU at which it saturates"},
     {answer_keys::within_slowdown, "streams per GPU within the slowdown"},
     {"next_at_jobs", "jobs at which the next limit binds"},
     {"cost_per_million_events", "cost of a million events"},
     {answer_keys::binding, "what binds first"},
     {answer_keys::next, "what binds next"},
     {"rent", "rent"}}};

constexpr std::array<NamedTitle, 9> known_axes{{{"rtt", "round-trip time"},
                                                {"count", "number of jobs"},
                                                {"jobs.0.count", "number of jobs"},
                                                {"jobs.1.count", "number of jobs of the second kind"},
                                                {"devices.count", "number of devices"},
                                                {"nodes", "number of nodes"},
                                                {"instances", "number of instances"},
                                                {"per_item", "time per item"},
                                                {"per_batch", "time per batch"}}};

template <std::size_t n>
std::optional<std::string> title_in(const std::array<NamedTitle, n>& titles, std::string_view name) {
  const auto found =
      std::find_if(titles.begin(), titles.end(), [&](const NamedTitle& one) { return one.first == name; });
  if (found == titles.end()) return std::nullopt;
  return std::string(found->second);
}

std::string with_blanks(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

/// The parts of "models.emtrk.latency": names of models may hold dots, kinds do not.
struct StemParts {
  std::string_view group;
  std::string_view owner;
  std::string_view kind;
};

std::optional<StemParts> parts_of(std::string_view stem) {
  const std::size_t first = stem.find('.');
  const std::size_t last = stem.rfind('.');
  if (first == std::string_view::npos || first == last) return std::nullopt;
  return StemParts{stem.substr(0, first), stem.substr(first + 1, last - first - 1), stem.substr(last + 1)};
}

bool is_of(const Measure& measure, std::string_view group) {
  switch (measure.subject) {
    case Subject::jobs:
      return group == (measure.swept == Swept::of_each ? "jobs" : "");
    case Subject::model:
      return group == "models";
    case Subject::resource:
      return group == "resources";
    case Subject::run:
      return group.empty();
    case Subject::stage:
    case Subject::candidate:
      break;
  }
  return false;
}

/// The number of a run that a sweep calls so; null where it is something else.
const Measure* swept_measure(const std::string& stem) {
  const StemParts parts = parts_of(stem).value_or(StemParts{"", "", stem});
  const auto* found = std::find_if(measures::table.begin(), measures::table.end(), [&](const Measure& one) {
    return one.swept != Swept::no && one.name == parts.kind && is_of(one, parts.group);
  });
  return found == measures::table.end() ? nullptr : found;
}

}  // namespace

std::string metric_title(const std::string& stem) {
  if (const auto title = title_in(known_answers, stem)) return *title;
  const Measure* measure = swept_measure(stem);
  const std::optional<StemParts> parts = parts_of(stem);
  const std::string_view kind = parts ? parts->kind : std::string_view(stem);
  const bool has_title = measure != nullptr && !measure->title.empty();
  std::string title = has_title ? std::string(measure->title) : kind == "verdict" ? "verdict on" : with_blanks(kind);
  if (!parts) return title;
  return title + (kind == "verdict" ? " " : " of ") + std::string(parts->owner);
}

std::string axis_title(const std::string& name) {
  if (const auto title = title_in(known_axes, name)) return *title;
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot + 1 == name.size()) return with_blanks(name);
  std::string owner = name.substr(0, dot);
  std::replace(owner.begin(), owner.end(), '.', ' ');
  return title_in(known_axes, name.substr(dot + 1)).value_or(with_blanks(name.substr(dot + 1))) + " of " + owner;
}

Better better_of(const std::string& stem) {
  if (const Measure* measure = swept_measure(stem)) return measure->better;
  if (stem == "rent" || stem == "cost_per_million_events") return Better::less;
  return stem.ends_with("streams_per_gpu") || stem == "next_at_jobs" ? Better::more : Better::neither;
}

}  // namespace saturn
