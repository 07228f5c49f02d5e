#!/usr/bin/env bash
# Tests the REST service against its own OpenAPI description: schemathesis generates valid and invalid requests and
# checks that the description allows every response. If schemathesis cannot be installed, it says so and is skipped.
#   tests/schema.sh [PROGRAM]     PROGRAM defaults to target/debug/noyes; EXAMPLES=n and SEED=n set the number of
#                                 examples and the seed
set -euo pipefail
cd "$(dirname "$0")/.."

program=${1:-target/debug/noyes}
venv=target/schemathesis
if [ ! -x "$venv/bin/schemathesis" ]; then
    if ! { python3 -m venv "$venv" && "$venv/bin/pip" install -q 'schemathesis>=4,<5'; } >"$venv.log" 2>&1; then
        rm -rf "$venv"
        echo "schema: skipped, schemathesis cannot be installed (see $venv.log)"
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

# A schema cannot say which texts are puzzles, so the service refuses some bodies that fit the schema.
"$venv/bin/schemathesis" run "$url/api/v1/openapi.json" \
    --checks all --exclude-checks positive_data_acceptance,ensure_resource_availability,use_after_free,ignored_auth,object_level_authorization \
    --max-examples "${EXAMPLES:-40}" --seed "${SEED:-1}" --request-timeout 20 --workers 2 --max-failures 20 --warnings off

kill $server
wait $server
echo "schema: the service matches its OpenAPI description"
