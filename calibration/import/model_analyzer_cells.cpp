#include "calibration/import/model_analyzer_cells.hpp"

#include "calibration/import/line_walk.hpp"
#include "models/words/texts.hpp"

namespace saturn {

std::vector<std::string> cell_parts(std::string_view cell) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = cell.find(',');
    parts.emplace_back(trimmed(cell.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    cell.remove_prefix(end + 1);
  }
}

std::optional<std::vector<double>> cell_figures(std::string_view cell, std::size_t models) {
  const std::size_t open = cell.find('[');
  std::string_view list = cell;
  if (open != std::string_view::npos) {
    const std::size_t close = cell.find(']', open);
    if (close == std::string_view::npos) return std::nullopt;
    list = cell.substr(open + 1, close - open - 1);
  }
  std::vector<double> figures;
  for (const std::string& part : cell_parts(list)) {
    const auto value = plain_number(part);
    if (!value || *value < 0.0) return std::nullopt;
    figures.push_back(*value);
  }
  if (figures.size() != models) return std::nullopt;
  return figures;
}

std::optional<InstanceGroup> instance_group(std::string_view text) {
  const std::size_t mark = text.find_first_of(":/");
  if (mark == std::string_view::npos) return std::nullopt;
  const auto count = plain_number(text.substr(0, mark));
  const std::string kind = column_key(text.substr(mark + 1));
  if (!count || *count <= 0.0 || (kind != "gpu" && kind != "cpu")) return std::nullopt;
  return InstanceGroup{.count = *count, .on_cpu = kind == "cpu"};
}

}  // namespace saturn
