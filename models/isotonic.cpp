#include "models/isotonic.hpp"

#include <cstddef>
#include <stdexcept>

namespace saturn {

namespace {

struct Block {
  double mean = 0.0;
  double weight = 0.0;
  std::size_t size = 0;
};

}  // namespace

std::vector<double> non_descending(std::span<const double> values, std::span<const double> weights) {
  if (values.size() != weights.size()) throw std::invalid_argument("non_descending: as many weights as values");
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < values.size(); ++i) {
    blocks.push_back({values[i], weights[i], 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean > blocks.back().mean) {
      const Block last = blocks.back();
      blocks.pop_back();
      Block& merged = blocks.back();
      const double weight = merged.weight + last.weight;
      merged.mean = (merged.mean * merged.weight + last.mean * last.weight) / weight;
      merged.weight = weight;
      merged.size += last.size;
    }
  }
  std::vector<double> fitted;
  for (const Block& block : blocks) fitted.insert(fitted.end(), block.size, block.mean);
  return fitted;
}

}  // namespace saturn
