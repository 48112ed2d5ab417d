#!/bin/bash
# The whole sweep as a Slurm job array, each task a part:
#
#   id=$(sbatch --parsable slurm-array.sh)
#   sbatch --dependency=afterany:$id --export=ALL,SWEEP_JOB=$id slurm-merge.sh
#
# All tasks must run on one kind of machine (--constraint, or a partition that has but one), or the merge refuses them.
#SBATCH --job-name=portals
#SBATCH --array=0-6
#SBATCH --cpus-per-task=2
#SBATCH --mem=2G
#SBATCH --time=00:10:00
# With a GPU on each task's node: --gres=gpu:1, and --require-hardware in SWEEP.
set -euo pipefail

SWEEP="${SWEEP:---full}"
shard="$((SLURM_ARRAY_TASK_ID - SLURM_ARRAY_TASK_MIN + 1))/$SLURM_ARRAY_TASK_COUNT"
out="portals-$SLURM_ARRAY_JOB_ID"
# shellcheck disable=SC2086 # SWEEP holds several words.
porthole-bench scale $SWEEP --shard "$shard" --out "$out/shard-$SLURM_ARRAY_TASK_ID" --quiet
