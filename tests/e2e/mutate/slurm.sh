# Section of run.sh about campaigns on Slurm; sourced by it. Skipped where Slurm (Debian's slurm-wlm) is not installed or
# does not start.
# shellcheck shell=sh disable=SC2154

# A cluster of this machine alone, below $work/slurm.
start_slurm() {
  slurm=$work/slurm
  mkdir -p "$slurm/state" "$slurm/spool"
  node=$(hostname -s)
  cat >"$slurm/slurm.conf" <<END
ClusterName=one
SlurmctldHost=$node(127.0.0.1)
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.log
SlurmctldPort=17817
SlurmdPort=17818
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
ReturnToService=2
MailProg=/bin/true
NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$node Default=YES MaxTime=INFINITE State=UP
END
  SLURM_CONF=$slurm/slurm.conf
  export SLURM_CONF
  pgrep -x munged >/dev/null || su -s /bin/sh munge -c munged || return 1
  slurmctld && slurmd && timeout 30 sh -c 'until sinfo -h -o %t | grep -q "idle\|alloc\|mix"; do sleep 1; done'
}

stop_slurm() {
  for daemon in slurmd slurmctld; do
    pid=$(cat "$slurm/$daemon.pid" 2>/dev/null) && kill "$pid" && timeout 10 sh -c "while kill -0 $pid 2>/dev/null; do sleep 0.2; done"
  done
  unset SLURM_CONF
}

section_slurm() {
  fresh
  if ! command -v slurmctld >"$work/check.out" || ! command -v munged >"$work/check.out"; then
    skip "Slurm" "slurm-wlm is not installed"
    return
  fi
  if ! start_slurm >"$work/check.out" 2>&1; then
    skip "Slurm" "it does not start here"
    stop_slurm
    return
  fi
  CLTESTCHECK=$tool "$source/scripts/slurm-mutate" 3 results --runs 1 --no-equivalence -- "$host" run x >"$work/out" 2>"$work/err"
  status=$?
  expect "slurm-mutate" 0
  timeout 300 sh -c 'while squeue -h | grep -q .; do sleep 1; done'
  check "slurm-mutate: the shards are merged" test -s results/merged.db
  run report --all --db results/merged.db --format json=a.json
  expect "slurm-mutate: the report of all shards" 0
  same "slurm-mutate: every mutant, once" "$run_statuses" statuses a.json
  cp results/merged.db before.db
  CLTESTCHECK=$tool "$source/scripts/slurm-mutate" 3 results --runs 1 --no-equivalence -- "$host" run x >"$work/out" 2>"$work/err"
  timeout 300 sh -c 'while squeue -h | grep -q .; do sleep 1; done'
  run report --all --db results/merged.db --format json=b.json
  same "slurm-mutate: once more: nothing is done twice" "$run_statuses" statuses b.json
  stop_slurm
}
