#include "reports/calibration/validation_report.hpp"

#include <algorithm>
#include <cmath>

#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::optional<std::size_t> index_of(const ValidationRow& row, const MeasuredQuantity& quantity) {
  for (std::size_t i = 0; i < row.measured.values.size(); ++i) {
    if (row.measured.values[i].quantity == &quantity) return i;
  }
  return std::nullopt;
}

Score score(const ValidationCase& validation, const MeasuredQuantity& quantity) {
  Score result;
  result.quantity = &quantity;
  for (const ErrorTarget& target : validation.about.targets) {
    if (target.quantity == &quantity) result.target = target;
  }
  std::vector<double> order;
  std::vector<double> errors;
  std::vector<double> sizes;
  for (const ValidationRow& row : validation.rows) {
    const auto index = index_of(row, quantity);
    if (!index || !row.scored(*index)) continue;
    const double error = row.error(*index);
    if (errors.empty() || std::abs(error) > std::abs(result.worst_error)) {
      result.worst_error = error;
      result.worst_at = row.measured.label;
    }
    order.push_back(static_cast<double>(order.size()));
    errors.push_back(error);
    sizes.push_back(std::abs(error));
    result.mean_error += error;
    if (error > 0.0) ++result.rows_above;
    if (error < 0.0) ++result.rows_below;
    if (row.measured.use == PointUse::identity) ++result.identities;
  }
  result.rows = errors.size();
  if (errors.empty()) return result;
  result.mean_error /= static_cast<double>(errors.size());
  result.median_absolute_error = median(sizes);
  result.trend = spearman(order, errors);
  return result;
}

std::string printed_rate_text(const ClosedLoopRate& rates) {
  return "printed " + signed_percent_text(-rates.lacks());
}

}  // namespace

std::string ValidationRow::unscored() const {
  if (measured.use == PointUse::calibration) return "calibration";
  if (measured.use == PointUse::shown) return "shown";
  // More in flight than the clients can have sent: rate and latency were not measured over the same requests.
  if (!little_ratio || *little_ratio > 1.0 / (1.0 + printed_rate_within)) return "";
  const std::optional<ClosedLoopRate> rates = loop();
  return rates ? printed_rate_text(*rates) : "Little " + fixed_text(*little_ratio, 2);
}

std::string ValidationRow::mark() const {
  std::string reason = unscored();
  if (!reason.empty()) return reason;
  if (measured.use == PointUse::identity) return "identity";
  const std::optional<ClosedLoopRate> rates = loop();
  return rates && std::abs(rates->lacks()) > printed_rate_within ? printed_rate_text(*rates) : "";
}

std::optional<ClosedLoopRate> ValidationRow::loop() const {
  if (!in_flight || !measured.printed_per_s) return std::nullopt;
  const auto time = std::find_if(measured.values.begin(), measured.values.end(),
                                 [](const MeasuredValue& one) { return one.quantity->name == "latency_mean_s"; });
  if (time == measured.values.end()) return std::nullopt;
  return ClosedLoopRate{.in_flight = *in_flight,
                        .latency_s = time->value,
                        .printed_per_s = *measured.printed_per_s,
                        .at = measured.label};
}

std::optional<bool> Score::within() const {
  if (!target || rows == 0) return std::nullopt;
  const bool median_within = !target->median || median_absolute_error <= *target->median;
  return median_within && (!target->worst || std::abs(worst_error) <= *target->worst);
}

bool within_bands(const ValidationReport& report) {
  return std::all_of(report.cases.begin(), report.cases.end(), [](const ValidationCase& validation) {
    const std::vector<Score> all = scores(validation);
    return std::all_of(all.begin(), all.end(),
                       [](const Score& score) { return !score.target || score.within().value_or(false); });
  });
}

std::vector<Score> scores(const ValidationCase& validation) {
  std::vector<Score> result;
  for (const MeasuredQuantity& quantity : measured_quantities()) {
    const bool measured = std::any_of(validation.rows.begin(), validation.rows.end(),
                                      [&](const ValidationRow& row) { return index_of(row, quantity).has_value(); });
    if (measured) result.push_back(score(validation, quantity));
  }
  return result;
}

}  // namespace saturn
