#include "models/batch_time_faults.hpp"

#include <doctest/doctest.h>

namespace saturn::tests {

TEST_CASE("a batch that takes longer than several smaller ones is a fault, and what real devices do is none") {
  // nnU-Net FP32 on an A100: T(4) is 1.89 times two T(2) and 1.66 times four T(1); T(2) is below two T(1).
  const std::vector<BatchTimePoint> nnunet{{1, 28.918e-3, {}}, {2, 50.835e-3, {}}, {4, 191.724e-3, {}}};
  const std::vector<BatchTimeFault> faults = batch_time_faults(nnunet);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].smaller == 1);
  CHECK(faults[0].larger == 2);
  CHECK(faults[0].parts == 2);
  CHECK(faults[0].factor == doctest::Approx(191.724 / (2.0 * 50.835)));
  const std::string text = in_words(faults[0], nnunet);
  CHECK(
      text.starts_with("T(4) = 191.7 ms is 1.886 times as long as 2 batches of 2, which do the same items (T(2) = "
                       "50.84 ms each): batching would be worse than none."));
  CHECK(text.find("Measure batches of 2 and 4 again") != std::string::npos);

  // Affine, in proportion, and padded to powers of two, whose T(5) is that of 8.
  CHECK(batch_time_faults(std::vector<BatchTimePoint>{{1, 1.0, {}}, {2, 2.0, {}}, {64, 64.0, {}}}).empty());
  CHECK(
      batch_time_faults(std::vector<BatchTimePoint>{{4, 4.0, {}}, {5, 8.0, {}}, {8, 8.0, {}}, {9, 16.0, {}}}).empty());
  // DeepTau on a T4: 8 % above two of half the size.
  CHECK(batch_time_faults(std::vector<BatchTimePoint>{{64, 30.395, {}}, {128, 65.789, {}}, {256, 142.86, {}}}).empty());
}

TEST_CASE("a smaller batch that takes longer is a fault beyond what the errors allow") {
  const auto falls = [](double first, double second, std::optional<double> error) {
    return batch_time_faults(std::vector<BatchTimePoint>{{1, first, error}, {2, second, error}}).size();
  };
  CHECK(falls(1.04, 1.0, {}) == 0);
  CHECK(falls(1.06, 1.0, {}) == 1);
  // Three standard errors of the difference are 0.042 for 0.01 each.
  CHECK(falls(1.04, 1.0, 0.01) == 0);
  CHECK(falls(1.045, 1.0, 0.01) == 1);
  CHECK(falls(1.015, 1.0, 1e-4) == 0);
  const std::vector<BatchTimePoint> cold{{1, 7.5e-3, {}}, {2, 6.0e-3, {}}, {4, 6.5e-3, {}}};
  const std::vector<BatchTimeFault> faults = batch_time_faults(cold);
  REQUIRE(faults.size() == 2);
  CHECK(faults[0].parts == 0);
  CHECK(in_words(faults[0], cold).starts_with("T(1) = 7.5 ms is above T(2) = 6 ms (1.25 times), which cannot be"));
}

}  // namespace saturn::tests
