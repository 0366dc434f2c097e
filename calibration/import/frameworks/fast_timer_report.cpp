#include <map>

#include "calibration/import/json_report.hpp"
#include "calibration/import/read_measured_file.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

constexpr double ms = 1e-3;

class FastTimerReader {
 public:
  explicit FastTimerReader(JsonReport& report) : report_(report), cpu_times_(report.import().file().cpu_times) {}

  void read() {
    const Node* total = report_.root().find("total");
    if (total != nullptr) read_entry(*total, true);
    const Node* modules = report_.root().find("modules");
    if (modules != nullptr && modules->kind == NodeKind::list)
      for (const Node& module : modules->children) read_entry(module, false);
    if (cpu_times_.empty())
      report_.import().refuse("import.no_cpu_time",
                              "This report of FastTimerService holds no usable time: entries of \"modules\" and "
                              "\"total\" need \"events\" and \"time_thread\" [ms] above 0.");
    note();
  }

 private:
  std::string name_of(const Node& entry, bool whole_event);
  void read_entry(const Node& entry, bool whole_event);
  void note();

  JsonReport& report_;
  std::vector<CpuTimes>& cpu_times_;
  std::map<std::string, std::size_t> seen_{};
  std::optional<double> job_events_{};
  std::size_t idle_ = 0;     // modules without any time
  std::size_t partial_ = 0;  // modules that ran in some events only
  std::size_t real_ = 0;     // entries that have real time alone
};

std::string FastTimerReader::name_of(const Node& entry, bool whole_event) {
  if (whole_event) return "event";
  std::string name = json_words(entry.find("label"));
  if (const std::string type = json_words(entry.find("type")); !type.empty()) name += ":" + type;
  const std::size_t times = ++seen_[name];
  return times == 1 ? name : name + " (" + std::to_string(times) + ")";
}

void FastTimerReader::read_entry(const Node& entry, bool whole_event) {
  const Node* time = entry.find("time_thread");
  if (time == nullptr) {
    time = entry.find("time_real");
    if (time != nullptr) ++real_;
  }
  const std::optional<double> events = json_figure(entry.find("events"));
  const std::optional<double> sum_ms = json_figure(time);
  if (events && sum_ms && !whole_event && (*events == 0.0 || *sum_ms == 0.0)) {
    ++idle_;
    return;
  }
  if (!events || *events < 1.0 || !sum_ms || *sum_ms == 0.0 || !is_measurable(*sum_ms * ms / *events)) {
    report_.leave_out(entry, "import.unusable_time",
                      (whole_event ? "\"total\"" : "The module " + shown(json_words(entry.find("label")))) +
                          " is not used: \"events\" (1 or more) and \"time_thread\" (milliseconds, summed over the "
                          "events, above 0) are needed.");
    return;
  }
  if (!whole_event && json_words(entry.find("label")).empty()) {
    report_.leave_out(entry, "import.no_name", "This module is not used: it has no \"label\".");
    return;
  }
  if (whole_event) job_events_ = events;
  if (!whole_event && job_events_ && *events < *job_events_) ++partial_;
  cpu_times_.push_back({.at = report_.at(entry),
                        .name = name_of(entry, whole_event),
                        .mean_s = *sum_ms * ms / *events,
                        .count = static_cast<std::size_t>(*events),
                        .whole_event = whole_event});
}

void FastTimerReader::note() {
  const auto add = [&](const std::string& text) { report_.import().note("FastTimerService: " + text); };
  add("only sums are in the file: means without a spread.");
  if (real_ > 0) add(counted(real_, "entry") + " without time_thread: the real time is taken.");
  if (idle_ > 0) add(counted(idle_, "module") + " never ran or took no time; not listed.");
  if (partial_ > 0)
    add(counted(partial_, "module") +
        " ran in a part of the events only; such a mean is over the events in which the module ran.");
}

bool recognises_fast_timer(std::string_view text) {
  return begins_as_object(text) && holds_one(text, {"\"time_thread\"", "\"time_real\""}) &&
         holds_one(text, {"\"modules\"", "\"total\"", "\"mem_alloc\""});
}

void read_fast_timer(Import& import) {
  JsonReport report(import,
                    " Import the whole resources.json that FastTimerService wrote; examples in documentation leave "
                    "modules out with \"...\".");
  FastTimerReader(report).read();
}

}  // namespace

ImportFormat fast_timer_json() {
  return {.name = "FastTimerService JSON",
          .looks_like = "CMSSW's resources.json, with \"modules\" and \"total\"",
          .recognises = recognises_fast_timer,
          .read = read_fast_timer};
}

}  // namespace saturn
