#include <cmath>
#include <map>
#include <optional>

#include "calibration/calibrate.hpp"
#include "calibration/compare_fits.hpp"
#include "models/words/numbers.hpp"
#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

constexpr double normal_95 = 1.959963984540054;

/// A number that somebody wrote down is a fit whose error they know, or do not.
Fit fit_of(const SingleNumber& number) {
  Fit fit{.law = "given", .errors_known = true, .used = 1};
  const double error = number.standard_error.value_or(0.0);
  fit.parameters = {.names = {"value"}, .values = {number.value}, .covariance = {error * error}};
  fit.error_unknown = !number.standard_error;
  if (!number.source.empty()) fit.notes.push_back(number.source);
  if (fit.error_unknown) fit.notes.emplace_back("given without an error, so that it counts as exact in every interval");
  return fit;
}

NamedFit named_number(const SingleNumber& number, const std::string& path) {
  NamedFit named{.name = number.name, .about = number.name, .fit = fit_of(number), .sources = {path}};
  named.kind = number.unit == "s" ? FitKind::time : number.unit == "B/s" ? FitKind::bandwidth : FitKind::count;
  named.value =
      number.unit.empty() ? exact_text(number.value) : "\"" + exact_text(number.value) + " " + number.unit + "\"";
  named.at = {""};
  named.units = {number.unit};
  return named;
}

struct TimePart {
  double seconds = 0.0;
  double variance = 0.0;
};

const SingleNumber* find(const MeasuredFile& file, const char* name, const char* unit) {
  for (const SingleNumber& number : file.numbers)
    if (number.name == name && number.unit == unit) return &number;
  return nullptr;
}

double squared(double value) {
  return value * value;
}

/// A number that is a time, or the time that the data take at a bandwidth.
std::optional<TimePart> time_part(const MeasuredFile& file, const char* name) {
  if (const SingleNumber* time = find(file, name, "s"))
    return TimePart{time->value, squared(time->standard_error.value_or(0.0))};
  const SingleNumber* rate = find(file, name, "B/s");
  const SingleNumber* data = find(file, "data", "B");
  if (rate == nullptr || data == nullptr) return std::nullopt;
  const double seconds = data->value / rate->value;
  return TimePart{seconds, squared(seconds) * (squared(rate->standard_error.value_or(0.0) / rate->value) +
                                               squared(data->standard_error.value_or(0.0) / data->value))};
}

std::optional<NumberSum> module_sum(const MeasuredFile& file) {
  NumberSum sum;
  double variance = 0.0;
  for (const char* name : {"preprocessing", "bandwidth", "travel", "gpu"}) {
    const std::optional<TimePart> part = time_part(file, name);
    if (!part) return std::nullopt;
    append_part(sum.text, significant(part->seconds, 3) + " s " + name, " + ");
    sum.total_s.mean += part->seconds;
    variance += part->variance;
  }
  const double half_width = normal_95 * std::sqrt(variance);
  sum.total_s.low = sum.total_s.mean - half_width;
  sum.total_s.high = sum.total_s.mean + half_width;
  return sum;
}

}  // namespace

void calibrate_numbers(std::span<const MeasuredFile> files, Calibration& result) {
  std::map<std::string, std::size_t> known;
  for (const MeasuredFile& file : files) {
    for (const SingleNumber& number : file.numbers) {
      NamedFit named = named_number(number, file.path);
      if (const auto before = known.find(number.name); before != known.end()) {
        const NamedFit& first = result.fits[before->second];
        if (auto compared = compare_means(name_with_unit(number.name, number.unit), {first.sources.front(), first.fit},
                                          {file.path, named.fit}))
          result.comparisons.push_back(std::move(*compared));
      }
      known.emplace(number.name, result.fits.size());
      result.fits.push_back(std::move(named));
    }
    if (auto sum = module_sum(file)) result.sums.push_back(std::move(*sum));
  }
}

}  // namespace saturn
