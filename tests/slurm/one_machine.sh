# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# A Slurm of one node on this machine, on loopback addresses alone: sourced. start_slurm DIR starts it, stop_slurm ends it. Needs root.
# https://slurm.schedmd.com/slurm.conf.html
slurm_directory=
slurm_is_there() { for tool in munged slurmctld slurmd sbatch squeue scancel; do command -v $tool > /dev/null || return 1; done; }

start_slurm() {  # directory, tasks that run side by side, first of two ports
  local host
  slurm_directory=$1 host=$(hostname -s)
  mkdir -p "$slurm_directory"/{state,spool} /run/munge /var/log/munge /var/lib/munge /etc/munge
  chmod 755 "$slurm_directory"
  [ -e /etc/munge/munge.key ] || mungekey -c
  chown -R munge: /run/munge /var/log/munge /var/lib/munge /etc/munge
  if ! munge -n > /dev/null 2>&1; then
    su -s /bin/bash munge -c "munged --pid-file=/run/munge/hopwise.pid"
    munged_started=yes
  fi
  cat > "$slurm_directory/slurm.conf" <<END
ClusterName=local
SlurmctldHost=$host(127.0.0.1)
AuthType=auth/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$slurm_directory/state
SlurmdSpoolDir=$slurm_directory/spool
SlurmctldPidFile=$slurm_directory/ctld.pid
SlurmdPidFile=$slurm_directory/d.pid
SlurmctldLogFile=$slurm_directory/ctld.log
SlurmdLogFile=$slurm_directory/d.log
SlurmctldPort=$3
SlurmdPort=$(($3 + 1))
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
MaxArraySize=10001
NodeName=$host NodeAddr=127.0.0.1 CPUs=$2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
  export SLURM_CONF=$slurm_directory/slurm.conf
  slurmctld -f "$SLURM_CONF"
  slurmd -f "$SLURM_CONF" -N "$host"
  for _ in $(seq 60); do
    ! sinfo -h -o %T 2> /dev/null | grep -qx idle || return 0
    sleep 1
  done
  tail -n 20 "$slurm_directory"/*.log >&2
  return 1
}

stop_slurm() {  # only what start_slurm has started
  local file pid
  [ -n "$slurm_directory" ] || return 0
  scancel --full -u root 2> /dev/null || true
  for file in "$slurm_directory/d.pid" "$slurm_directory/ctld.pid" ${munged_started:+/run/munge/hopwise.pid}; do
    [ -e "$file" ] || continue
    pid=$(cat "$file")
    kill "$pid" 2> /dev/null || true
    for _ in $(seq 100); do
      kill -0 "$pid" 2> /dev/null || break
      sleep 0.1
    done
  done
}
