#!/usr/bin/env bash
# Runs the tests of the DynamoDB store against dynalite (npm) and moto (PyPI) on loopback. `just ci-features` calls it.
#
# The servers are installed once, at the versions below, into FOLDER (default: target/dynamodb-servers), listen on free
# ports, and are stopped when the tests end. Further arguments go to `cargo test`. Needs node with npm, and python3.
set -euo pipefail

dynalite=dynalite@4.0.0
moto='moto[server]==5.2.5'

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
folder=${SAMECALL_SERVERS:-$root/target/dynamodb-servers}
mkdir -p "$folder"

[ -x "$folder/node_modules/.bin/dynalite" ] ||
    npm install --silent --no-fund --no-audit --prefix "$folder" "$dynalite"
if [ ! -x "$folder/venv/bin/moto_server" ]; then
    python3 -m venv "$folder/venv"
    "$folder/venv/bin/pip" install --quiet --disable-pip-version-check "$moto"
fi

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

pids=()
stop() {
    for pid in "${pids[@]}"; do
        kill "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
}
trap stop EXIT

dynalite_port=$(free_port)
"$folder/node_modules/.bin/dynalite" --host 127.0.0.1 --port "$dynalite_port" --createTableMs 0 \
    >"$folder/dynalite.log" 2>&1 &
pids+=($!)
moto_port=$(free_port)
# One request at a time: moto_server answers on many threads, and its conditional writes are not atomic between them, as
# DynamoDB's are.
"$folder/venv/bin/python" - "$moto_port" >"$folder/moto.log" 2>&1 <<'PYTHON' &
import sys
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple

run_simple("127.0.0.1", int(sys.argv[1]), DomainDispatcherApplication(create_backend_app), threaded=False)
PYTHON
pids+=($!)

for port in "$dynalite_port" "$moto_port"; do
    for _ in $(seq 300); do
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && continue 2
        sleep 0.1
    done
    echo "no server came up on port $port; see $folder/*.log" >&2
    exit 1
done

cd "$root"
SAMECALL_DYNAMODB="dynalite=http://127.0.0.1:$dynalite_port moto=http://127.0.0.1:$moto_port" \
    cargo test -p samecall-store-dynamodb "$@"
