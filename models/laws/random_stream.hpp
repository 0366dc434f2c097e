#pragma once

#include <array>
#include <cstdint>

namespace saturn {

/// What a random stream is drawn for; part of its key, so that adding a purpose leaves every other stream as it was.
enum class Purpose : std::uint32_t {
  start = 1,
  cpu_stage = 2,
  service = 3,
  dispatch = 4,
  item_length = 5,
  arrival = 6,
  item_count = 7,
  worker_speed = 8,
  job_age = 9,
  parameters = 10,
  bootstrap = 11,
  sweep = 12,
  event_age = 13,
  failure = 14,
  start_up = 15,
  retry = 16
};

/// One stream of random numbers, addressed and not seeded: the n-th number of (seed, replication, entity, purpose) is a
/// pure function of these five, the same on every machine, in every order of drawing and at any number of processes.
/// Two scenarios with the same seed share random numbers entity by entity (common random numbers).
/// Source: Philox4x32-10, Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (SC11), from Random123.
class RandomStream {
 public:
  /// @param seed         the scenario's seed
  /// @param replication  index of the replication, from 0
  /// @param entity       who draws (a job's number, a device's number)
  /// @param purpose      what for
  RandomStream(std::uint64_t seed, std::uint32_t replication, std::uint32_t entity, Purpose purpose)
      : seed_(seed), replication_(replication), entity_(entity), purpose_(static_cast<std::uint32_t>(purpose)) {}

  /// The next number of the stream: 52 random bits, uniform on the open interval (0, 1); never 0 nor 1.
  /// Cost: one Philox block for two numbers.
  double uniform() { return drawn_++ % 2 == 0 ? first_of_block() : second_; }

 private:
  double first_of_block();

  std::uint64_t seed_;
  std::uint32_t replication_;
  std::uint32_t entity_;
  std::uint32_t purpose_;
  std::uint32_t drawn_ = 0;
  double second_ = 0.0;
};

/// One block of Philox4x32-10: four 32-bit words that depend on every bit of counter and key.
std::array<std::uint32_t, 4> philox_block(const std::array<std::uint32_t, 4>& counter,
                                          const std::array<std::uint32_t, 2>& key);

}  // namespace saturn
