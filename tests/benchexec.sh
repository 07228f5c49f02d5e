#!/usr/bin/env bash
# The tool-info module for BenchExec: its methods by themselves, and the example benchmark run by BenchExec.
# Skipped where BenchExec cannot be installed.
#   tests/benchexec.sh [PROGRAM]     PROGRAM defaults to the one of `cargo build`
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
program=$(realpath "${1:-$target/debug/noyes}")
venv=$target/benchexec
if [ ! -x "$venv/bin/benchexec" ]; then
    if ! { python3 -m venv "$venv" && "$venv/bin/pip" install -q 'benchexec>=3.16,<4'; } >"$venv.log" 2>&1; then
        rm -rf "$venv"
        echo "benchexec.sh: BenchExec cannot be installed (see $venv.log)" | tee -a "${NOYES_SKIPPED:-/dev/null}"
        exit 0
    fi
fi

export PYTHONPATH=. PYTHONDONTWRITEBYTECODE=1
NOYES=$program "$venv/bin/python" tests/benchexec/test_noyes.py

# Without a container and limits that need control groups, which not every machine lets us have.
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$venv/bin/benchexec" integrations/benchexec/noyes.xml --rundefinition auto --tool-directory "$(dirname "$program")" \
    --no-container --memorylimit -1 --limitCores -1 --outputpath "$out/" >"$out/log" 2>&1 || { cat "$out/log"; exit 1; }
for line in 'correct true: *7$' 'correct false: *1$' 'incorrect: *0$' 'unknown: *0$'; do
    grep -q "^ *$line" "$out/log" || { cat "$out/log"; echo "benchexec: expected $line"; exit 1; }
done
"$venv/bin/table-generator" -q -f csv -o "$out" "$out"/*.xml.bz2
for task in hardest-3x3=31 korf-001=57 level-01=9 level-01-moves=30; do
    cost=${task#*=}
    line=$(printf '^%s.yml\ttrue\ttrue\t.*\t%s\t%s\t%s\t' "${task%=*}" "$cost" "$cost" "$cost") # cost, lower, upper
    cat "$out"/*.csv | grep -q "$line" || { cat "$out"/*.csv; echo "benchexec: expected $line in the table"; exit 1; }
done
echo "benchexec: the example benchmark runs, and its table has the optima"
