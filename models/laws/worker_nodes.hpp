#pragma once

#include <cstdint>
#include <variant>
#include <vector>

namespace saturn {

/// Every worker node has the same speed.
struct ConstantSpeed {
  double value = 1.0;  ///< > 0 [1]
};
/// Lognormal with the given mean (of the speed) and coefficient of variation cv > 0.
struct LognormalSpeed {
  double mean = 1.0;
  double cv = 0.0;
};
/// Uniform on [low, high], low > 0.
struct UniformSpeed {
  double low = 1.0;
  double high = 1.0;
};
/// The listed speeds in turn, n >= 1.
struct ListedSpeeds {
  std::vector<double> values;
};

/// Speeds of the worker nodes that jobs run on, relative to the node that CPU times were measured on: a job's CPU times
/// are divided by its speed.
using WorkerSpeed = std::variant<ConstantSpeed, LognormalSpeed, UniformSpeed, ListedSpeeds>;

/// Jobs of equal speed.
struct SpeedClass {
  double speed = 1.0;
  std::uint64_t jobs = 0;
};

/// The speeds of `jobs` jobs, which are not drawn: job i of n has the quantile (i + 1/2)/n of the distribution, so that
/// the mean over the jobs is no lottery; of more than 1,000 jobs, neighbours share one of 1,000 such quantiles. Listed
/// speeds are taken in turn.
/// @param jobs  > 0
/// @throws std::invalid_argument  no jobs, or a speed that is not above 0
std::vector<SpeedClass> speed_classes(const WorkerSpeed& speed, std::uint64_t jobs);

/// Of these jobs the highest speed.
double fastest_speed(const WorkerSpeed& speed, std::uint64_t jobs);

/// True when all jobs have the same speed.
bool is_constant(const WorkerSpeed& speed);

/// Probability that at least `working` of `nodes` independent nodes are up [1].
/// @param working            1..nodes
/// @param node_availability  of one node alone, in (0, 1]
/// @throws std::invalid_argument  values outside these
/// Source  binomial distribution: a k-out-of-n system
double enough_nodes_up(std::uint64_t working, std::uint64_t nodes, double node_availability);

}  // namespace saturn
