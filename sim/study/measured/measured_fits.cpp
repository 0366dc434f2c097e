#include "sim/study/measured/measured_fits.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <map>
#include <utility>

#include "calibration/closed_loop_rates.hpp"
#include "calibration/import/read_measured_file.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "sim/study/request.hpp"

namespace saturn {

namespace {

/// "2026-11-21T15:20:00Z": now, or SOURCE_DATE_EPOCH where that is set, so that builds of files can be repeated.
std::string utc_date() {
  std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  if (const char* fixed = std::getenv("SOURCE_DATE_EPOCH"); fixed != nullptr && *fixed != '\0') {
    char* end = nullptr;
    const long long seconds = std::strtoll(fixed, &end, 10);
    if (*end == '\0' && seconds >= 0) now = static_cast<std::time_t>(seconds);
  }
  std::tm date{};
  gmtime_r(&now, &date);
  std::string text(32, '\0');
  text.resize(std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &date));
  return text;
}

/// Small letters and digits alone: what names in files and on disks are compared by.
std::string bare_name(const std::string& name) {
  std::string bare;
  for (const char c : lower_case(name))
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) bare += c;
  return bare;
}

/// The longest of some names that stands in a file's name; empty where none does.
std::string name_in(const std::string& path, std::span<const std::string> names) {
  const std::string file = bare_name(std::filesystem::path(path).stem().string());
  std::string best;
  for (const std::string& name : names)
    if (!bare_name(name).empty() && file.find(bare_name(name)) != std::string::npos && name.size() > best.size())
      best = name;
  return best;
}

bool is_one_of(const std::string& name, std::span<const std::string> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The file's name without an ending that tells the items of a request: "tagger" of "tagger_b32.csv".
std::string model_like_file(const std::string& path) {
  std::string stem = std::filesystem::path(path).stem().string();
  const std::size_t digits = stem.find_last_not_of("0123456789");
  if (digits == std::string::npos || digits + 1 == stem.size()) return stem;
  for (const std::string ending : {"_b", "-b", ".b", "_bs", "-bs", "_batch", "-batch"})
    if (stem.size() > ending.size() && stem.substr(0, digits + 1).ends_with(ending))
      return stem.substr(0, digits + 1 - ending.size());
  return stem;
}

bool lacks_model(const MeasuredFile& file) {
  return std::any_of(file.loads.begin(), file.loads.end(), [](const LoadPoint& load) { return load.model.empty(); });
}

/// Complains of a name that is none of those that are known.
void check_name(const std::string& path, const std::string& name, std::span<const std::string> known,
                const std::string& code, const std::string& what, Complaints& complaints) {
  if (name.empty() || known.empty() || is_one_of(name, known)) return;
  const std::vector<std::string> names(known.begin(), known.end());
  complaints.add(
      path, code,
      in_quotes(name) + " is none of the " + what + "; " + name_meant(name, names, "did you mean", "there are"));
}

/// The model of a file that does not say it itself; empty after a complaint.
std::string told_model(const NamedFile& named, std::span<const std::string> models, Complaints& complaints) {
  if (!named.model.empty()) return named.model;
  if (models.empty()) return model_like_file(named.path);
  if (models.size() == 1) return models.front();
  std::string in_name = name_in(named.path, models);
  if (in_name.empty())
    complaints.add(named.path, "new.which_model",
                   "Neither the file nor its name says which model was measured; there are " +
                       listed(std::vector<std::string>(models.begin(), models.end())) + ": write MODEL=" + named.path +
                       ".");
  return in_name;
}

std::string told_gpu(const NamedFile& named, std::span<const std::string> gpus) {
  if (!named.gpu.empty()) return named.gpu;
  const std::string in_name = name_in(named.path, gpus);
  return in_name.empty() ? gpus.front() : in_name;
}

}  // namespace

void know_request_items(std::vector<MeasuredFile>& files, std::optional<std::uint64_t> batch) {
  if (batch) {
    set_batches(files, static_cast<double>(*batch));
    return;
  }
  for (MeasuredFile& file : files) {
    const InferredItems inferred = infer_request_items(file, ItemsFor::biased_runs);
    file.notes.insert(file.notes.begin(), inferred.notes.begin(), inferred.notes.end());
  }
}

SavedCalibration saved_calibration(std::span<const MeasuredFile> files, Calibration calibration, std::string command) {
  const Provenance provenance = provenance_of("", 0, std::move(command));
  return {.version = provenance.version,
          .git = provenance.git,
          .created = utc_date(),
          .command = provenance.command,
          .data = fitted_data(files),
          .calibration = std::move(calibration)};
}

NamedFile named_file(const std::string& typed) {
  const std::size_t equals = typed.find('=');
  std::error_code ignored;
  if (equals == std::string::npos || std::filesystem::exists(typed, ignored)) return {.path = typed};
  const std::string name = typed.substr(0, equals);
  const std::size_t at = name.rfind('@');
  return {.path = typed.substr(equals + 1),
          .model = name.substr(0, at),
          .gpu = at == std::string::npos ? "" : name.substr(at + 1)};
}

std::vector<DeviceFits> fits_by_device(std::span<const NamedFile> named, std::span<const std::string> models,
                                       std::span<const std::string> gpus, std::optional<std::uint64_t> batch) {
  if (named.empty()) return {};
  Complaints complaints;
  for (const NamedFile& one : named) {
    check_name(one.path, one.model, models, "new.unknown_model", "models", complaints);
    check_name(one.path, one.gpu, gpus, "new.unknown_gpu", "GPUs of --gpu", complaints);
  }
  std::vector<MeasuredFile> files;
  complaints.of([&] {
    files = read_measured_files(texts_of(named, [](const NamedFile& one) { return one.path; }));
    refuse_doubles(files);
  });
  complaints.raise();
  know_request_items(files, batch);

  std::map<std::string, std::vector<MeasuredFile>> of_gpu;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!named[i].model.empty() || lacks_model(files[i])) {
      const std::string model = told_model(named[i], models, complaints);
      for (LoadPoint& load : files[i].loads)
        if (load.model.empty()) load.model = model;
    }
    of_gpu[told_gpu(named[i], gpus)].push_back(std::move(files[i]));
  }
  complaints.raise();
  std::vector<DeviceFits> all;
  for (const std::string& gpu : gpus) {
    if (!of_gpu.contains(gpu)) continue;
    DeviceFits fits{.gpu = gpu};
    complaints.of([&] {
      fits.files = with_differences(std::move(of_gpu.at(gpu)));
      fits.calibration = calibrate(fits.files, "", SingleRows::with_usual_error);
    });
    all.push_back(std::move(fits));
  }
  complaints.raise();
  return all;
}

const NamedFit* law_of_model(const DeviceFits& fits, const std::string& model) {
  for (const NamedFit& fit : fits.calibration.fits)
    if (fit.kind == FitKind::service_law && fit.model == model) return &fit;
  return nullptr;
}

std::string rows_of(const NamedFit& fit) {
  std::vector<std::pair<std::string, std::vector<std::uint64_t>>> files;
  for (const FitResidual& residual : fit.fit.residuals) {
    const std::string& label = residual.point.label;
    const std::size_t colon = label.rfind(':');
    const std::optional<std::uint64_t> row =
        colon == std::string::npos ? std::nullopt : read_whole(std::string_view(label).substr(colon + 1));
    const std::string file = row ? label.substr(0, colon) : label;
    if (files.empty() || files.back().first != file) files.push_back({file, {}});
    if (row) files.back().second.push_back(*row);
  }
  if (files.empty()) return joined(fit.sources);
  std::string text;
  for (auto& [file, rows] : files) {
    append_part(text, file, "; ");
    std::sort(rows.begin(), rows.end());
    std::string ranges;
    for (std::size_t first = 0; first < rows.size();) {
      std::size_t last = first;
      while (last + 1 < rows.size() && rows[last + 1] <= rows[last] + 1) ++last;
      append_part(ranges, std::to_string(rows[first]) + (last > first ? "-" + std::to_string(rows[last]) : ""));
      first = last + 1;
    }
    if (!ranges.empty()) text += ":" + ranges;
  }
  return text;
}

}  // namespace saturn
