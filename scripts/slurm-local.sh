#!/usr/bin/env bash
# A Slurm cluster of two nodes, n1 and n2, on this one machine, without systemd: munged, slurmctld and two slurmd. All
# that they write is below FOLDER. Any user can run it; jobs run as that user.
# Usage: scripts/slurm-local.sh start FOLDER      then: export SLURM_CONF=FOLDER/slurm.conf
#        scripts/slurm-local.sh status FOLDER
#        scripts/slurm-local.sh node-start FOLDER NODE
#        scripts/slurm-local.sh node-kill FOLDER NODE    as if its machine lost power: kill -9 of its slurmd and jobs
#        scripts/slurm-local.sh slurmd-kill FOLDER NODE  its slurmd only: Slurm thinks the node dead, its jobs go on
#        scripts/slurm-local.sh stop FOLDER      ends jobs and daemons; the logs stay
set -euo pipefail

usage() {
  sed -n '/^# Usage/,/^# *scripts.*stop/ s/^# //p' "${BASH_SOURCE[0]}" >&2
  exit 64
}

action=${1:-}
[[ $# -ge 2 && -n $2 ]] || usage
node=${3:-}
PATH=$PATH:/usr/sbin:/sbin

complain() { echo "slurm-local: $*" >&2; exit 1; }

# Not realpath's business: the folder may be missing yet.
folder=$(realpath -m -- "$2")
[[ $folder != *[^A-Za-z0-9_./-]* ]] ||
  complain "the folder is '$folder'; Slurm's configuration takes plain letters, digits and _ . - only"
export SLURM_CONF=$folder/slurm.conf

check_programs() {
  local program missing=()
  for program in munged mungekey slurmctld slurmd sbatch scancel scontrol sinfo; do
    command -v "$program" >/dev/null || missing+=("$program")
  done
  [[ ${#missing[@]} -eq 0 ]] || complain "not found: ${missing[*]}; Debian has them in slurm-wlm and munge:" \
    "source scripts/packages.sh && scripts/install-packages.sh \"\${slurm_packages[@]}\""
}

# Three ports that nobody listens on, one after another.
free_ports() {
  local base port taken
  for _ in $(seq 50); do
    base=$(( 20000 + RANDOM % 10000 )) taken=no
    for port in $base $(( base + 1 )) $(( base + 2 )); do
      if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then taken=yes; fi
    done
    if [[ $taken == no ]]; then echo "$base"; return; fi
  done
  complain "no three free ports between 20000 and 30000"
}

# Nodes have more processors than the machine, so that one of them can take what ran on both; jobs are spread (CR_LLN).
# Short times, so that a dead node is noticed and its jobs start again within seconds. cred_expire is also how long a
# requeued job waits before it may start (slurm.conf, AuthInfo; 120 s by default).
write_configuration() {
  local ports host
  ports=$(free_ports)
  host=$(hostname -s)
  cat >"$SLURM_CONF" <<END
ClusterName=local
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$ports
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool.%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU,CR_LLN
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,bf_interval=2,batch_sched_delay=0,sched_min_interval=0
SlurmdParameters=config_overrides
ReturnToService=2
JobRequeue=1
SlurmdTimeout=6
SlurmctldTimeout=30
KillWait=5
MinJobAge=600
InactiveLimit=0
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$(( ports + 1 )) CPUs=4 RealMemory=65536
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$(( ports + 2 )) CPUs=4 RealMemory=65536
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=60 State=UP
END
}

# Waits until a command succeeds: wait_for SECONDS COMMAND...
wait_for() {
  local end=$(( SECONDS + $1 ))
  shift
  until "$@" >/dev/null 2>&1; do
    if (( SECONDS > end )); then return 1; fi
    sleep 0.2
  done
}

pid_of() { cat "$folder/$1.pid" 2>/dev/null; }

# A zombie has ended: where process 1 collects no children it stays for ever.
has_ended() { ! grep -q -s '^State:.[^Z]' "/proc/$1/status"; }

end_daemon() {
  local pid
  pid=$(pid_of "$1") || return 0
  kill "$pid" 2>/dev/null || true
  wait_for 10 has_ended "$pid" || kill -9 "$pid" 2>/dev/null || true
}

# What a node runs: its jobs carry its name and this cluster's file in their environment; slurmd and the slurmstepd of
# each job have its log open.
node_processes() {
  local jobs
  mapfile -t jobs < <(grep -s -l -z -x -F "SLURM_CONF=$SLURM_CONF" /proc/[0-9]*/environ)
  {
    grep -s -l -z -x -F "SLURMD_NODENAME=$1" "${jobs[@]}" /dev/null || true
    find /proc/[0-9]*/fd -lname "$folder/slurmd.$1.log" 2>/dev/null || true
  } | sed -n 's#^/proc/\([0-9]*\)/.*#\1#p' | sort -u
}

start_node() {
  mkdir -p "$folder/spool.$1"
  slurmd -N "$1" || complain "slurmd of $1 did not start; see $folder/slurmd.$1.log"
}

nodes_are_idle() { [[ $(sinfo -h -n n1,n2 -o '%T %D') == "idle 2" ]]; }

kill_node() {
  local left
  for _ in $(seq 20); do
    mapfile -t left < <(node_processes "$1")
    if [[ ${#left[@]} -eq 0 ]]; then break; fi
    kill -9 "${left[@]}" 2>/dev/null || true
    sleep 0.1
  done
  rm -f "$folder/slurmd.$1.pid"
}

start() {
  check_programs
  [[ ! -e $SLURM_CONF ]] || complain "$folder holds a cluster already; stop it, or take another folder"
  mkdir -p "$folder/state"
  chmod 755 "$folder"
  (umask 077 && mungekey --create --keyfile="$folder/munge.key")
  munged --socket="$folder/munge.socket" --key-file="$folder/munge.key" --pid-file="$folder/munged.pid" \
    --log-file="$folder/munged.log" --seed-file="$folder/munged.seed" ||
    complain "munged did not start; see $folder/munged.log"
  write_configuration
  slurmctld || complain "slurmctld did not start; see $folder/slurmctld.log"
  start_node n1
  start_node n2
  wait_for 30 nodes_are_idle || complain "the nodes did not come up within 30 s; see $folder/slurm*.log"
  echo "export SLURM_CONF=$SLURM_CONF"
}

# Jobs die with their nodes. The controller goes first, so that it does not start them again.
stop() {
  end_daemon slurmctld
  kill_node n1
  kill_node n2
  end_daemon munged
  rm -rf "$SLURM_CONF" "$folder"/*.pid "$folder"/{state,spool.n1,spool.n2} \
    "$folder"/{munge.socket,munge.socket.lock,munge.key,munged.seed}
}

case "$action" in
  start) start ;;
  stop) stop ;;
  status) [[ -e $SLURM_CONF ]] || complain "no cluster in $folder"; sinfo -N; squeue ;;
  node-start) [[ -n $node ]] || usage; start_node "$node" ;;
  node-kill) [[ -n $node ]] || usage; kill_node "$node" ;;
  slurmd-kill)
    [[ -n $node ]] || usage
    kill -9 "$(pid_of "slurmd.$node")"
    rm -f "$folder/slurmd.$node.pid" ;;
  *) usage ;;
esac
