#include "reports/figures/metric_words.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace saturn {

namespace {

using NamedTitle = std::pair<std::string_view, std::string_view>;

constexpr std::array<NamedTitle, 14> known_metrics{
    {{"events", "event rate"},
     {"event_time", "event time"},
     {"event_time_p50", "median event time"},
     {"event_time_p95", "event time, 95th percentile"},
     {"event_time_p99", "event time, 99th percentile"},
     {"clients_per_gpu", "clients per GPU"},
     {"unrounded_clients_per_gpu", "clients per GPU, not rounded"},
     {"saturates_at_clients_per_gpu", "clients per GPU at which it saturates"},
     {"within_slowdown_clients_per_gpu", "clients per GPU within the slowdown"},
     {"next_at_jobs", "jobs at which the next limit binds"},
     {"cost_per_million_events", "cost of a million events"},
     {"binding", "what binds first"},
     {"next", "what binds next"},
     {"rent", "rent"}}};

constexpr std::array<NamedTitle, 7> known_of_models{{{"requests", "request rate of "},
                                                     {"latency", "latency of "},
                                                     {"latency_p50", "median latency of "},
                                                     {"latency_p95", "95th percentile of the latency of "},
                                                     {"latency_p99", "99th percentile of the latency of "},
                                                     {"queue", "time in the queue of "},
                                                     {"compute", "compute time of "}}};

constexpr std::array<NamedTitle, 4> known_of_jobs{{{"offered", "offered event rate of "},
                                                   {"lost_fraction", "lost share of events of "},
                                                   {"verdict", "verdict on "},
                                                   {"events", "event rate of "}}};

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

bool has_part(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

std::string metric_title(const std::string& stem) {
  if (const auto title = title_in(known_metrics, stem)) return *title;
  const std::optional<StemParts> parts = parts_of(stem);
  if (!parts) return with_blanks(stem);
  const std::string owner(parts->owner);
  if (parts->group == "resources" && parts->kind == "busy_fraction") return "busy share of " + owner;
  if (parts->group == "models" && parts->kind == "batch_items") return "items of a batch of " + owner;
  if (parts->group == "models")
    if (const auto title = title_in(known_of_models, parts->kind)) return *title + owner;
  if (parts->group == "jobs")
    if (const auto title = title_in(known_of_jobs, parts->kind)) return *title + owner;
  return with_blanks(parts->kind) + " of " + owner;
}

std::string axis_title(const std::string& name) {
  if (const auto title = title_in(known_axes, name)) return *title;
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot + 1 == name.size()) return with_blanks(name);
  std::string owner = name.substr(0, dot);
  std::replace(owner.begin(), owner.end(), '.', ' ');
  return title_in(known_axes, name.substr(dot + 1)).value_or(with_blanks(name.substr(dot + 1))) + " of " + owner;
}

Preference preference_of(const std::string& stem) {
  const std::optional<StemParts> parts = parts_of(stem);
  const std::string_view kind = parts ? parts->kind : std::string_view(stem);
  if (kind == "events" || kind == "requests" || has_part(kind, "clients_per_gpu") || kind == "next_at_jobs")
    return Preference::more;
  if (kind.starts_with("event_time") || kind.starts_with("latency") || kind.starts_with("cost_") ||
      kind == "slowdown" || kind == "lost_fraction" || kind == "rent" || kind == "queue" || kind == "compute")
    return Preference::less;
  return Preference::none;
}

}  // namespace saturn
