#include "calibration/measured_batches.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <utility>

#include "models/words/numbers.hpp"

namespace saturn {

namespace {

// Windows of a load test end between two batches, so that a busy instance can seem to be a little more than busy.
constexpr double most_busy = 1.1;
// Rates and latencies are means over windows, so that Little's law is met to some percent.
constexpr double least_batch = 0.8;
// The plateau begins with the first load that reaches so much of the largest rate. Loads behind it all count, the lower
// of them too: to choose among them by their rates would be to choose the lucky ones.
constexpr double plateau = 0.95;

/// Input, inference and output: for so long the instance is taken.
std::optional<double> compute_time(const std::map<std::string, double>& values) {
  const std::optional<double> infer = measured_value(values, "compute_infer_s");
  if (!infer || !(*infer > 0.0)) return std::nullopt;
  return *infer + measured_value(values, "compute_input_s").value_or(0.0) +
         measured_value(values, "compute_output_s").value_or(0.0);
}

bool alone(const LoadPoint& load) {
  return load.concurrency && *load.concurrency <= 1.0;
}

class SeriesOfFile {
 public:
  SeriesOfFile(const MeasuredFile& file, std::string default_model)
      : file_(file), default_model_(std::move(default_model)) {}

  std::vector<ServiceSeries> read() {
    for (const LoadPoint& load : file_.loads) by_name_[key(load)].push_back(&load);
    for (const auto& [name, loads] : by_name_) add_loads(name, loads);
    for (const ServerCounters& counters : file_.counters) add_counters(counters);
    std::vector<ServiceSeries> all;
    for (auto& [name, series] : series_) all.push_back(std::move(series));
    return all;
  }

 private:
  using Key = std::pair<std::string, std::string>;  ///< model, configuration

  Key key(const LoadPoint& load) const {
    return {load.model.empty() ? default_model_ : load.model, load.configuration};
  }

  ServiceSeries& series(const Key& name, BatchTimeFrom from) {
    ServiceSeries& one = series_[{name, from}];
    if (one.source.empty()) {
      one.model = name.first;
      one.configuration = name.second;
      one.source = file_.path;
      one.from = from;
    }
    return one;
  }

  void leave_out(const Key& name, BatchTimeFrom from, const FoundAt& at, const char* code, const std::string& text) {
    series(name, from)
        .left_out.push_back({.source = at.file, .line = at.line, .code = code, .text = text, .excerpt = ""});
  }

  /// A request carries an item at least; less says that rate and times do not belong together.
  bool sound(const Key& name, const LoadPoint& load) {
    const double batch = load.request_batch.value_or(1.0);
    if (batch >= least_batch) return true;
    leave_out(name, BatchTimeFrom::server_times, load.at, "calibration.wrong_unit",
              "by Little's law a request would carry " + decimal_text(std::round(1e4 * batch) / 1e4, 6) +
                  " items: rate and times do not belong together. Are the times in another unit than the format's?");
    return false;
  }

  void add_loads(const Key& name, const std::vector<const LoadPoint*>& loads) {
    std::vector<const LoadPoint*> bare;
    for (const LoadPoint* load : loads) {
      if (!sound(name, *load)) continue;
      if (compute_time(load->measured)) {
        add_server_time(name, *load);
      } else {
        bare.push_back(load);
      }
    }
    say_together(name);
    const bool all_alone = std::all_of(bare.begin(), bare.end(), [](const LoadPoint* load) { return alone(*load); });
    if (all_alone) {
      for (const LoadPoint* load : bare) add_latency(name, *load);
    } else {
      add_throughputs(name, bare);
    }
  }

  void add_server_time(const Key& name, const LoadPoint& load) {
    const double time = *compute_time(load.measured);
    const std::optional<double> batch = load.executed_batch ? load.executed_batch : load.request_batch;
    if (!batch) {
      leave_out(name, BatchTimeFrom::server_times, load.at, "calibration.no_batch",
                "the batch is not known: neither the file nor Little's law tells it.");
      return;
    }
    const double at_once = load.items_per_s * time / *batch;
    if (!load.executed_batch && at_once > most_busy * load.instances.value_or(1.0)) {
      together_.push_back({&load, *batch, at_once});
      return;
    }
    series(name, BatchTimeFrom::server_times)
        .points.push_back({.x = *batch, .y = time, .standard_error = error_of(load, time), .label = load.at.text()});
  }

  /// A sweep over requests in flight has many such rows, of which one sentence says enough.
  void say_together(const Key& name) {
    if (together_.empty()) return;
    const auto [least, most] = std::minmax_element(
        together_.begin(), together_.end(), [](const Together& a, const Together& b) { return a.at_once < b.at_once; });
    const auto rounded = [](double value) { return decimal_text(std::round(100.0 * value) / 100.0, 6); };
    const bool several = together_.size() > 1;
    leave_out(name, BatchTimeFrom::server_times, together_.front().load->at, "calibration.unknown_batches",
              (several ? "in " + std::to_string(together_.size()) + " rows from here on " + rounded(least->at_once) +
                             " to " + rounded(most->at_once) + " requests"
                       : rounded(least->at_once) + " requests of " + decimal_text(least->batch, 6) + " items") +
                  " were computed at once, so the server forms batches or has several instances, and the "
                  "file does not say which; measure with one request in flight, or export the server's execution "
                  "counts.");
    together_.clear();
  }

  /// Where executions are counted, that of exponential times, which scatter more than those of batches.
  static std::optional<double> error_of(const LoadPoint& load, double time) {
    if (!load.executed_batch || !load.requests || !load.request_batch) return std::nullopt;
    const double executions = *load.requests * *load.request_batch / *load.executed_batch;
    return executions >= 1.0 ? std::optional<double>(time / std::sqrt(executions)) : std::nullopt;
  }

  void add_latency(const Key& name, const LoadPoint& load) {
    const std::optional<double> latency = measured_value(load.measured, "latency_mean_s");
    const std::optional<double> batch = load.request_batch;
    ServiceSeries& one = series(name, BatchTimeFrom::latency);
    if (!batch) {
      leave_out(name, BatchTimeFrom::latency, load.at, "calibration.no_batch",
                "the batch is not known: neither the file nor Little's law tells it.");
    } else if (latency) {
      one.points.push_back({.x = *batch,
                            .y = *latency,
                            .standard_error = measured_value(load.measured, "latency_sem_s"),
                            .label = load.at.text()});
    } else {
      // A lone client that waits for its answers has one request under way at a time.
      one.points.push_back(
          {.x = *batch, .y = *batch / load.items_per_s, .standard_error = {}, .label = load.at.text()});
    }
    if (one.notes.empty())
      one.notes.emplace_back("times are those that a lone client waited, so the network's part is in them");
  }

  /// For each batch the loads of its plateau.
  void add_throughputs(const Key& name, const std::vector<const LoadPoint*>& loads) {
    std::map<double, std::vector<const LoadPoint*>> by_batch;
    for (const LoadPoint* load : loads) {
      if (load->request_rate_per_s) {
        leave_out(name, BatchTimeFrom::throughput, load->at, "calibration.offered_rate",
                  "requests were offered at a fixed rate, which the server kept up with or not; its rate is no measure "
                  "of its times.");
      } else if (!load->request_batch) {
        leave_out(name, BatchTimeFrom::throughput, load->at, "calibration.no_batch",
                  "the batch is not known: neither the file nor Little's law tells it.");
      } else {
        by_batch[same_setting(*load, loads)].push_back(load);
      }
    }
    for (const auto& [batch, group] : by_batch) add_plateau(name, group);
  }

  /// Little's law gives repetitions of a load slightly different batches: they count as one setting.
  static double same_setting(const LoadPoint& load, const std::vector<const LoadPoint*>& loads) {
    if (load.batch_from != BatchOrigin::littles_law) return *load.request_batch;
    double sum = 0.0;
    double count = 0.0;
    for (const LoadPoint* other : loads) {
      if (!other->request_batch || other->batch_from != BatchOrigin::littles_law) continue;
      if (std::abs(*other->request_batch / *load.request_batch - 1.0) > 0.1) continue;
      sum += *other->request_batch;
      count += 1.0;
    }
    return std::round(sum / count);
  }

  void add_plateau(const Key& name, const std::vector<const LoadPoint*>& group) {
    double largest = 0.0;
    for (const LoadPoint* load : group) largest = std::max(largest, load->items_per_s);
    double begins = HUGE_VAL;
    for (const LoadPoint* load : group)
      if (load->items_per_s >= plateau * largest) begins = std::min(begins, load->concurrency.value_or(0.0));
    ServiceSeries& one = series(name, BatchTimeFrom::throughput);
    for (const LoadPoint* load : group) {
      if (load->concurrency.value_or(0.0) < begins) continue;
      one.points.push_back({.x = *load->request_batch,
                            .y = *load->request_batch / load->items_per_s,
                            .standard_error = {},
                            .label = load->at.text()});
    }
    if (one.notes.empty())
      one.notes.emplace_back(
          "times are batch over rate, from the first load on that reaches 95 % of the largest rate: it is taken that "
          "the device was busy all the "
          "time then. Where the server joins requests to larger batches, it is a request's share of their time");
  }

  void add_counters(const ServerCounters& counters) {
    const Key name{counters.model.empty() ? default_model_ : counters.model, ""};
    const std::optional<double> sum = compute_time(counters.sums_s);
    if (counters.ensemble || !sum || !(counters.requests > 0.0) || !(counters.executions > 0.0)) {
      leave_out(name, BatchTimeFrom::server_times, counters.at, "calibration.no_compute_time",
                counters.model + " computed nothing itself (an ensemble, or no request yet).");
      return;
    }
    ServiceSeries& one = series(name, BatchTimeFrom::server_times);
    one.points.push_back({.x = counters.items / counters.executions,
                          .y = *sum / counters.requests,
                          // Times of batches scatter less than exponential ones, whose error this is.
                          .standard_error = *sum / counters.requests / std::sqrt(counters.executions),
                          .label = counters.at.text()});
    if (one.notes.empty())
      one.notes.emplace_back(
          "the server's counters give the mean time at the mean batch, whatever the sizes were; its error is taken as "
          "that "
          "of exponential times, the mean over the root of the batches");
  }

  /// A load whose requests were computed side by side, or in batches: nobody knows.
  struct Together {
    const LoadPoint* load;
    double batch;    ///< of its requests [item]
    double at_once;  ///< requests
  };
  std::vector<Together> together_;
  const MeasuredFile& file_;
  std::string default_model_;
  std::map<Key, std::vector<const LoadPoint*>> by_name_;
  std::map<std::pair<Key, BatchTimeFrom>, ServiceSeries> series_;
};

}  // namespace

std::string stem_of(const std::string& path) {
  const std::string stem = std::filesystem::path(path).stem().string();
  return stem.empty() ? path : stem;
}

std::vector<ServiceSeries> service_series(std::span<const MeasuredFile> files, const std::string& model) {
  std::vector<ServiceSeries> all;
  for (const MeasuredFile& file : files) {
    SeriesOfFile reader(file, model.empty() ? stem_of(file.path) : model);
    for (ServiceSeries& one : reader.read()) all.push_back(std::move(one));
  }
  return all;
}

}  // namespace saturn
