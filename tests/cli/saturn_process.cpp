#include "tests/cli/saturn_process.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <sys/wait.h>

namespace saturn {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "saturn-cli-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& text) const {
  std::ofstream(path_ / name, std::ios::binary) << text;
  return (path_ / name).string();
}

std::size_t TemporaryFolder::file_count() const {
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(path_)) count += entry.exists() ? 1U : 0U;
  return count;
}

std::string text_of_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

ProcessResult saturn_process(const std::string& arguments, const std::string& folder, const std::string& before) {
  const TemporaryFolder streams;
  const std::string out = (streams.path() / "out").string();
  const std::string err = (streams.path() / "err").string();
  const std::string enter = folder.empty() ? "" : "cd '" + folder + "' && ";
  const std::string command =
      enter + before + " '" + SATURN_PROGRAM + "' " + arguments + " >'" + out + "' 2>'" + err + "' </dev/null";
  const int status = std::system(command.c_str());
  ProcessResult result;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = text_of_file(out);
  result.err = text_of_file(err);
  return result;
}

std::string terminal_output(const std::string& arguments, const std::string& environment) {
  const TemporaryFolder streams;
  const std::string out = (streams.path() / "out").string();
  // script(1) gives the program a terminal of its own; every Debian system has it.
  const std::string command = "script -qec \"" + environment + " '" + SATURN_PROGRAM + "' " + arguments +
                              "\" /dev/null >'" + out + "' 2>/dev/null </dev/null";
  if (std::system(command.c_str()) != 0) throw std::runtime_error("no terminal: " + command);
  return text_of_file(out);
}

std::string in_one_line(std::string_view text) {
  std::stringstream words{std::string(text)};
  std::string result;
  for (std::string word; words >> word;) result += " " + word;
  return result + " ";
}

}  // namespace saturn
