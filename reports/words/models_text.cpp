#include "reports/words/models_text.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>

#include "models/words/texts.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

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

void add_rates(Answer& answer, const std::vector<ModelResults>& models) {
  Table table{.caption = "Models",
              .columns = {{.title = "model"},
                          {.title = "requests/s", .shown = Shown::number},
                          {.title = "GB/s in", .shown = Shown::mean, .factor = 1e-9, .digits = 3},
                          {.title = "items/batch", .shown = Shown::number},
                          {.title = "latency [ms]", .shown = Shown::number, .factor = 1e3},
                          {.title = "p99 [ms]", .shown = Shown::number, .factor = 1e3}},
              .readers = For::people,
              .details = false,
              .weight = 1};
  std::vector<std::pair<std::string, std::string>> notes;
  for (const ModelResults& model : models) {
    const Estimate* items = model.find("batch_items");
    table.add_row({model.name, model["requests_per_s"], model["ingress_bytes_per_s"],
                   items != nullptr ? Cell(*items) : Cell(), model["latency_s"], model["latency_p99_s"]});
    if (const Estimate refused = refused_share(model); refused.mean > 0.0) {
      notes.emplace_back(model.name, estimate_text(model["rejected_per_s"]) +
                                         " requests/s are rejected by the limits of its queue, " +
                                         percent_text(refused.mean) + " of those that arrive");
    }
  }
  answer.add(std::move(table));
  answer.remark(notes);
}

void add_times(Answer& answer, const std::vector<ModelResults>& models) {
  const bool host =
      std::any_of(models.begin(), models.end(), [](const ModelResults& model) { return model["host_s"].mean > 0.0; });
  Table table{
      .caption = "Where the time of a request goes [ms]", .columns = {{.title = "model"}}, .readers = For::people};
  for (const char* name : {"send", "host", "fill batch", "wait for instance", "wait for device", "execute", "receive"})
    table.columns.push_back({.title = name,
                             .shown = Shown::number,
                             .factor = 1e3,
                             .digits = 3,
                             .readers = host || std::string_view(name) != "host" ? For::everyone : For::programs});
  table.columns.push_back({.title = "sum", .shown = Shown::mean, .factor = 1e3});
  for (const ModelResults& model : models) {
    std::vector<Cell> row{model.name};
    double sum = 0.0;
    for (const Estimate* part : {&model["send_s"], &model["host_s"], &model["fill_s"], &model["instance_wait_s"],
                                 &model["device_wait_s"], &model["execute_s"], &model["receive_s"]}) {
      // What is left of a difference of equal times is no time.
      const bool is_noise = std::abs(part->mean) < 1e-9 * model["latency_s"].mean;
      row.emplace_back(is_noise ? Cell(0.0) : Cell(*part));
      sum += part->mean;
    }
    row.emplace_back(sum);
    table.add_row(std::move(row));
  }
  answer.add(std::move(table));
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
  return text.empty() ? "" : "  sent because: " + text;
}

std::string bar(double share_of_longest) {
  const auto length = static_cast<int>(std::ceil(share_of_longest * bar_width));
  std::string text;
  for (int i = 0; i < length; ++i) text += "█";
  return text;
}

void add_batches(Answer& answer, const ModelResults& model) {
  const std::vector<BatchRow> rows = grouped_batches(model.batches);
  double batches = 0.0;
  double items = 0.0;
  double longest = 0.0;
  for (const BatchRow& row : rows) {
    batches += row.batches;
    items += row.items;
    longest = std::max(longest, row.batches);
  }
  Table table{.caption = "Batches of " + model.name,
              .columns = {{.title = "items", .shown = Shown::whole},
                          {.title = "batches", .shown = Shown::percent},
                          {.title = "of all items", .shown = Shown::percent},
                          {}},
              .readers = For::people};
  for (const BatchRow& row : rows) {
    const std::string sizes =
        row.least == row.most ? whole_text(row.most) : whole_text(row.least) + " to " + whole_text(row.most);
    table.add_row({sizes, row.batches / batches, row.items / items, bar(row.batches / longest)});
  }
  answer.add(std::move(table));
  if (const std::string reasons = reasons_text(model); !reasons.empty()) answer.detail(reasons);
}

/// Every number of a model, with its batches by their items and by why they were sent.
void add_numbers(Answer& answer, const ModelResults& model, const std::vector<std::string>& place) {
  Table numbers = numbers_table(place, model);
  if (model.batches.empty()) numbers.add("batch_items/mean", Cell());
  for (const auto& [items, batches] : model.batches)
    numbers.add("batch_items/histogram/" + std::to_string(items), batches);
  for (std::size_t r = 0; r < send_reasons; ++r)
    numbers.add("sent_because/" + std::string(send_reason_names[r].key), model.sent_because[r]);
  answer.add(std::move(numbers));
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

void add_models(Answer& answer, const std::vector<ModelResults>& models, const std::vector<std::string>& root) {
  for (const ModelResults& model : models) add_numbers(answer, model, below(below(root, "models"), model.name));
  if (models.empty()) return;
  add_rates(answer, models);
  add_times(answer, models);
  for (const ModelResults& model : models)
    if (forms_batches(model)) add_batches(answer, model);
}

}  // namespace saturn
