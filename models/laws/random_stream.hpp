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
  /// Where a stream stands: all that changes in it, for those that keep many streams of one seed and replication.
  struct Position {
    double second = 0.0;      ///< of the two numbers of the block that was drawn last
    std::uint32_t drawn = 0;  ///< numbers so far
    std::uint32_t purpose;    ///< in its upper half how often `drawn` has begun anew
  };

  /// @param seed         the scenario's seed
  /// @param replication  index of the replication, from 0
  /// @param entity       who draws (a job's number, a device's number)
  /// @param purpose      what for
  RandomStream(std::uint64_t seed, std::uint32_t replication, std::uint32_t entity, Purpose purpose)
      : RandomStream(seed, replication, entity, begin(purpose)) {}
  /// As it was at that position.
  RandomStream(std::uint64_t seed, std::uint32_t replication, std::uint32_t entity, const Position& position)
      : seed_(seed), replication_(replication), entity_(entity), at_(position) {}

  /// Of a stream that nothing has been drawn from.
  static Position begin(Purpose purpose) { return {.purpose = static_cast<std::uint32_t>(purpose)}; }
  const Position& position() const { return at_; }

  /// The next number of the stream: 52 random bits, uniform on the open interval (0, 1); never 0 nor 1.
  /// Cost: one Philox block for two numbers.
  double uniform() { return at_.drawn++ % 2 == 0 ? first_of_block() : at_.second; }

 private:
  double first_of_block();

  std::uint64_t seed_;
  std::uint32_t replication_;
  std::uint32_t entity_;
  Position at_;
};

/// One block of Philox4x32-10: four 32-bit words that depend on every bit of counter and key.
std::array<std::uint32_t, 4> philox_block(const std::array<std::uint32_t, 4>& counter,
                                          const std::array<std::uint32_t, 2>& key);

}  // namespace saturn
