#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/import/imported_text.hpp"
#include "calibration/import/measured_file.hpp"

namespace saturn {

/// One sample of Prometheus' text format: name{label="value",...} value [timestamp].
/// Source  prometheus.io, docs/instrumenting/exposition_formats
struct PrometheusSample {
  std::string name{};
  std::map<std::string, std::string> labels{};  ///< escapes resolved
  double value = 0.0;                           ///< finite
  std::optional<double> time_s{};               ///< since 1970; the text has milliseconds
};

/// A line that is no comment.
/// @returns absent, with the reason in `fault`, when it is not such a sample
std::optional<PrometheusSample> prometheus_line(std::string_view line, std::string& fault);

/// What the models of a server have done between two readings of its counters. A model that the earlier reading has not
/// counts from zero, unless that reading had to leave something out. Ensembles are kept, marked as such.
/// @returns counters of the models that answered requests in between; elapsed_s where both files carry timestamps;
///          path, hash and place are those of the later reading
/// @throws InputError  import.no_difference: no model is left; with the reason for each: counters that fell (the server
///                     was started anew, or the files were given in the wrong order), no request in between, a model
///                     that the later reading has not
MeasuredFile difference(const MeasuredFile& earlier, const MeasuredFile& later);

/// Adds up the counters of each model over its versions and GPUs.
class TritonCounters {
 public:
  TritonCounters(std::string path, LeftOutLines& complaints) : path_(std::move(path)), complaints_(complaints) {}

  /// True for the names of counters that count here.
  static bool counts(std::string_view name);

  /// Takes a sample of such a name.
  /// @param text  the line, for complaints
  void take(const PrometheusSample& sample, std::size_t line, std::string_view text);

  /// Hands over the counters of the models that answered requests; models with gaps in their series are left out.
  /// Says in notes which models answered none, and which are ensembles.
  std::vector<ServerCounters> finish(std::vector<std::string>& notes);

 private:
  /// A model's version on a GPU.
  struct Series {
    std::map<std::string, double> values{};  ///< by counter
  };
  struct Model {
    std::size_t line = 0;
    std::map<std::string, Series> series{};
    std::optional<double> read_at_s{};
    bool on_gpu = false;  ///< its series name a GPU
  };

  ServerCounters add_up(const std::string& name, const Model& model);
  bool complete(const std::string& name, const Model& model);

  std::string path_;
  LeftOutLines& complaints_;
  std::map<std::string, Model> models_;
  std::map<std::string, std::size_t> seen_;  ///< line of a sample by name and labels
};

/// Marks the ensembles among the counters of one server, and says in notes how they were known: no execution or no
/// computation of their own, no GPU where other models name theirs, or times that are the sum of those of other models.
/// @param without_gpu  names of models whose series name no GPU, while those of others do
void mark_ensembles(std::vector<ServerCounters>& counters, const std::set<std::string>& without_gpu,
                    std::vector<std::string>& notes);

}  // namespace saturn
