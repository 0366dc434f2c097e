#pragma once

namespace saturn {

/// The published model of an event's time with inference as a service, symbol by symbol as printed.
/// Source: T. Yang et al., "GPU-accelerated machine learning inference for offline reconstruction and analysis
/// workflows in neutrino experiments", HSF-WLCG workshop, 24 November 2020; M. Wang et al., Front. Big Data 3:604083.
struct SaturationFormula {
  double cpu_s = 0.0;      ///< (1 − p)·t_CPU, preprocessing included [s]
  double gpu_s = 0.0;      ///< t_GPU [s], > 0
  double latency_s = 0.0;  ///< t_latency [s]
  double clients = 0.0;    ///< N_CPU
  double gpus = 0.0;       ///< N_GPU, > 0

  /// t_ideal = (1 − p)·t_CPU + t_GPU + t_latency [s].
  double ideal_event_time_s() const;
  /// t_SONIC = (1 − p)·t_CPU + t_GPU·[1 + max(0, N_CPU/N_GPU − t_ideal/t_GPU)] + t_latency [s].
  double event_time_s() const;
  /// N_CPU/N_GPU at which the GPU saturates: t_ideal/t_GPU [1].
  double clients_per_gpu() const;
};

}  // namespace saturn
