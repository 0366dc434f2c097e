#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace saturn {

/// Max-min fair rates of flows that share links, solved per class: flows of one class take the same links and have the
/// same cap, so they have the same rate, and the solution costs nothing per flow.
/// Every link gives each class that it holds back the same rate; a class that no link holds back runs at its cap.
class FairSharing {
 public:
  /// @param capacity  [byte/s], > 0, finite  @returns the link's number
  std::size_t add_link(double capacity);
  /// @param cap    rate that one flow reaches alone [byte/s], > 0, finite
  /// @param links  numbers of the links that its flows cross, each once
  /// @returns the class's number
  std::size_t add_class(double cap, std::vector<std::size_t> links);

  std::size_t classes() const { return classes_.size(); }
  double rate(std::size_t flow_class) const { return classes_[flow_class].rate; }
  double cap(std::size_t flow_class) const { return classes_[flow_class].cap; }
  double capacity(std::size_t link) const { return links_[link].capacity; }
  std::uint64_t flows(std::size_t flow_class) const { return classes_[flow_class].flows; }

  /// A flow of the class begins. Returns true when rates of classes may have changed; `changed()` then names them.
  /// Cost: O(links of the class) while every link carries its flows at their caps; else O(classes × links) at most.
  bool start(std::size_t flow_class);
  /// A flow of the class ends; otherwise as start().
  bool finish(std::size_t flow_class);

  /// Classes whose rate the last start() or finish() changed.
  const std::vector<std::size_t>& changed() const { return changed_; }

 private:
  struct LinkState {
    double capacity = 0.0;
    double wanted = 0.0;  // sum over the flows of their caps
    double left = 0.0;    // scratch of solve(): capacity not yet given away
    double weight = 0.0;  // scratch of solve(): flows whose rate is still open
    bool crowded() const { return wanted > capacity * (1.0 + 1e-12); }
  };
  struct ClassState {
    double cap = 0.0;
    double rate = 0.0;
    std::uint64_t flows = 0;
    std::vector<std::size_t> links;
    bool open = false;  // scratch of solve()
  };

  bool update(std::size_t flow_class, double sign);
  void solve();

  std::vector<LinkState> links_;
  std::vector<ClassState> classes_;
  std::vector<std::size_t> changed_;
  std::vector<double> before_;
};

}  // namespace saturn
