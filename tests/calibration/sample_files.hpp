#pragma once

#include <string>
#include <vector>

/// Small whole files of measurements, one of each kind, for tests that damage them.
namespace saturn::tests {

/// What is measured beside clients: ping, iperf3, TimeTracker, FastTimerService, tables, numbers.
const std::vector<std::string>& sample_client_files();

/// What load generators and servers write: perf_analyzer, Model Analyzer, Triton's metrics.
const std::vector<std::string>& sample_server_files();

}  // namespace saturn::tests
