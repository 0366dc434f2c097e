#include "calibration/score/placed_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "calibration/import/import_kit.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

constexpr double whole_but_for_rounding = 1e-9;

}  // namespace

void RowsOfFile::note(const std::string& text) {
  constexpr std::size_t most_notes = 20;
  if (notes.size() > most_notes || std::find(notes.begin(), notes.end(), text) != notes.end()) return;
  notes.push_back(notes.size() < most_notes ? text : "There are further notes of this kind.");
}

void RowsOfFile::leave_out(const FoundAt& at, const std::string& code, const std::string& text) {
  left_out.push_back({.source = at.file, .line = at.line, .code = code, .text = text});
}

void RowsOfFile::refuse(const std::string& source, const std::string& code, const std::string& text) {
  const bool is_told = std::any_of(refusals.begin(), refusals.end(), [&](const Complaint& one) {
    return one.source == source && one.code == code && one.text == text;
  });
  if (!is_told) refusals.push_back({.source = source, .code = code, .text = text});
}

void add_measured(PublishedPoint& point, std::string_view quantity, const std::map<std::string, double>& measured) {
  const std::string name(quantity);
  const std::optional<double> value = measured_value(measured, name);
  if (!value || !(*value > 0.0)) return;
  const MeasuredQuantity* known = find_measured_quantity(quantity);
  if (known == nullptr) throw std::logic_error("add_measured: no quantity is called " + name);
  point.values.push_back({.quantity = known,
                          .value = *value,
                          .sd = measured_value(measured, name + "_sd"),
                          .sem = measured_value(measured, name + "_sem")});
}

std::optional<std::uint64_t> whole_count(double value, std::uint64_t most) {
  const double whole = std::round(value);
  if (!(whole >= 1.0) || !(whole <= static_cast<double>(most))) return std::nullopt;
  if (std::abs(value - whole) > whole_but_for_rounding * whole) return std::nullopt;
  return static_cast<std::uint64_t>(whole);
}

namespace {

/// The stage of a pool that a row's own time is put into.
struct OwnStage {
  std::optional<std::size_t> index{};
  double speed = 1.0;     ///< of the jobs' nodes, that the stage's time is divided by
  double own_s = 0.0;     ///< of all stages that every job has, as the scenario says [s]
  std::string why_not{};  ///< why no stage can take it
};

OwnStage own_stage(const JobPool& pool) {
  OwnStage own;
  std::size_t stages = 0;
  for (std::size_t s = 0; s < pool.event.size(); ++s) {
    const auto* cpu = std::get_if<CpuStage>(&pool.event[s]);
    if (cpu == nullptr || cpu->part_of) continue;
    ++stages;
    own.index = s;
    own.own_s += mean(cpu->time).value;
  }
  const auto* speed = std::get_if<ConstantSpeed>(&pool.speed);
  if (speed != nullptr) {
    own.speed = speed->value;
    own.own_s /= own.speed;
  }
  if (stages != 1)
    own.why_not =
        "the scenario has " + counted(stages, "CPU stage") + " that every job does, and one is needed to take them";
  else if (speed == nullptr)
    own.why_not = "the scenario's worker nodes differ in speed";
  else if (shares_cores(pool))
    own.why_not = "the streams of a job share its cores, so that they hold waiting as well";
  if (!own.why_not.empty()) own.index.reset();
  return own;
}

/// The same distribution with another mean; a constant where that has no meaning.
std::string time_value(const TimeDistribution& time, double mean_s) {
  const std::string mean = "\"" + exact_text(mean_s) + " s\"";
  if (std::holds_alternative<ExponentialTime>(time)) return R"({"exponential": {"mean": )" + mean + "}}";
  if (const auto* gamma = std::get_if<GammaTime>(&time))
    return R"({"gamma": {"mean": )" + mean + R"(, "cv": )" + exact_text(gamma->cv) + "}}";
  if (const auto* lognormal = std::get_if<LognormalTime>(&time))
    return R"({"lognormal": {"mean": )" + mean + R"(, "cv": )" + exact_text(lognormal->cv) + "}}";
  return exact_text(mean_s) + " s";
}

class ClientRows {
 public:
  ClientRows(const Scenario& scenario, std::size_t pool)
      : pool_(scenario.jobs[pool]), pointer_("/jobs/" + std::to_string(pool)), own_(own_stage(pool_)) {}

  RowsOfFile of(const MeasuredFile& file);

 private:
  void add(const ClosedLoopPoint& point);
  /// The row's time outside the module, when it tells one that makes sense.
  std::optional<double> own_time(const ClosedLoopPoint& point);
  /// By Little's law the clients are rate times event time; a file in other units shows here.
  void check_littles_law(const ClosedLoopPoint& point);
  void set_own_time(MeasuredRow& row, double own_s);
  void say_what_was_set();

  const JobPool& pool_;
  std::string pointer_;
  OwnStage own_;
  std::size_t with_own_ = 0;  // rows whose own time was put into the scenario
  RowsOfFile result_{};
};

std::optional<double> ClientRows::own_time(const ClosedLoopPoint& point) {
  std::optional<double> own = measured_value(point.measured, "nonml_s");
  const std::optional<double> event = measured_value(point.measured, "event_time_s");
  const std::optional<double> module = measured_value(point.measured, "module_time_s");
  if (!own && event && module) {
    if (*module >= *event) {
      result_.note(point.at.text() + ": the module takes as long as the whole event or longer (" +
                   significant(*module, 6) + " s of " + significant(*event, 6) +
                   " s), so the time outside it is not known.");
      return std::nullopt;
    }
    own = *event - *module;
  }
  if (own && !(*own > 0.0)) return std::nullopt;
  return own;
}

void ClientRows::check_littles_law(const ClosedLoopPoint& point) {
  constexpr double tolerated = 1.25;
  const std::optional<double> time = measured_value(point.measured, "event_time_s");
  const std::optional<double> rate = measured_value(point.measured, "events_per_s");
  if (!time || !rate) return;
  const double factor = *time * *rate / (point.clients * static_cast<double>(streams_per_job(pool_)));
  if (factor > 1.0 / tolerated && factor < tolerated) return;
  result_.note("Little's law does not hold in " + point.at.text() + ": rate times event time is " +
               significant(factor, 6) + " times the streams of the clients, so the scenario cannot meet both.");
}

void ClientRows::set_own_time(MeasuredRow& row, double own_s) {
  if (!own_.index) {
    result_.note("The rows' own times outside the offloaded module are not used: " + own_.why_not + ".");
    return;
  }
  const std::string at = pointer_ + "/event/" + std::to_string(*own_.index) + "/cpu";
  const auto& stage = std::get<CpuStage>(pool_.event[*own_.index]);
  row.set.push_back({.pointer = at, .value = time_value(stage.time, own_s * own_.speed)});
  row.nonml_s = own_s;
  ++with_own_;
}

void ClientRows::add(const ClosedLoopPoint& point) {
  const std::optional<std::uint64_t> jobs = whole_count(point.clients, most_jobs);
  if (!jobs) {
    result_.leave_out(point.at, "score.clients",
                      "The row has " + significant(point.clients, 6) +
                          " clients; a whole number from 1 to 2,000,000 can be simulated. It is not used.");
    return;
  }
  MeasuredRow row;
  row.point.label = counted(*jobs, "client");
  row.set.push_back({.pointer = pointer_ + "/count", .value = std::to_string(*jobs)});
  // What is taken off the simulated event time has to be what the simulation spends there.
  row.nonml_s = own_.own_s;
  if (const auto own = own_time(point)) set_own_time(row, *own);
  check_littles_law(point);
  for (const char* quantity : {"event_time_s", "module_time_s", "events_per_s"})
    add_measured(row.point, quantity, point.measured);
  if (row.point.values.empty()) {
    result_.leave_out(point.at, "score.nothing_to_compare",
                      "The row has no event time, module time or rate of events; nothing can be compared.");
    return;
  }
  result_.rows.push_back({.at = point.at, .load = point.clients, .row = std::move(row)});
}

void ClientRows::say_what_was_set() {
  if (streams_per_job(pool_) > 1)
    result_.note("A client is taken as a job of the scenario, which has " + std::to_string(streams_per_job(pool_)) +
                 " streams.");
  if (with_own_ == 0) return;
  const bool all = with_own_ == result_.rows.size();
  result_.note((all ? std::string("Each row is")
                    : "Of " + counted(result_.rows.size(), "row") + " " + std::to_string(with_own_) + " are") +
               " simulated with its own time outside the offloaded module" +
               (all ? "." : ", the others with the scenario's."));
}

RowsOfFile ClientRows::of(const MeasuredFile& file) {
  for (const ClosedLoopPoint& point : file.closed_loop) add(point);
  say_what_was_set();
  return std::move(result_);
}

}  // namespace

RowsOfFile client_rows(const Scenario& scenario, const MeasuredFile& file, std::size_t pool) {
  return ClientRows(scenario, pool).of(file);
}

}  // namespace saturn
