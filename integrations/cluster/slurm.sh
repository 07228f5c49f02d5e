#!/usr/bin/env bash
#SBATCH --job-name=noyes
# Runs a command of noyes on all nodes of a Slurm job: sbatch --ntasks=64 --cpus-per-task=16 slurm.sh solve boards.txt --json
# The node of this script has the NATS server and the client. Needs nats-server and noyes in the PATH of all nodes, and a
# shared folder for the work directory.
set -euo pipefail
[ $# -gt 0 ] || { echo "usage: slurm.sh solve|bench ... (arguments of noyes)" >&2; exit 2; }

store=$(mktemp -d "${PWD}/noyes-queue.XXXXXX")
port=$((20000 + SLURM_JOB_ID % 10000))
NOYES_NATS_USER=noyes
NOYES_NATS_PASSWORD=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
export NOYES_NATS_USER NOYES_NATS_PASSWORD NOYES_NATS="nats://$(hostname):$port"

nats-server -js -sd "$store" -p "$port" --user "$NOYES_NATS_USER" --pass "$NOYES_NATS_PASSWORD" &
server=$!
workers=
trap 'kill $workers $server; rm -rf "$store"' EXIT
sleep 2

srun --overlap noyes worker --threads "${SLURM_CPUS_PER_TASK:-1}" --idle 60s &
workers=$!
noyes "$@" --nats "$NOYES_NATS"
