#include "calibration/calibrate_shared.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "calibration/fit/device_split.hpp"
#include "calibration/fit/fit_text.hpp"
#include "calibration/fitted_law.hpp"

namespace saturn {

namespace {

[[noreturn]] void refuse(const SharedLoads& shared, const char* code, const std::string& text) {
  throw InputError({{.source = shared.file.path, .code = code, .text = text, .excerpt = ""}});
}

const LoadPoint& busiest_load(const SharedLoads& shared) {
  const LoadPoint* best = nullptr;
  for (const LoadPoint& load : shared.file.loads) {
    if (!load.concurrency || *load.concurrency < 2.0 || !load.request_batch) continue;
    if (best == nullptr || load.items_per_s > best->items_per_s) best = &load;
  }
  if (best == nullptr)
    refuse(shared, "calibration.no_shared_load",
           "no load here has two clients or more and a known batch; sharing shows only where instances are busy "
           "together: measure with at least as many requests in flight as there are instances.");
  return *best;
}

/// Little's law gives sizes that are whole but for the noise of their rates.
double whole_batch(double batch) {
  const double whole = std::max(1.0, std::round(batch));
  return std::abs(batch / whole - 1.0) < 0.05 ? whole : batch;
}

/// A rate is as uncertain as the times of a lone client were, which the same tool measured; nothing where they are
/// exact.
std::optional<double> error_like_that_of(const Fit& law, double rate) {
  double sum = 0.0;
  for (const FitResidual& residual : law.residuals)
    if (!residual.outlier) sum += std::pow(residual.point.y / residual.fitted - 1.0, 2);
  const double relative = std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, law.used)));
  return relative > 1e-9 ? std::optional<double>(relative * rate) : std::nullopt;
}

NamedFit& law_of(const SharedLoads& shared, const std::string& model, Calibration& result) {
  NamedFit* found = nullptr;
  std::size_t laws = 0;
  for (NamedFit& fit : result.fits) {
    if (fit.kind != FitKind::service_law) continue;
    ++laws;
    if (found == nullptr || fit.model == model) found = &fit;
  }
  if (found == nullptr || (laws > 1 && found->model != model))
    refuse(shared, "calibration.no_lone_law",
           "a shared device is split by the law of a lone instance, and " +
               std::string(laws == 0 ? "no law was fitted" : "it is not clear of which model that is") +
               "; give the files of one client and one instance too, and --model NAME.");
  return *found;
}

}  // namespace

void split_shared(const SharedLoads& shared, const std::string& model, Calibration& result) {
  const LoadPoint& load = busiest_load(shared);
  NamedFit& law = law_of(shared, load.model.empty() ? model : load.model, result);
  std::vector<FitPoint> alone;
  for (const FitResidual& residual : law.fit.residuals)
    if (!residual.outlier) alone.push_back(residual.point);
  const DeviceSplit split = split_host_device(alone, {.clients = static_cast<std::size_t>(*load.concurrency),
                                                      .instances = shared.instances,
                                                      .request_batch = whole_batch(*load.request_batch),
                                                      .items_per_s = load.items_per_s,
                                                      .standard_error = error_like_that_of(law.fit, load.items_per_s),
                                                      .label = load.at.text()});
  NamedFit named{.name = law.name, .about = law.about, .model = law.model, .fit = split.fit, .sources = law.sources};
  named.sources.push_back(load.at.text());
  named.notes = law.notes;
  std::string hosts;
  for (std::size_t i = 0; i < split.host.size(); ++i)
    hosts += (hosts.empty() ? "" : ", ") + in_short(1e3 * split.host[i]) + " ms at " + in_short(split.fit.knots[i]);
  named.notes.push_back("the host's part of T(b), beside the device: " + hosts + " items; from the rate of " +
                        in_short(load.items_per_s) + " items/s of " + std::to_string(shared.instances) + " instances");
  if (!split.saturated)
    named.notes.emplace_back("the load shows no waiting for the device, so that its part is only an upper bound");
  describe_service_law(named);
  law = std::move(named);
}

}  // namespace saturn
