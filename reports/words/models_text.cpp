#include "reports/words/models_text.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "models/words/texts.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

using Align = TextTable::Align;

constexpr std::size_t most_rows = 16;
constexpr double bar_width = 24.0;

/// j for which 2^(j-1) < items <= 2^j.
unsigned octave(std::uint32_t items) {
  return static_cast<unsigned>(std::bit_width(items - 1U));
}

std::vector<BatchRow> ranges(const std::map<std::uint32_t, std::uint64_t>& batches, unsigned octaves) {
  std::vector<BatchRow> rows;
  for (const auto& [items, count] : batches) {
    const unsigned end = (octave(items) + octaves - 1) / octaves * octaves;
    const auto most = static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{1} << end, UINT32_MAX));
    if (rows.empty() || rows.back().most != most) {
      const auto least = end < octaves ? 1U : static_cast<std::uint32_t>((std::uint64_t{1} << (end - octaves)) + 1);
      rows.push_back({.least = least, .most = most});
    }
    rows.back().batches += static_cast<double>(count);
    rows.back().items += static_cast<double>(count) * static_cast<double>(items);
  }
  return rows;
}

std::string milliseconds(const Estimate& time) {
  return number_text(time.mean * 1e3, 3);
}

std::string rates_text(const std::vector<ModelResults>& models, TextStyle style) {
  TextTable table({{"model"},
                   {"requests/s", Align::right},
                   {"data in [GB/s]", Align::right},
                   {"items/batch", Align::right},
                   {"latency [ms]", Align::right},
                   {"99 % below [ms]", Align::right}});
  std::vector<std::pair<std::string, std::string>> notes;
  for (const ModelResults& model : models) {
    table.add_row({model.name, estimate_text(model["requests_per_s"]),
                   number_text(model["ingress_bytes_per_s"].mean * 1e-9, 3),
                   model.find("batch_items") ? estimate_text(model["batch_items"]) : no_value,
                   estimate_text(model["latency_s"], 1e3), mean_text(model["latency_p99_s"], 1e3)});
    if (model["rejected_per_s"].mean > 0.0) {
      const double asked = model["requests_per_s"].mean + model["rejected_per_s"].mean;
      notes.emplace_back(model.name, estimate_text(model["rejected_per_s"]) +
                                         " requests/s are rejected by the limits of its queue, " +
                                         percent_text(model["rejected_per_s"].mean / asked) + " of those that arrive");
    }
  }
  return heading("Models", style) + table.text(style) + notes_text(notes);
}

std::string times_text(const std::vector<ModelResults>& models, TextStyle style) {
  const bool host =
      std::any_of(models.begin(), models.end(), [](const ModelResults& model) { return model["host_s"].mean > 0.0; });
  std::vector<TextTable::Column> columns{{"model"}, {"send", Align::right}};
  if (host) columns.push_back({"host", Align::right});
  for (const char* name : {"fill batch", "wait for instance", "wait for device", "execute", "receive", "sum"}) {
    columns.push_back({name, Align::right});
  }
  TextTable table(columns);
  for (const ModelResults& model : models) {
    // What is left of a difference of equal times is no time.
    const double noise = 1e-9 * model["latency_s"].mean;
    const auto part_text = [noise](const Estimate& time) {
      return std::abs(time.mean) < noise ? "0" : milliseconds(time);
    };
    std::vector<std::string> row{model.name, part_text(model["send_s"])};
    if (host) row.push_back(part_text(model["host_s"]));
    double sum = model["send_s"].mean + model["host_s"].mean + model["receive_s"].mean;
    for (const Estimate* part :
         {&model["fill_s"], &model["instance_wait_s"], &model["device_wait_s"], &model["execute_s"]}) {
      row.push_back(part_text(*part));
      sum += part->mean;
    }
    row.push_back(part_text(model["receive_s"]));
    row.push_back(number_text(sum * 1e3, 4));
    table.add_row(std::move(row));
  }
  return heading("Where the time of a request goes [ms]", style) + table.text(style);
}

bool forms_batches(const ModelResults& model) {
  const auto single = static_cast<std::size_t>(SendReason::single);
  const std::uint64_t sent = std::accumulate(model.sent_because.begin(), model.sent_because.end(), std::uint64_t{0});
  return model.batches.size() > 1 || sent > model.sent_because[single];
}

std::string reasons_text(const ModelResults& model) {
  const auto sent =
      static_cast<double>(std::accumulate(model.sent_because.begin(), model.sent_because.end(), std::uint64_t{0}));
  std::string text;
  for (std::size_t r = 0; r < send_reasons; ++r) {
    if (model.sent_because[r] == 0) continue;
    append_part(text, std::string(send_reason_names[r].words) + " " +
                          percent_text(static_cast<double>(model.sent_because[r]) / sent));
  }
  return text.empty() ? "" : "  sent because: " + text + "\n";
}

std::string bar(double share_of_longest) {
  const auto length = static_cast<int>(std::ceil(share_of_longest * bar_width));
  std::string text;
  for (int i = 0; i < length; ++i) text += "█";
  return text;
}

std::string batches_text(const ModelResults& model, TextStyle style) {
  const std::vector<BatchRow> rows = grouped_batches(model.batches);
  double batches = 0.0;
  double items = 0.0;
  double longest = 0.0;
  for (const BatchRow& row : rows) {
    batches += row.batches;
    items += row.items;
    longest = std::max(longest, row.batches);
  }
  TextTable table({{"items", Align::right}, {"batches", Align::right}, {"of all items", Align::right}, {""}});
  for (const BatchRow& row : rows) {
    const std::string sizes =
        row.least == row.most ? whole_text(row.most) : whole_text(row.least) + " to " + whole_text(row.most);
    table.add_row(
        {sizes, percent_text(row.batches / batches), percent_text(row.items / items), bar(row.batches / longest)});
  }
  return heading("Batches of " + model.name, style) + table.text(style) + reasons_text(model);
}

}  // namespace

std::vector<BatchRow> grouped_batches(const std::map<std::uint32_t, std::uint64_t>& batches) {
  if (batches.size() > most_rows) {
    for (unsigned octaves = 1;; ++octaves) {
      std::vector<BatchRow> rows = ranges(batches, octaves);
      if (rows.size() <= most_rows) return rows;
    }
  }
  std::vector<BatchRow> rows;
  for (const auto& [items, count] : batches) {
    const auto number = static_cast<double>(count);
    rows.push_back({.least = items, .most = items, .batches = number, .items = number * static_cast<double>(items)});
  }
  return rows;
}

std::string models_text(const std::vector<ModelResults>& models, TextStyle style) {
  if (models.empty()) return "";
  std::string text = "\n" + rates_text(models, style) + "\n" + times_text(models, style);
  for (const ModelResults& model : models) {
    if (forms_batches(model)) text += "\n" + batches_text(model, style);
  }
  return text;
}

}  // namespace saturn
