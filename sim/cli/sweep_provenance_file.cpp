#include "sim/cli/sweep_provenance_file.hpp"

#include <charconv>
#include <string>

#include "scenarios/parse_document.hpp"
#include "scenarios/regular_file.hpp"

namespace saturn {

namespace {

constexpr std::size_t largest_provenance = std::size_t{16} << 20U;

std::string text_at(const Node& parent, const char* key) {
  const Node* found = parent.find(key);
  return found != nullptr && found->kind == NodeKind::text ? found->text : "";
}

std::vector<FittedSource> fitted_at(const Node& parent) {
  std::vector<FittedSource> sources;
  const Node* list = parent.find("fitted");
  if (list == nullptr) return sources;
  for (const Node& one : list->children) {
    FittedSource source{.path = text_at(one, "path"), .sha256 = text_at(one, "sha256")};
    if (const Node* fits = one.find("fits"))
      for (const Node& fit : fits->children) source.fits.push_back(fit.text);
    sources.push_back(std::move(source));
  }
  return sources;
}

}  // namespace

std::optional<Provenance> read_sweep_provenance(const std::filesystem::path& folder) {
  std::string text;
  if (read_regular_file((folder / "provenance.json").string(), largest_provenance, text)) return std::nullopt;
  if (first_invalid_utf8(text) != std::string::npos) return std::nullopt;
  const ParsedText parsed = parse_document(text, 0);
  const Node* found = parsed.complete ? parsed.root.find("provenance") : nullptr;
  if (found == nullptr) return std::nullopt;
  Provenance provenance{.version = text_at(*found, "version"),
                        .simgrid = text_at(*found, "simgrid"),
                        .git = text_at(*found, "git"),
                        .scenario_sha256 = text_at(*found, "scenario_sha256"),
                        .command = text_at(*found, "command"),
                        .fitted = fitted_at(*found)};
  if (const Node* seed = found->find("seed"))
    std::from_chars(seed->text.data(), seed->text.data() + seed->text.size(), provenance.seed);
  return provenance;
}

}  // namespace saturn
