#include "scenarios/scenario_fields.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_axes = 100;
constexpr std::size_t most_conditions = 100;
constexpr std::size_t longest_axis = 100'000;

}  // namespace

const Shape<SweepText>& sweep_shape() {
  static const Shape<SweepText> shape =
      Shape<SweepText>("sweep",
                       "The points that `saturn sweep` computes when no `--axis` is given; nothing else heeds it.")
          .required("axes", list_of(text_rule(1, longest_axis, "axis"), 1, most_axes), &SweepText::axes,
                    R"(["/jobs/0/count=1:512:x2"])",
                    "Fields by JSON pointer with the values they take, as `--axis` takes them; they are crossed, the "
                    "last one running fastest.")
          .optional("where", list_of(line_rule(), 0, most_conditions), &SweepText::where,
                    "all combinations of the values",
                    "Conditions between the axes, as `--where` takes them; all of them hold at every point.")
          .optional("sample", count_rule(1, most_points), &SweepText::sample, "every point",
                    "So many points are drawn in place of all.")
          .defaulted(
              "sampling",
              choice_rule<Sampling>({{"latin_hypercube", Sampling::latin_hypercube}, {"random", Sampling::random}}),
              &SweepText::sampling,
              "How they are drawn: with the values of every axis spread evenly over the sample, or each point "
              "on its own.");
  return shape;
}

}  // namespace saturn
