#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "reports/figures/figures.hpp"
#include "tests/figures/map_samples.hpp"

namespace saturn {

namespace {

const std::string torn_word = "a \"b\" </script><b>&amp; \\ µ→é\n'c'";
const FigureContext proto_cases{.scenario = "protodune-big-batch", .seed = 42};
const FigureContext torn{.scenario = torn_word, .seed = 0};

Figure renamed(Figure figure, const std::string& name) {
  figure.name = name;
  return figure;
}

/// A row as `saturn validate protodune_4T4_bigbatch_nodyn` prints it.
struct CaseRow {
  const char* label;
  double event_s;
  double simulated_event_s;
  double module_s;
  double module_sem_s;
  double simulated_module_s;
  double per_s;
  double simulated_per_s;
};

MeasuredValue measured(const char* quantity, double value, std::optional<double> sem) {
  MeasuredValue found;
  found.quantity = find_measured_quantity(quantity);
  found.value = value;
  found.sem = sem;
  return found;
}

ValidationRow case_row(const CaseRow& row) {
  const auto estimate = [](double mean) { return Estimate{.mean = mean, .low = mean * 0.995, .high = mean * 1.005}; };
  ValidationRow found;
  found.measured.label = row.label;
  found.measured.values = {measured("event_time_s", row.event_s, {}),
                           measured("module_time_s", row.module_s, row.module_sem_s),
                           measured("events_per_s", row.per_s, {})};
  found.simulated = {estimate(row.simulated_event_s), estimate(row.simulated_module_s), estimate(row.simulated_per_s)};
  return found;
}

ValidationCase protodune_case() {
  ValidationCase found;
  found.about.id = "protodune_4T4_bigbatch_nodyn";
  found.about.title = "ProtoDUNE, four T4, large batches";
  found.about.source = "Raw data behind M. Wang et al., Front. Big Data 3:604083 (arXiv:2009.04509)";
  for (const CaseRow& row : {CaseRow{"1 job", 176.48, 170.48, 17.203, 5.6, 11.18, 0.005666, 0.005866},
                             CaseRow{"4 jobs", 140.75, 140.18, 11.77, 0.398, 11.18, 0.02842, 0.028535},
                             CaseRow{"20 jobs", 135.29, 133.58, 12.866, 0.222, 11.18, 0.1478, 0.14972},
                             CaseRow{"64 jobs", 98.56, 98.02, 11.724, 0.302, 11.18, 0.6494, 0.65293},
                             CaseRow{"120 jobs", 99.006, 97.75, 12.436, 0.228, 11.18, 1.212, 1.2276},
                             CaseRow{"268 jobs", 127.54, 121.35, 17.536, 0.186, 11.35, 2.101, 2.2085},
                             CaseRow{"348 jobs", 143.06, 154.08, 42.579, 0.214, 53.577, 2.432, 2.2588}})
    found.rows.push_back(case_row(row));
  found.rows[1].measured.use = PointUse::calibration;
  return found;
}

void add_cases(std::vector<Figure>& figures) {
  figures.push_back(renamed(validation_figure(protodune_case(), proto_cases), "validation_protodune"));
  ValidationCase flat = protodune_case();
  flat.about.title = torn_word;
  flat.about.source = torn_word;
  flat.rows.resize(2);
  for (ValidationRow& row : flat.rows) {
    row.measured.label = torn_word;
    row.measured.remark = torn_word;
    row.measured.use = PointUse::shown;
    row.measured.values.resize(1);
    row.measured.values[0].value = 100.0;
    row.simulated[0] = {.mean = -3.0, .low = -std::numeric_limits<double>::infinity(), .high = 4.0};
  }
  figures.push_back(renamed(validation_figure(flat, torn), "validation_negative"));
  flat.rows[0].simulated[0].mean = std::nan("");
  flat.rows[1].simulated.clear();
  figures.push_back(renamed(validation_figure(flat, torn), "validation_nothing"));
  figures.push_back(renamed(validation_figure({}, torn), "validation_empty"));
}

/// Batch times of a model on a T4: 0.2 ms and 32.2 us an item, with scatter that is written down.
NamedFit law_fit() {
  NamedFit named{.name = "gpu", .kind = FitKind::service_law, .about = "GPU times of emtrk"};
  named.fit.law = "affine";
  named.x_title = "batch [items]";
  named.y_title = "time";
  named.y_unit = "s";
  named.sources = {"calibration/examples/protodune_big_batch.csv"};
  double scatter = 0.3;
  for (const double batch : {1.0, 16.0, 64.0, 235.0, 512.0, 1024.0, 1719.0, 4096.0, 8192.0}) {
    scatter = std::fmod(scatter * 7.3, 2.0);
    const double fitted = 2e-4 + batch * 32.2e-6;
    const double error = 0.02 * fitted;
    const bool outlier = batch == 512.0;
    const double standardised = outlier ? 9.0 : scatter - 1.0;
    named.fit.residuals.push_back(
        {.point = {.x = batch,
                   .y = fitted + standardised * error,
                   .standard_error = error,
                   .label = "protodune_big_batch.csv:" + std::to_string(named.fit.residuals.size() + 2)},
         .fitted = fitted,
         .standardised = standardised,
         .outlier = outlier});
    named.curve.emplace_back(batch, fitted);
  }
  named.fit.x_low = 1.0;
  named.fit.x_high = 8192.0;
  return named;
}

void add_fits(std::vector<Figure>& figures) {
  figures.push_back(renamed(fit_figure(law_fit(), proto_cases), "fit_protodune"));
  NamedFit same = law_fit();
  same.about = torn_word;
  same.x_title = torn_word;
  same.y_title = torn_word;
  for (FitResidual& residual : same.fit.residuals) {
    residual.point.x = 64.0;
    residual.point.label = torn_word;
    residual.point.standard_error.reset();
  }
  same.fit.x_low = same.fit.x_high = 64.0;
  same.fit.residuals[0].point.y = std::nan("");
  figures.push_back(renamed(fit_figure(same, torn), "fit_same_size"));
  NamedFit measured{.about = "latency over load", .x_title = "clients", .y_title = "rate", .y_unit = "1/s"};
  measured.fit.law = "saturation";
  measured.measured = {{1.0, 10.0}, {2.0, 19.0}, {4.0, 30.0}};
  measured.curve = {{1.0, 10.0}, {4.0, 31.0}};
  figures.push_back(renamed(fit_figure(measured, proto_cases), "fit_measured"));
  figures.push_back(renamed(fit_figure({}, torn), "fit_empty"));
}

OpenPlanReport loss_plan(bool with_zeros) {
  OpenPlanReport plan;
  plan.facts.device_word = "GPU";
  plan.plan.tolerated_loss = 0.001;
  plan.plan.gpus = 8;
  double lost = 0.4;
  for (std::uint64_t gpus = 1; gpus <= 9; ++gpus) {
    OpenCandidate row{.gpus = gpus, .capacity_per_s = 30.0 * static_cast<double>(gpus), .limit = "gke/t4"};
    row.offered_per_s = {.mean = 180.0, .low = 178.0, .high = 182.0};
    row.lost_fraction = {.mean = lost, .low = lost * 0.7, .high = lost * 1.3};
    if (with_zeros && gpus >= 8) row.lost_fraction = {.mean = 0.0, .low = 0.0, .high = gpus == 8 ? 2e-5 : 0.0};
    row.verdict = gpus < 6 ? OpenVerdict::overloaded : OpenVerdict::stable;
    row.accepted = lost <= 0.001;
    plan.plan.candidates.push_back(row);
    lost *= gpus < 5 ? 0.75 : 0.12;
  }
  return plan;
}

void add_losses(std::vector<Figure>& figures) {
  figures.push_back(renamed(loss_figure(loss_plan(true), proto_cases), "loss_zeros"));
  figures.push_back(renamed(loss_figure(loss_plan(false), proto_cases), "loss_positive"));
  OpenPlanReport none = loss_plan(true);
  none.plan.candidates.erase(none.plan.candidates.begin(), none.plan.candidates.begin() + 8);
  none.plan.tolerated_loss = 0.0;
  none.facts.device_word = torn_word;
  none.plan.candidates[0].limit = torn_word;
  figures.push_back(renamed(loss_figure(none, torn), "loss_none"));
  OpenPlanReport broken = loss_plan(true);
  for (OpenCandidate& row : broken.plan.candidates) row.lost_fraction.mean = std::nan("");
  figures.push_back(renamed(loss_figure(broken, torn), "loss_nan"));
}

}  // namespace

std::vector<Figure> measured_map_samples() {
  std::vector<Figure> figures;
  add_cases(figures);
  add_fits(figures);
  add_losses(figures);
  return figures;
}

}  // namespace saturn
