#include "scenarios/cluster_size.hpp"

#include <charconv>
#include <functional>
#include <numeric>
#include <vector>

namespace saturn {

namespace {

std::vector<std::string_view> pieces_of(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (std::size_t end = text.find(separator); end != std::string_view::npos; end = text.find(separator)) {
    pieces.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  pieces.push_back(text);
  return pieces;
}

/// SimGrid reads an int. Numbers go on as double: products of a few of them overflow no double.
std::optional<double> whole_number(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

std::optional<std::vector<double>> whole_numbers(std::string_view text) {
  std::vector<double> numbers;
  for (const std::string_view piece : pieces_of(text, ',')) {
    const std::optional<double> number = whole_number(piece);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

/// Lists separated by semicolons.
std::optional<std::vector<std::vector<double>>> lists_of_numbers(std::string_view text) {
  std::vector<std::vector<double>> lists;
  for (const std::string_view piece : pieces_of(text, ';')) {
    std::optional<std::vector<double>> list = whole_numbers(piece);
    if (!list) return std::nullopt;
    lists.push_back(std::move(*list));
  }
  return lists;
}

double product_of(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 1.0, std::multiplies<>());
}

/// A host, its loopback and a link to the next one in each dimension.
double parts_of_torus(const std::vector<double>& sizes) {
  return product_of(sizes) * (2.0 + static_cast<double>(sizes.size()));
}

std::optional<double> parts_of_fat_tree(const std::vector<std::vector<double>>& lists) {
  if (lists.size() != 4 || lists[0].size() != 1) return std::nullopt;
  const std::vector<double>& below = lists[1];
  const std::vector<double>& above = lists[2];
  const std::vector<double>& cables = lists[3];
  for (const std::vector<double>* list : {&below, &above, &cables})
    if (static_cast<double>(list->size()) != lists[0][0]) return std::nullopt;
  // Of a level there are as many as the levels up to it multiply, and the levels above it divide, the hosts.
  double of_level = product_of(below);
  double parts = 2.0 * of_level;
  for (std::size_t level = 0; level < below.size(); ++level) {
    parts += of_level * above[level] * cables[level];
    if (below[level] > 0.0) of_level *= above[level] / below[level];
    parts += of_level;
  }
  return parts;
}

std::optional<double> parts_of_dragonfly(const std::vector<std::vector<double>>& lists) {
  if (lists.size() != 4 || lists[3].size() != 1) return std::nullopt;
  for (std::size_t i = 0; i < 3; ++i)
    if (lists[i].size() != 2) return std::nullopt;
  const double groups = lists[0][0];
  const double chassis = lists[1][0];
  const double blades = lists[2][0];
  const double routers = groups * chassis * blades;
  const double cables = groups * groups + groups * chassis * blades * (blades + chassis);
  return routers * (1.0 + 3.0 * lists[3][0]) + cables;
}

}  // namespace

std::optional<double> hosts_of_radical(std::string_view radical) {
  double hosts = 0.0;
  for (const std::string_view range : pieces_of(radical, ',')) {
    const std::vector<std::string_view> ends = pieces_of(range, '-');
    const std::optional<double> first = whole_number(ends.front());
    const std::optional<double> last = whole_number(ends.back());
    if (ends.size() > 2 || !first || !last) return std::nullopt;
    if (*last >= *first) hosts += *last - *first + 1.0;
  }
  return hosts;
}

std::optional<double> parts_of_topology(std::string_view topology, std::string_view parameters) {
  if (topology == "FLAT") return 0.0;
  const auto lists = lists_of_numbers(parameters);
  if (!lists) return std::nullopt;
  if (topology == "TORUS" && lists->size() == 1) return parts_of_torus(lists->front());
  if (topology == "FAT_TREE") return parts_of_fat_tree(*lists);
  if (topology == "DRAGONFLY") return parts_of_dragonfly(*lists);
  return std::nullopt;
}

std::string form_of_topology(std::string_view topology) {
  if (topology == "TORUS") return "sizes in each dimension, \"4,4,2\"";
  if (topology == "FAT_TREE") return "levels; nodes below, nodes above and cables of each, \"2;4,4;1,2;1,2\"";
  if (topology == "DRAGONFLY") return "groups, chassis and routers, each with its cables; hosts, \"3,4;4,3;5,1;2\"";
  return "a topology FLAT, TORUS, FAT_TREE or DRAGONFLY";
}

}  // namespace saturn
