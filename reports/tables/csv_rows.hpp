#pragma once

#include <optional>
#include <string>

#include "models/results/estimate.hpp"

namespace saturn {

/// Tidy comma-separated rows (RFC 4180, lines end in a newline): one number a row, the unit in the quantity's name.
/// Columns: section,name,quantity,mean,low,high,confidence,replications. An exact number has no interval: those cells
/// are empty. Where fitted parameters widen an interval, rows follow with the simulation's own and each fit's share.
class CsvRows {
 public:
  CsvRows();

  void add(const std::string& section, const std::string& name, const std::string& quantity, const Estimate& estimate);
  void add(const std::string& section, const std::string& name, const std::string& quantity,
           std::optional<double> exact);
  void add(const std::string& section, const std::string& name, const std::string& quantity, const std::string& word);

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace saturn
