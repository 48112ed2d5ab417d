#!/bin/bash
# Makes one result of a sweep's parts; see slurm-array.sh. A task that failed or was ended leaves cells that are missing: exit
# code 3, with their names; the others stand.
#SBATCH --job-name=portals-merge
#SBATCH --cpus-per-task=1
#SBATCH --time=00:05:00
set -euo pipefail

out="portals-$SWEEP_JOB"
porthole-bench merge "$out"/shard-*/result.json --format md,junit,csv --out "$out/whole"
