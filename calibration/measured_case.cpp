#include "calibration/measured_case.hpp"

#include <algorithm>
#include <fstream>

#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"

namespace saturn {

namespace {

const MeasuredValue* value_named(const PublishedPoint& point, std::string_view name) {
  const auto found = std::find_if(point.values.begin(), point.values.end(),
                                  [&](const MeasuredValue& one) { return one.quantity->name == name; });
  return found == point.values.end() ? nullptr : &*found;
}

constexpr std::size_t largest_case_bytes = std::size_t{16} << 20U;

[[noreturn]] void complain_of_file(const std::string& path, const std::string& what) {
  refuse_input(path, "measured.no_file", what);
}

MeasuredCase shipped_case(const EmbeddedFile& file) {
  return read_shipped_text(std::string(file.text), std::string(file.name));
}

/// Whether a row counts by which this quantity is compared.
bool is_scored(const MeasuredCase& measured, const MeasuredQuantity& quantity) {
  return std::any_of(measured.rows.begin(), measured.rows.end(), [&](const MeasuredRow& row) {
    const PublishedPoint& point = row.point;
    if (point.use == PointUse::calibration || point.use == PointUse::shown) return false;
    return std::any_of(point.values.begin(), point.values.end(),
                       [&](const MeasuredValue& value) { return value.quantity == &quantity && value.scored; });
  });
}

bool has_band(const MeasuredCase& measured, const MeasuredQuantity& quantity) {
  const std::vector<ErrorTarget>& targets = measured.about.targets;
  return std::any_of(targets.begin(), targets.end(), [&](const ErrorTarget& target) {
    return target.quantity == &quantity && target.median && target.worst;
  });
}

std::vector<MeasuredCase> read_shipped_cases(const std::string& name) {
  std::vector<MeasuredCase> cases;
  std::vector<std::string> known;
  for (const EmbeddedFile& file : shipped_measurements()) {
    const std::string id(file.name.substr(0, file.name.rfind('.')));
    if (id == name || file.name == name) return {shipped_case(file)};
    if (id.starts_with(name)) cases.push_back(shipped_case(file));
    known.push_back(id);
  }
  if (cases.empty()) {
    complain_of_file(name, "There is no such file, and no shipped case has this name or begins with it; shipped are: " +
                               joined(known) + ".");
  }
  return cases;
}

}  // namespace

std::string scenario_in_words(const std::string& scenario, const std::vector<Override>& set) {
  std::string text = scenario;
  for (const Override& change : set)
    text += (&change == &set.front() ? " with " : ", ") + change.pointer + "=" + change.value;
  return text;
}

std::optional<double> little_ratio(const PublishedPoint& point, double most_in_flight) {
  const MeasuredValue* rate = value_named(point, "items_per_s");
  const MeasuredValue* time = value_named(point, "latency_mean_s");
  if (rate == nullptr || time == nullptr) return std::nullopt;
  return most_in_flight / (point.printed_per_s.value_or(rate->value) * time->value);
}

void take_rate_of_loop(PublishedPoint& point, double in_flight) {
  const MeasuredValue* time = value_named(point, "latency_mean_s");
  if (time == nullptr || point.printed_per_s) return;
  for (MeasuredValue& rate : point.values) {
    if (rate.quantity->name != "items_per_s") continue;
    point.printed_per_s = rate.value;
    rate.value = in_flight / time->value;
    rate.sd.reset();
    rate.sem.reset();
    if (time->sem) rate.sem = rate.value * *time->sem / time->value;
  }
}

MeasuredCase read_shipped_text(const std::string& text, const std::string& name) {
  MeasuredCase measured = read_measured_text(text, name);
  std::vector<Complaint> complaints;
  bool any = false;
  for (const MeasuredQuantity& quantity : measured_quantities()) {
    const bool scored = is_scored(measured, quantity);
    any = any || scored;
    if (!scored || has_band(measured, quantity)) continue;
    const std::string pointer = "/targets/" + std::string(quantity.name);
    complaints.push_back({.source = name,
                          .code = "measured.no_band",
                          .text = pointer +
                                  " has to say the median and the worst error that the rows of a shipped case "
                                  "must keep within, for example { \"median\": 0.05, \"worst\": 0.2 }."});
  }
  if (!any) {
    complaints.push_back({.source = name,
                          .code = "measured.no_band",
                          .text = "/rows has no row that counts, so no band could be left; a shipped case predicts one "
                                  "at least, or marks it as \"used\": \"identity\"."});
  }
  if (!complaints.empty()) throw InputError(complaints);
  return measured;
}

std::vector<MeasuredCase> read_measured_cases(const std::string& name) {
  if (name.empty()) return read_shipped_cases(name);
  std::ifstream file(name, std::ios::binary);
  if (!file) return read_shipped_cases(name);
  std::string text(largest_case_bytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  if (file.bad() || text.empty()) complain_of_file(name, "The file is empty or cannot be read.");
  if (text.size() > largest_case_bytes) complain_of_file(name, "The file is larger than 16 MiB.");
  return {read_measured_text(text, name)};
}

}  // namespace saturn
