#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "calibration/score/placed_rows.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/scenario_traits.hpp"

namespace saturn {

namespace {

/// A quantile that a histogram tells: it lies in one of the buckets.
struct BucketQuantile {
  double low_s = 0.0;
  double high_s = 0.0;
  double value_s = 0.0;  ///< as if the bucket's requests were spread evenly over it
};

/// Nothing for a quantile beyond the last finite edge.
/// @param buckets  requests that took at most so long, by that time
std::optional<BucketQuantile> quantile_of(const std::map<double, double>& buckets, double share) {
  if (buckets.empty() || !(buckets.rbegin()->second > 0.0)) return std::nullopt;
  const double rank = share * buckets.rbegin()->second;
  double low_s = 0.0;
  double below = 0.0;
  for (const auto& [edge_s, requests] : buckets) {
    if (requests >= rank && requests > below) {
      if (!std::isfinite(edge_s)) return std::nullopt;
      return BucketQuantile{low_s, edge_s, low_s + (edge_s - low_s) * (rank - below) / (requests - below)};
    }
    low_s = edge_s;
    below = requests;
  }
  return std::nullopt;
}

class ServerRows {
 public:
  ServerRows(const Scenario& scenario, const std::string& chosen) : chosen_(chosen), called_(called_models(scenario)) {}

  RowsOfFile of(const MeasuredFile& file);

 private:
  std::string model_of(const ServerCounters& counters, std::size_t models) const;
  void add(const ServerCounters& counters, const std::string& model);
  void add_buckets(const ServerCounters& counters, MeasuredRow& row);

  const std::string& chosen_;
  std::set<std::string> called_;
  RowsOfFile result_{};
};

constexpr std::pair<double, const char*> server_quantiles[] = {
    {0.5, "server_p50_s"}, {0.95, "server_p95_s"}, {0.99, "server_p99_s"}};

/// Empty where the model is none that the jobs call.
std::string ServerRows::model_of(const ServerCounters& counters, std::size_t models) const {
  if (!chosen_.empty()) return (models == 1 || counters.model == chosen_) && called_.contains(chosen_) ? chosen_ : "";
  if (called_.contains(counters.model)) return counters.model;
  return models == 1 && called_.size() == 1 ? *called_.begin() : "";
}

void ServerRows::add_buckets(const ServerCounters& counters, MeasuredRow& row) {
  // A quantile that may be off by more says little about an error.
  constexpr double narrow = 1.25;
  for (const auto& [share, quantity] : server_quantiles) {
    if (counters.quantiles_s.contains(share)) continue;
    const auto found = quantile_of(counters.first_response, share);
    if (!found) continue;
    add_measured(row.point, quantity, {{quantity, found->value_s}});
    if (row.point.values.empty() || row.point.values.back().quantity->name != quantity) continue;
    row.point.values.back().scored = found->high_s <= narrow * found->low_s;
    append_part(row.point.remark,
                significant(100 * share, 3) + " % quantile from a bucket, " + significant(1e3 * found->low_s, 4) +
                    " to " + significant(1e3 * found->high_s, 4) + " ms",
                "; ");
    result_.note(
        "Quantiles of a histogram are those of the first response, and lie anywhere in their bucket; where its edges "
        "are more than a quarter apart, the error is shown and does not count.");
  }
}

void ServerRows::add(const ServerCounters& counters, const std::string& model) {
  std::map<std::string, double> values;
  for (const auto& [share, quantity] : server_quantiles)
    if (const auto found = counters.quantiles_s.find(share); found != counters.quantiles_s.end())
      values[quantity] = found->second;
  const auto mean_of = [&](const char* sum) -> std::optional<double> {
    const auto found = measured_value(counters.sums_s, sum);
    return found ? std::optional(*found / counters.requests) : std::nullopt;
  };
  if (const auto mean_s = mean_of("request_s")) values["server_mean_s"] = *mean_s;
  if (const auto mean_s = mean_of("queue_s")) values["queue_s"] = *mean_s;
  if (const auto infer_s = mean_of("compute_infer_s"))
    values["compute_s"] =
        *infer_s + mean_of("compute_input_s").value_or(0.0) + mean_of("compute_output_s").value_or(0.0);
  if (counters.elapsed_s) {
    values["requests_per_s"] = counters.requests / *counters.elapsed_s;
    values["items_per_s"] = counters.items / *counters.elapsed_s;
  }
  MeasuredRow row;
  row.model = model;
  row.point.label = model;
  for (const char* quantity : {"requests_per_s", "items_per_s", "queue_s", "compute_s", "server_mean_s", "server_p50_s",
                               "server_p95_s", "server_p99_s"})
    add_measured(row.point, quantity, values);
  add_buckets(counters, row);
  constexpr double telling = 0.01;
  const auto whole = measured_value(values, "server_mean_s");
  for (MeasuredValue& value : row.point.values)
    if (value.quantity->name == "queue_s" && whole) value.scored = value.value >= telling * *whole;
  result_.rows.push_back({.at = counters.at, .load = 0.0, .row = std::move(row)});
}

RowsOfFile ServerRows::of(const MeasuredFile& file) {
  for (const ServerCounters& counters : file.counters) {
    const std::string model = model_of(counters, file.counters.size());
    if (!model.empty()) {
      add(counters, model);
      continue;
    }
    result_.leave_out(counters.at, "score.other_model",
                      "The counters are of the model " + shown(counters.model) + ", and the scenario's jobs call " +
                          listed({called_.begin(), called_.end()}) + "; --model names the one that they are of.");
  }
  if (!result_.rows.empty())
    result_.note(
        "The counters do not say what the clients did: the scenario is simulated as it stands. Times in the server are "
        "compared with simulated latencies less the mean times on the network and in the host's input handling.");
  return std::move(result_);
}

}  // namespace

RowsOfFile server_rows(const Scenario& scenario, const MeasuredFile& file, const std::string& chosen) {
  return ServerRows(scenario, chosen).of(file);
}

}  // namespace saturn
