#include "tests/figures/figure_samples.hpp"

#include <iterator>

#include "tests/figures/map_samples.hpp"
#include "tests/figures/swept_samples.hpp"

namespace saturn {

std::vector<Figure> sample_figures() {
  std::vector<Figure> all = curve_samples();
  std::vector<Figure> maps = map_samples();
  all.insert(all.end(), std::make_move_iterator(maps.begin()), std::make_move_iterator(maps.end()));
  std::vector<Figure> sweeps = sweep_samples();
  all.insert(all.end(), std::make_move_iterator(sweeps.begin()), std::make_move_iterator(sweeps.end()));
  return all;
}

}  // namespace saturn
