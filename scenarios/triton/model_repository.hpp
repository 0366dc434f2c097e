#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace saturn {

/// The data of one item, as the tensors of a model's configuration say it.
struct TensorBytes {
  std::uint64_t bytes = 0;          ///< of all tensors together; 0: the configuration names none
  std::size_t line = 0;             ///< of the first of them in the file, from 1
  std::vector<std::string> open{};  ///< tensors whose size no configuration tells: "pf_points [2, -1]"
};

/// A model as it lies in a Triton model repository.
struct RepositoryModel {
  std::string name{};    ///< of its folder
  std::string config{};  ///< path of its config.pbtxt
  TensorBytes input{};
  TensorBytes output{};
  std::uint64_t max_batch_size = 1;              ///< unlimited_batch for Triton's 0, and where it is not said
  std::vector<std::uint64_t> preferred_sizes{};  ///< of its batcher [item]
  bool keeps_state = false;                      ///< its requests are sequences
  std::vector<std::string> steps{};              ///< of an ensemble: models that it calls; empty for others
};

/// What a folder of models holds, in the order of their names.
struct ModelRepository {
  std::vector<RepositoryModel> models{};
  std::vector<std::string> without_config{};  ///< folders that have no config.pbtxt
};

/// What a length of -1, and a text, are taken for.
struct OpenLengths {
  std::uint64_t elements = 100;      ///< of a dimension that varies
  std::uint64_t bytes_of_text = 64;  ///< of an element of TYPE_STRING
};

/// Reads the configurations of a Triton model repository: a folder for each model, with its config.pbtxt. One that does
/// not follow the syntax is listed without tensors; whoever reads the scenario complains of it, at its place.
/// @param lengths  what is assumed where a tensor's size is open
/// @throws InputError  repository.not_a_folder, repository.empty (no folder with a config.pbtxt), and why a file cannot
///                     be read, all at once
ModelRepository read_model_repository(const std::filesystem::path& folder, const OpenLengths& lengths = {});

}  // namespace saturn
