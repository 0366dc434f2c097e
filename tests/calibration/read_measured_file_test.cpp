#include <doctest/doctest.h>

#include "tests/calibration/imported_client_file.hpp"

namespace saturn::tests {

namespace {

std::string refusal(const std::string& path) {
  try {
    read_measured_file(path);
  } catch (const InputError& error) {
    REQUIRE(error.complaints().size() == 1);
    CHECK(error.complaints().front().source == path);
    return error.complaints().front().code + ": " + error.complaints().front().text;
  }
  return "";
}

}  // namespace

TEST_CASE("a file is known by its content, whatever its name, and carries the SHA-256 of its bytes") {
  const ImportFolder folder;
  const MeasuredFile plain = read_measured_file(folder.write("ping.json", "clients,event_time_s\n1,2\n"));
  CHECK(plain.format == "plain table");
  // printf 'clients,event_time_s\n1,2\n' | sha256sum
  CHECK(plain.sha256 == "7419821af0b6474567864aebd9a414b93f72380a880e4966a3503a680f26fa1c");
  const MeasuredFile marked = read_measured_file(folder.write("a.txt",
                                                              "\xEF\xBB\xBF"
                                                              "clients,event_time_s\n1,2\n"));
  CHECK(marked.closed_loop.size() == 1);
  CHECK(marked.sha256 != plain.sha256);
}

TEST_CASE("bytes outside UTF-8 do not reach names") {
  const ImportFolder folder;
  const MeasuredFile file = read_measured_file(folder.write(
      "p", "PING caf\xE9 (192.0.2.1) 56(84) bytes of data.\n64 bytes from 192.0.2.1: icmp_seq=1 ttl=9 time=1 ms\n"));
  CHECK(file.round_trips.at(0).peer == "caf?");
}

TEST_CASE("files that cannot be read are refused with the reason") {
  const ImportFolder folder;
  CHECK(refusal(folder.path("none")) ==
        "import.no_file: This is given as a file of measurements, but there is no such file.");
  CHECK(refusal(folder.path("")) == "import.no_file: This is given as a file of measurements, but that is a folder.");
  CHECK(refusal("/dev/zero") ==
        "import.no_file: This is given as a file of measurements, but that is no regular file.");
  CHECK(refusal(folder.write("blank", " \r\n\n")) ==
        "import.empty: The file is empty; a file with measurements is needed.");
}

TEST_CASE("a file of no known kind is refused with the kinds that are known") {
  const ImportFolder folder;
  const std::string text = refusal(folder.write("a", "Dear diary,\ntoday it rained.\n"));
  CHECK(
      text.starts_with("import.unknown_format: No known kind of measurement is recognised in this file. Known are: "));
  for (const ImportFormat& format : client_formats()) CHECK(text.find(format.name) != std::string::npos);
  CHECK(text.find("lines such as \"64 bytes from host: icmp_seq=1 ttl=59 time=24.4 ms\"") != std::string::npos);
}

TEST_CASE("files that are read elsewhere are sent there") {
  const ImportFolder folder;
  const auto way = [&](const std::string& text) { return refusal(folder.write("f", text)); };
  CHECK(way("{\"schema\": \"saturn-scenario/1\"}") ==
        "import.unknown_format: This is a scenario; it is given to `saturn run`, `saturn plan` or `saturn check`.");
  CHECK(way("{\"schema\": \"saturn-measured/1\"}") ==
        "import.unknown_format: This is a measured case; it is given to `saturn validate` alone.");
  CHECK(way("{\"schema\": \"saturn-fitted/1\"}") ==
        "import.unknown_format: This file holds fitted parameters already; a scenario refers to it with \"fitted\".");
  CHECK(way("name: \"tagger\"\nmax_batch_size: 8\ninput [\n  {\n    name: \"x\"\n    data_type: TYPE_FP32\n  }\n]\n") ==
        "import.unknown_format: This is a model's configuration for Triton; a scenario's model names it as "
        "\"triton_config\": \"models/<name>/config.pbtxt\".");
  CHECK(way("# settings\nserver:\n  replicas: 3\n  args:\n    - a\nscaler: off\n")
            .starts_with("import.unknown_format: This is YAML"));
  CHECK(way("<?xml version='1.0'?>\n<platform version=\"4.1\">\n</platform>\n")
            .starts_with("import.unknown_format: This is a SimGrid platform"));
  CHECK(way("\x1f\x8b\x08rest") == "import.unknown_format: This file is compressed; unpack it first.");
  CHECK(way(std::string("TimeTracker printout\0", 21)) == "import.unknown_format: This file is binary, not text.");
}

}  // namespace saturn::tests
