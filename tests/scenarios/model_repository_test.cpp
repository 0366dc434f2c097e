#include "scenarios/triton/model_repository.hpp"

#include <doctest/doctest.h>

#include "scenarios/document/complaints.hpp"
#include "scenarios/triton/triton_fields.hpp"
#include "tests/temporary_folder.hpp"

namespace saturn::tests {

namespace {

RepositoryModel only_model(const std::string& config, const OpenLengths& lengths = {}) {
  const TemporaryFolder folder;
  write_text(folder / "tagger/config.pbtxt", config);
  return read_model_repository(folder.path(), lengths).models.at(0);
}

}  // namespace

TEST_CASE("the data of an item are the lengths of its tensors times the bytes of their types") {
  const RepositoryModel model = only_model(R"(max_batch_size: 8
input [ { name: "a" data_type: TYPE_FP32 dims: [ 4500, 8 ] },
        { name: "b" data_type: TYPE_INT64 dims: [ 3 ] } ]
output { name: "y" data_type: TYPE_FP16 dims: [ 2 ] })");
  CHECK(model.name == "tagger");
  CHECK(model.max_batch_size == 8);
  CHECK(model.input.bytes == 4500 * 8 * 4 + 3 * 8);
  CHECK(model.input.line == 2);
  CHECK(model.input.open.empty());
  CHECK(model.output.bytes == 2 * 2);
  CHECK(model.output.line == 4);
}

TEST_CASE("a length of -1 and a text are open: what they are taken for is said") {
  const std::string config = R"(max_batch_size: 8
input [ { name: "a" data_type: TYPE_FP32 dims: [ 2, -1 ] }, { name: "t" data_type: TYPE_STRING dims: [ 1 ] } ])";
  CHECK(only_model(config).input.bytes == 2 * 100 * 4 + 64);
  CHECK(only_model(config, {.elements = 30}).input.bytes == 2 * 30 * 4 + 64);
  CHECK(only_model(config).input.open == std::vector<std::string>{"a [2, -1]", "t [1] of texts"});
}

TEST_CASE("a leading -1 of a model that Triton does not batch counts the items") {
  const RepositoryModel model =
      only_model(R"(max_batch_size: 0 input { name: "a" data_type: TYPE_FP32 dims: [ -1, 47 ] })");
  CHECK(model.input.bytes == 47 * 4);
  CHECK(model.input.open.empty());
  CHECK(model.max_batch_size == unlimited_batch);
}

TEST_CASE("sizes beyond all messages do not begin anew from 0") {
  const RepositoryModel model =
      only_model(R"(input { data_type: TYPE_FP64 dims: [ 9223372036854775807, 9223372036854775807 ] })");
  CHECK(model.input.bytes > UINT64_MAX / 4);
}

TEST_CASE("a repository lists its models by name, ensembles with their steps, and folders without a configuration") {
  const TemporaryFolder folder;
  write_text(folder / "b/config.pbtxt", "max_batch_size: 4");
  write_text(folder / "a/config.pbtxt", R"(ensemble_scheduling { step [ { model_name: "b" }, { model_name: "c" } ] })");
  write_text(folder / "c/1/model.onnx", "weights");
  const ModelRepository repository = read_model_repository(folder.path());
  REQUIRE(repository.models.size() == 2);
  CHECK(repository.models[0].name == "a");
  CHECK(repository.models[0].steps == std::vector<std::string>{"b", "c"});
  CHECK(repository.models[1].name == "b");
  CHECK(repository.without_config == std::vector<std::string>{"c"});
}

TEST_CASE("a configuration that does not follow the syntax is listed without tensors") {
  const RepositoryModel model = only_model("input [ { name: ");
  CHECK(model.input.bytes == 0);
  CHECK(model.input.line == 0);
}

}  // namespace saturn::tests
