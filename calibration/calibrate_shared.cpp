#include "calibration/calibrate_shared.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "calibration/fit/device_split.hpp"
#include "calibration/fitted_law.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

[[noreturn]] void refuse(const SharedLoads& shared, const char* code, const std::string& text) {
  throw InputError({{.source = shared.file.path, .code = code, .text = text, .excerpt = ""}});
}

/// The executed batches are counted, or every request is one: with a single request waiting there is none to join it
/// with.
bool batches_are_known(const LoadPoint& load, std::size_t instances) {
  return load.executed_batch || *load.concurrency <= static_cast<double>(instances + 1);
}

/// The load of the largest rate whose executed batches are known, and the one of the largest rate at all.
struct BusiestLoads {
  const LoadPoint* known = nullptr;
  const LoadPoint* any = nullptr;
};

BusiestLoads busiest_loads(const SharedLoads& shared) {
  BusiestLoads best;
  const auto keep = [](const LoadPoint*& kept, const LoadPoint& load) {
    if (kept == nullptr || load.items_per_s > kept->items_per_s) kept = &load;
  };
  for (const LoadPoint& load : shared.file.loads) {
    if (!load.concurrency || *load.concurrency < 2.0 || !load.request_batch) continue;
    keep(best.any, load);
    if (batches_are_known(load, shared.instances)) keep(best.known, load);
  }
  if (best.any == nullptr)
    refuse(shared, "calibration.no_shared_load",
           "no load here has two clients or more and a known batch; sharing shows only where instances are busy "
           "together: measure with at least as many requests in flight as there are instances.");
  const std::string instances = std::to_string(shared.instances);
  if (best.known == nullptr)
    refuse(
        shared, "calibration.unknown_batches",
        "its loads have more clients than the " + instances +
            " instances and one, so that several requests wait at once; a server that batches dynamically joins "
            "them, and the file does not say to what batches. Measure with " +
            instances + " or " + std::to_string(shared.instances + 1) +
            " clients (perf_analyzer --concurrency-range), or give perf_analyzer's terminal output, which counts the "
            "executions; or, if there are more instances, say so with --instances.");
  return best;
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
  const BusiestLoads busiest = busiest_loads(shared);
  const LoadPoint& load = *busiest.known;
  NamedFit& law = law_of(shared, load.model.empty() ? model : load.model, result);
  std::vector<FitPoint> alone;
  for (const FitResidual& residual : law.fit.residuals)
    if (!residual.outlier) alone.push_back(residual.point);
  const DeviceSplit split = split_host_device(alone, {.clients = static_cast<std::size_t>(*load.concurrency),
                                                      .instances = shared.instances,
                                                      .request_batch = whole_batch(*load.request_batch),
                                                      .executed_batch = load.executed_batch,
                                                      .items_per_s = load.items_per_s,
                                                      .standard_error = error_like_that_of(law.fit, load.items_per_s),
                                                      .label = load.at.text()});
  NamedFit named{.name = law.name, .about = law.about, .model = law.model, .fit = split.fit, .sources = law.sources};
  named.sources.push_back(load.at.text());
  named.notes = law.notes;
  std::vector<std::string> hosts;
  for (std::size_t i = 0; i < split.host.size(); ++i)
    hosts.push_back(significant(1e3 * split.host[i], 3) + " ms at " + significant(split.fit.knots[i], 3));
  named.notes.push_back("the host's part of T(b), beside the device: " + joined(hosts) + " items; from the rate of " +
                        significant(load.items_per_s, 3) + " items/s of " + std::to_string(shared.instances) +
                        " instances");
  if (busiest.any != busiest.known)
    named.notes.push_back(busiest.any->at.text() +
                          " has a larger rate and is not used: the server may have joined its requests, and the file "
                          "does not say to what batches");
  if (!split.saturated)
    named.notes.emplace_back("the load shows no waiting for the device, so that its part is only an upper bound");
  describe_service_law(named);
  law = std::move(named);
}

}  // namespace saturn
