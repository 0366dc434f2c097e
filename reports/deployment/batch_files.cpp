#include "reports/deployment/batch_scripts.hpp"
#include "reports/tables/text_table.hpp"
#include "reports/words/escaped_text.hpp"

namespace saturn {

namespace {

constexpr std::string_view readme_head = R"md(# @title_text@

@points@ points in @shards@ shards, each a job of @cores@ @core_word@ and @memory_mib@ MiB. Made by saturn @version@ for:

@command@
Results are appended to files of the sweep's folder, a file a worker and attempt. Whatever ends a job - its time limit,
`kill -9`, a dead node - costs at most the points that were running; the same shard, started again anywhere, goes on
with the rest. A job that was thought dead and still writes does no harm: it has files of its own, and the result of a
point is the same wherever it is computed.

)md";

constexpr std::string_view slurm_readme_pattern = R"md(| file | what it is |
|---|---|
| `submit.sh` | submits `array.sbatch`, and `merge.sbatch` behind it; prints their job numbers and keeps them in `job-ids` |
| `array.sbatch` | array job: task I computes shard I |
| `merge.sbatch` | runs when all tasks have ended, well or not: makes `points.csv`, and lists points that are missing |
| `shard.sh` | the command of one shard |
| `merge.sh` | the command that merges |
| `run-local.sh` | the same shards without Slurm, on this machine, by GNU parallel or xargs |
| `logs/` | what the jobs print, `shard-I.txt` and `merge.txt` |

## Use

```
sh submit.sh                                  # or: sh submit.sh --partition=NAME --account=NAME
squeue --jobs "$(paste -sd, job-ids)"         # watch
tail -n 1 logs/shard-*.txt
scancel $(cat job-ids)                        # cancel: finished points stay
sh submit.sh                                  # go on with what is missing
sbatch --array=3,7 array.sbatch               # some shards only
sh merge.sh                                   # what there is so far, at any time
```

- **Other partition, account, quality of service**: options of `submit.sh`; they go to both jobs. **Time, memory, cores**:
  lines `#SBATCH` of `array.sbatch`. Nothing of it changes results.
- **Time limit**: @lead_s@ s before it (Slurm may do so a minute earlier) the job is told; it finishes the points that
  are running, saves, and queues again by itself, up to 100 times. A point that takes longer than that is lost at the
  limit and begun again: give such sweeps more time, or limit points by `--point-time`.
- **Requeue and node death**: `--requeue` lets Slurm start a task again on another node. Its second start takes over the
  shard, also while the first one still runs unseen.
- **Merge**: exit code 4, and the list in `logs/merge.txt`, say that points are missing; submit again.
- **More than 1,000 shards**: Slurm refuses arrays from its `MaxArraySize` on (`scontrol show config`).
- **File system**: all nodes see the sweep's folder, the scenario and the program under the same paths.

## Without Slurm

```
sh run-local.sh          # as many shards at a time as there are cores for
sh run-local.sh 4        # four at a time
```
)md";

constexpr std::string_view htcondor_readme_pattern = R"md(| file | what it is |
|---|---|
| `submit.sh` | makes the folders of the shards and submits `sweep.dag` |
| `sweep.dag` | a node a shard, tried again up to 10 times; the merge as final node, whatever became of them |
| `shard.sub` | job of one shard |
| `shard.sh` | the command of one shard |
| `merge.sub`, `merge.sh` | job and command that merge, on the machine from which you submit |
| `inputs/` | what travels with every job: the scenario and what it names |
| `shard-0001/`, ... | results that came back, a folder a shard |
| `run-local.sh` | the same shards without HTCondor, on this machine, by GNU parallel or xargs |
| `logs/` | what the jobs print |

## Use

```
sh submit.sh                                  # or: sh submit.sh -maxjobs 500
condor_q -nobatch                             # watch
tail -n 3 sweep.dag.dagman.out
condor_rm NUMBER                              # cancel: number of the DAG; what came back stays
sh submit.sh                                  # go on with what is missing
condor_submit shard=3 folder=@third@ shard.sub
sh merge.sh                                   # what came back so far, at any time
```

- **The program**: the nodes need saturn and its libraries. Either they have it as `@program@`; or the jobs run in a
  container that has it (`container_image = ...` in `shard.sub`); or put a copy of it into `inputs/` as `saturn`, and
  libraries that the nodes lack (`ldd`) into `inputs/lib/`.
- **Files**: a job takes its folder `shard-NNNN` along and brings it home when it ends, when it is evicted, and every
  @save_s@ s (a checkpoint: it finishes the points that are running, saves, and goes on in the same slot). So no shared
  file system is needed, and a machine that dies costs what was computed since the last time.
- **Time**: a job has no limit of its own; some pools want to be told one (`+MaxRuntime = @time_s@` at CERN), and an
  evicted job goes on elsewhere. **Memory, cores**: `shard.sub`, where cores stand twice. Nothing of it changes results.
- **Merge**: its exit code is that of the DAG. Code 4, and the list in `logs/merge.out`, say that points are missing.

## Without HTCondor

```
sh run-local.sh          # as many shards at a time as there are cores for
sh run-local.sh 4        # four at a time
```
)md";

BatchFile batch_readme(BatchValues values, std::string_view pattern) {
  values["title_text"] = markdown_text(values["title"]);
  values["core_word"] = values["cores"] == "1" ? "core" : "cores";
  values["command"] = fenced_text("cd " + values["directory"] + "\n" + values["program"] + " " + values["words"] +
                                  " \\\n  --out " + values["folder"]);
  return {"README.md", filled_text(readme_head, values) + filled_text(pattern, values)};
}

}  // namespace

BatchFile slurm_readme(const BatchValues& values) {
  return batch_readme(values, slurm_readme_pattern);
}

BatchFile htcondor_readme(const BatchValues& values) {
  return batch_readme(values, htcondor_readme_pattern);
}

}  // namespace saturn
