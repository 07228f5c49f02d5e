#!/usr/bin/env bash
# The REST service against its own OpenAPI description: schemathesis makes up requests, good and bad, and checks that every
# answer is one that the description promises. Skipped where schemathesis cannot be installed.
#   tests/schema.sh [PROGRAM]     PROGRAM defaults to the one of `cargo build`; EXAMPLES=n and SEED=n set how much
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
program=${1:-$target/debug/noyes}
venv=$target/schemathesis
if [ ! -x "$venv/bin/schemathesis" ]; then
    if ! { python3 -m venv "$venv" && "$venv/bin/pip" install -q 'schemathesis>=4,<5'; } >"$venv.log" 2>&1; then
        rm -rf "$venv"
        echo "schema.sh: schemathesis cannot be installed (see $venv.log)" | tee -a "${NOYES_SKIPPED:-/dev/null}"
        exit 0
    fi
fi

out=$(mktemp)
"$program" serve --port 0 --time-limit 1s --memory-limit 1GB >"$out" &
server=$!
trap 'kill $server 2>/dev/null || true; rm -f "$out"' EXIT
for _ in $(seq 100); do
    grep -q http:// "$out" && break
    sleep 0.1
done
url=$(grep -o 'http://[^/]*' "$out")

# Whether a text is a puzzle is more than a schema can say, so not every body that fits it is accepted.
"$venv/bin/schemathesis" run "$url/api/v1/openapi.json" \
    --checks all --exclude-checks positive_data_acceptance,ensure_resource_availability,use_after_free,ignored_auth,object_level_authorization \
    --max-examples "${EXAMPLES:-40}" --seed "${SEED:-1}" --request-timeout 20 --workers 2 --max-failures 20 --warnings off

kill $server
wait $server
echo "schema: the service does what its description says"
