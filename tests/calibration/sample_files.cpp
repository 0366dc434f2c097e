#include "tests/calibration/sample_files.hpp"

namespace saturn::tests {

namespace {

/// One client, twenty requests of 10 ms.
std::string aiperf_records_text() {
  std::string text;
  for (int k = 0; k < 20; ++k)
    text +=
        R"({"metadata": {"request_start_ns": )" + std::to_string(1'700'000'000'000 + 10 * k) +
        R"(000000, "request_end_ns": )" + std::to_string(1'700'000'000'010 + 10 * k) +
        R"(000000, "was_cancelled": false}, "metrics": {"request_latency": {"value": 10.0, "unit": "ms"}}, "error": null})"
        "\n";
  return text;
}

}  // namespace

const std::vector<SampleFile>& sample_files() {
  static const std::vector<SampleFile> files{
      {"ping output",
       "PING h (192.0.2.1) 56(84) bytes of data.\n64 bytes from h (192.0.2.1): icmp_seq=1 ttl=9 time=11.8 ms\n"
       "64 bytes from h (192.0.2.1): icmp_seq=2 ttl=9 time=12.8 ms (DUP!)\n\n--- h ping statistics ---\n"
       "3 packets transmitted, 1 received, +1 duplicates, 66% packet loss, time 9ms\nrtt min/avg/max/mdev = "
       "11.8/12.3/12.8/0.5 ms\n"},
      {"iperf3 JSON",
       R"({"start": {"version": "iperf 3.9", "test_start": {"protocol": "TCP", "num_streams": 2}}, "intervals": [
{"sum": {"seconds": 1.0, "bytes": 1e8, "omitted": false}}, {"sum": {"seconds": 1.0, "bytes": 0}}],
"end": {"sum_sent": {"bits_per_second": 8e8, "retransmits": 1}, "sum_received": {"bits_per_second": 7e8}}})"},
      {"TimeTracker summary",
       "================\nTimeTracker printout (sec) Min Avg Max Median RMS nEvts\n================\n"
       "Full event 0.5 2.0 9.0 1.5 0.8 400\n----------------\np:a:A 0.1 0.2 0.3 0.2 0.1 400\n================\n"},
      {"FastTimerService JSON",
       R"({"modules": [{"events": 9, "label": "a", "type": "A", "time_thread": 5.0, "time_real": 6.0}],
"total": {"events": 9, "label": "X", "time_thread": 15.0, "time_real": 16.0}})"},
      {"plain table", "clients,event_time_s,sd,nonml_s\n1,3.5,0.1,2\n2,4.5,0.1,2\n16,9.5,0.1,2\n"},
      {"plain table", "concurrency;throughput [1/s];latency_ms;batch\n1;20;50;1\n4;60;66;1\n"},
      {"saturn-numbers JSON",
       R"({"schema": "saturn-numbers/1", "numbers": {"gpu": {"value": "2.7 s", "error": "10 %"}, "n": {"value": 5}}})"},
      {"perf_analyzer CSV",
       "Concurrency,Inferences/Second,Client Send,Network+Server Send/Recv,Server Queue,Server Compute Input,Server "
       "Compute Infer,Server Compute Output,Client Recv,p50 latency,p99 latency,Avg GPU Utilization,Avg GPU Power "
       "Usage\n"
       "1,95.5,120,900,60,200,9000,15,5,10100,13000,GPU-a:0.5;GPU-b:0.4;,GPU-a:55;GPU-b:60;\n"
       "2,180,120,900,700,200,9000,15,5,10900,14000,GPU-a:0.9;GPU-b:0.8;,GPU-a:95;GPU-b:90;\n"},
      {"perf_analyzer terminal output",
       "$ perf_analyzer -m tagger -b 2 --percentile=95\n"
       "Request concurrency: 2\n  Client: \n    Request count: 500\n    Throughput: 200 infer/sec\n"
       "    p95 latency: 24000 usec\n"
       "    Avg gRPC time: 20000 usec (marshal 100 usec + response wait 19700 usec + unmarshal 200 usec)\n"
       "  Server: \n    Inference count: 2400\n    Execution count: 400\n"
       "    Avg request latency: 17000 usec (overhead 200 usec + queue 9000 usec + compute 7800 usec)\n"
       "Inferences/Second vs. Client p95 Batch Latency\n"
       "Concurrency: 2, throughput: 200 infer/sec, latency 24000 usec\n"},
      {"perf_analyzer profile export",
       "{\"experiments\":[{\"experiment\":{\"mode\":\"request_rate\",\"value\":2.5},\"requests\":["
       "{\"timestamp\":10,\"response_timestamps\":[20]},{\"timestamp\":11,\"response_timestamps\":[21,25]}],"
       "\"window_boundaries\":[1,50,60]}],\"version\":\"1\",\"service_kind\":\"triton\"}"},
      {"AIPerf or GenAI-Perf report",
       R"({"schema_version": "1.0", "aiperf_version": "0.5.0", "input_config": {"endpoint": {"model_names": ["tagger"]},
"loadgen": {"concurrency": 8}}, "request_throughput": {"unit": "requests/sec", "avg": 400.5},
"request_latency": {"unit": "ms", "avg": 19.9, "p50": 18, "p90": 25, "p95": 27, "p99": 30.5, "std": 4.0},
"request_count": {"unit": "requests", "avg": 4000.0}, "was_cancelled": false})"},
      {"AIPerf or GenAI-Perf table",
       "Metric,avg,min,max,p99,p95,p90,p75,p50,p25\nRequest Latency (ms),\"2,000.00\",900.00,\"4,400.00\",\"3,300.00\","
       "\"2,800.00\",\"2,600.00\",\"2,200.00\",\"1,900.00\",\"1,500.00\"\n\nMetric,Value\n"
       "Request Throughput (per sec),4.00\nRequest Count (count),1600.00\n"},
      {"AIPerf request records", aiperf_records_text()},
      {"Model Analyzer CSV",
       "Model,Batch,Concurrency,Model Config Path,Instance Group,Throughput (infer/sec),p99 Latency (ms)\n"
       "\"a,b\",\"1,2\",\"4,4\",\"a_config_1,b_config_0\",\"2:GPU,1:GPU\",\"421.0, [184.5,236.5]\",\"20.7, "
       "[23.9,17.4]\"\n"
       "a,1,8,a_config_1,2:GPU,300.5,31.2\n"
       "Model,GPU UUID,Batch,Concurrency,Model Config Path,Instance Group,GPU Utilization (%),GPU Power Usage (W)\n"
       "a,GPU-1,1,8,a_config_1,2:GPU,88.1,170.2\n"},
      {"Triton metrics",
       "nv_inference_request_success{model=\"a\",version=\"1\"} 1208.000000 1700000000000\n"
       "nv_inference_count{model=\"a\",version=\"1\"} 2416.000000\n"
       "nv_inference_exec_count{model=\"a\",version=\"1\"} 302\n"
       "nv_inference_request_duration_us{model=\"a\",version=\"1\"} 3.5e+07\n"
       "nv_inference_compute_infer_duration_us{model=\"a\",version=\"1\"} 30000000\n"
       "nv_gpu_utilization{gpu_uuid=\"GPU-1\"} 0.5\n"}};
  return files;
}

}  // namespace saturn::tests
