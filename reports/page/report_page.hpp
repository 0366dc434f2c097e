#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/results/run_outcome.hpp"
#include "reports/answer/answer.hpp"
#include "reports/figures/figure.hpp"
#include "reports/figures/maps/heat_map_figure.hpp"
#include "reports/page/planner_network.hpp"
#include "reports/page/played_second.hpp"
#include "scenarios/document/text_files.hpp"

namespace saturn {

// What the planner panel of a page computes with: the closed formulas of a single pool with blocking calls, whose jobs
// begin their events themselves or which events reach from outside, or the bounds of a network of pools and servers.

/// What a resource's demand follows when a slider moves.
enum class DemandFollows {
  nothing,    ///< it stays
  device,     ///< in proportion to the device time, and inversely to the number of devices
  bandwidth,  ///< inversely to the bandwidth
};

/// "nothing", "device", "bandwidth"
const char* name_of(DemandFollows follows);

/// A resource that jobs contend for.
struct PlannerResource {
  std::string name{};
  double demand_s = 0.0;  ///< D_r per event at the present values [s]
  DemandFollows follows = DemandFollows::nothing;
};

/// A simulated point that the formulas stand beside.
struct PlannerPoint {
  double clients = 0.0;
  double event_time_s = 0.0;
  double low_s = 0.0;
  double high_s = 0.0;
};

/// A simulated share of lost events that the formulas stand beside.
struct PlannerLoss {
  double devices = 0.0;
  double lost_fraction = 0.0;  ///< of the arrivals [1]
  double low = 0.0;
  double high = 0.0;
};

/// t_ideal = cpu + device + round_trips·round_trip + transferred/bandwidth + other;
/// R(N) = max(t_ideal, N·max D_r); X = N / R; knee = t_ideal / max D_r;
/// cost of a million events = (devices·device price + N·core price) / 3600 / X · 10^6 + traffic.
/// Where events arrive at the rate λ: C = min(1 / max D_r, N / t_ideal); X = min(λ, C); lost share = max(0, 1 − C/λ).
struct PlannerModel {
  std::string why_not{};  ///< why the formulas do not describe this scenario; then there is no panel
  std::string device_word = "GPU";
  std::string stream_word = "job";  ///< what is counted; "stream" where a job has several
  double cpu_s = 0.0;               ///< of an event on the job's core [s]
  double device_s = 0.0;            ///< of an event on one device [s]
  double round_trips = 0.0;         ///< per event, one after the other
  double round_trip_s = 0.0;
  double transferred_bytes = 0.0;          ///< per event, both ways, one after the other
  double bandwidth_bytes_per_s = 0.0;      ///< of one flow, nothing else on the way
  double other_s = 0.0;                    ///< the rest of t_ideal
  std::optional<double> arrivals_per_s{};  ///< λ, the long-run rate [1/s]; absent: jobs begin their events themselves
  double clients = 0.0;                    ///< streams
  double devices = 0.0;
  double tolerated_slowdown = 0.01;
  std::optional<double> device_usd_per_hour{};
  std::optional<double> core_usd_per_hour{};
  double other_usd_per_hour = 0.0;              ///< hosts and the like, as they are now
  double traffic_usd_per_million_events = 0.0;  ///< bytes that leave priced sites
  std::vector<PlannerResource> resources{};
  std::vector<PlannerPoint> simulated{};
  std::vector<PlannerLoss> losses{};  ///< where events arrive
  /// Where there is more than one pool with blocking calls to one server: in place of the parts and resources above.
  std::optional<PlannerNetwork> network{};
};

// A report as plain parts, and the one HTML file that it becomes. All texts are plain: the page escapes them.

/// A heat map whose cells can be clicked: `figure` is the name of its Figure in the same section.
struct LinkedMap {
  std::string figure{};
  FieldMap map{};
};

/// One part of the page.
struct PageSection {
  std::string id{};  ///< for links: letters, digits, "-"
  std::string heading{};
  std::vector<std::string> paragraphs{};  ///< one that ends with '\n' is shown line by line, as commands are
  std::vector<Figure> figures{};
  std::vector<LinkedMap> maps{};
  std::optional<PlayedSecond> played{};
  std::vector<Table> tables{};
  bool evidence = false;  ///< what the answer rests on: folded, below everything else
};

/// Something that the answer takes for granted.
struct Assumption {
  std::string what{};    ///< "/models/emtrk/service/t4/per_item"
  std::string value{};   ///< "32.2 us"
  std::string source{};  ///< where it is from; "assumed" where nothing in the file may say so
};

/// A report.
struct ReportPage {
  std::string title{};
  std::string lead{};                   ///< the answer in a sentence: the first thing on the page
  std::vector<std::string> warnings{};  ///< right below it: what is missing, imprecise or not drawn
  std::vector<PageSection> sections{};
  std::optional<PlannerModel> planner{};
  std::vector<Assumption> assumptions{};
  std::vector<Check> checks{};
  Provenance provenance{};
  std::vector<std::string> commands{};  ///< that give the same report and its parts again
};

/// Self-contained HTML: no reference to anything outside it. The same bytes for the same page.
/// @param web  the files of reports/web and, where npm was there at build time, vega.min.js, vega-lite.min.js and
///             vega-embed.min.js. Without those three, figures are replaced by a sentence that says what is missing.
std::string report_html(const ReportPage& page, std::span<const EmbeddedFile> web);

/// A file that a report wrote.
struct WrittenFile {
  std::string path{};
  std::uint64_t bytes = 0;
};

/// What `saturn report` says when it is done: the page's lead, its warnings, the figures without a picture, the files
/// with their sizes.
Answer written_report_answer(const ReportPage& page, const std::vector<WrittenFile>& files);

}  // namespace saturn
