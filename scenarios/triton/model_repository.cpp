#include "scenarios/triton/model_repository.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/text_files.hpp"
#include "scenarios/triton/triton_fields.hpp"
#include "scenarios/triton/triton_syntax.hpp"

namespace saturn {

namespace {

/// Bytes of an element; nothing for texts, whose elements differ.
/// Source  triton-inference-server/common, protobuf/model_config.proto, enum DataType
std::optional<std::uint64_t> element_bytes(std::string_view type) {
  static const std::map<std::string_view, std::uint64_t> known{
      {"TYPE_BOOL", 1},  {"TYPE_UINT8", 1},  {"TYPE_INT8", 1},  {"TYPE_UINT16", 2}, {"TYPE_INT16", 2},
      {"TYPE_FP16", 2},  {"TYPE_BF16", 2},   {"TYPE_INT32", 4}, {"TYPE_UINT32", 4}, {"TYPE_FP32", 4},
      {"TYPE_INT64", 8}, {"TYPE_UINT64", 8}, {"TYPE_FP64", 8},
  };
  const auto found = known.find(type);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

std::string word_of_field(const Node& message, const char* field) {
  const Node* found = message.find(field);
  return found == nullptr ? "" : found->text;
}

std::size_t line_of_offset(const std::string& text, std::size_t offset) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size()));
  return 1 + static_cast<std::size_t>(std::count(text.begin(), end, '\n'));
}

/// Adds one tensor. A leading -1 of a model that Triton does not batch counts the items themselves.
void add_tensor(TensorBytes& all, const Node& tensor, bool batches, const OpenLengths& lengths) {
  const std::vector<Node>& dims = elements_of(tensor.find("dims"));
  const std::optional<std::uint64_t> of_element = element_bytes(word_of_field(tensor, "data_type"));
  std::uint64_t bytes = of_element.value_or(lengths.bytes_of_text);
  bool is_open = !of_element;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const bool varies = dims[i].text.starts_with('-');
    if (varies && i == 0 && !batches) continue;
    is_open = is_open || varies;
    const std::uint64_t length = varies ? lengths.elements : std::max<std::uint64_t>(1, count_in(&dims[i]));
    // More than any message holds is refused where the scenario is read; here it must not begin anew from 0.
    bytes = bytes > UINT64_MAX / 2 / length ? UINT64_MAX / 2 : bytes * length;
  }
  all.bytes = std::min(UINT64_MAX / 2, all.bytes + bytes);
  if (is_open)
    all.open.push_back(word_of_field(tensor, "name") + " [" +
                       joined(texts_of(dims, [](const Node& length) { return length.text; })) + "]" +
                       (of_element ? "" : " of texts"));
}

TensorBytes bytes_of(const Node& config, const char* field, const std::string& text, bool batches,
                     const OpenLengths& lengths) {
  TensorBytes all;
  for (const Node& tensor : elements_of(config.find(field))) {
    if (all.line == 0) all.line = line_of_offset(text, tensor.place.offset);
    add_tensor(all, tensor, batches, lengths);
  }
  return all;
}

RepositoryModel model_in(const std::filesystem::path& config, const std::string& text, const OpenLengths& lengths) {
  RepositoryModel model{.name = config.parent_path().filename().string(), .config = config.string()};
  const ParsedTriton parsed = parse_triton_config(text);
  if (parsed.fault) return model;
  Node as_scenario;
  as_scenario.kind = NodeKind::object;
  fill_from_triton(as_scenario, parsed.config);
  model.max_batch_size = std::max<std::uint64_t>(1, count_in(as_scenario.find("max_batch_size")));
  for (const Node& size : elements_of(as_scenario.find("preferred_batch_size")))
    model.preferred_sizes.push_back(count_in(&size));
  model.keeps_state = as_scenario.find("sequence_batching") != nullptr;
  for (const Node& step : elements_of(as_scenario.find("ensemble"))) model.steps.push_back(step.text);
  const bool batches = model.max_batch_size < unlimited_batch;
  model.input = bytes_of(parsed.config, "input", text, batches, lengths);
  model.output = bytes_of(parsed.config, "output", text, batches, lengths);
  return model;
}

}  // namespace

ModelRepository read_model_repository(const std::filesystem::path& folder, const OpenLengths& lengths) {
  std::error_code failed;
  std::vector<std::filesystem::path> folders;
  if (std::filesystem::is_directory(folder, failed))
    for (auto entry = std::filesystem::directory_iterator(folder, failed);
         !failed && entry != std::filesystem::directory_iterator(); entry.increment(failed)) {
      std::error_code ignored;
      if (entry->is_directory(ignored)) folders.push_back(entry->path());
    }
  else
    refuse_input(folder.string(), "repository.not_a_folder",
                 "This is no folder; a Triton model repository has a folder for each model: repository/MODEL/"
                 "config.pbtxt.");
  if (failed)
    refuse_input(folder.string(), "repository.not_readable", "The folder cannot be listed: " + failed.message() + ".");
  std::sort(folders.begin(), folders.end());

  ModelRepository repository;
  std::vector<Complaint> complaints;
  for (const std::filesystem::path& one : folders) {
    const std::filesystem::path config = one / "config.pbtxt";
    if (!std::filesystem::exists(config, failed)) {
      repository.without_config.push_back(one.filename().string());
      continue;
    }
    std::string text;
    if (const auto fault = read_regular_file(config.string(), largest_referenced_file, text))
      complaints.push_back({.source = config.string(), .code = fault->code, .text = "This file " + fault->text});
    else
      repository.models.push_back(model_in(config, text, lengths));
  }
  if (!complaints.empty()) throw InputError(complaints);
  if (repository.models.empty())
    refuse_input(folder.string(), "repository.empty",
                 "No folder in it holds a config.pbtxt; a Triton model repository has one for each model: "
                 "repository/MODEL/config.pbtxt.");
  return repository;
}

}  // namespace saturn
