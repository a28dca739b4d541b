#!/bin/sh
# Every check there is. All of them run, whatever fails on the way; the last line says what failed.
set -u
cd "$(dirname "$0")/.."
jobs=${JOBS:-2}
failed=""

step() {
    name=$1
    shift
    echo "== $name"
    started=$(date +%s)
    if "$@"; then
        echo "   $name: well, $(($(date +%s) - started)) s"
    else
        echo "   $name: FAILED, $(($(date +%s) - started)) s"
        failed="$failed $name,"
    fi
}

if [ -d tests/browser ]; then
    sh tools/system_packages.sh browser || exit 2
fi
if [ -d tests/server ]; then
    if sh tools/system_packages.sh postgres --look; then
        echo "PostgreSQL is installed: a private server is started for its tests."
    else
        echo "PostgreSQL is not installed: its tests are left out (Debian: apt-get install postgresql)."
    fi
fi

step lint .venv/bin/ruff check .
step format .venv/bin/ruff format --check .
step types .venv/bin/mypy
step imports .venv/bin/python tools/import_directions.py
step messages .venv/bin/python tools/web_types.py --check
if [ -f web/package.json ]; then
    if command -v npm >/dev/null 2>&1; then
        step client sh tools/web.sh check
    else
        echo "npm is not installed: the shipped client is not rebuilt and compared."
    fi
fi
step tests .venv/bin/python -m pytest -n "$jobs" --dist worksteal

if [ -n "$failed" ]; then
    echo "Failed:${failed%,}" >&2
    exit 1
fi
echo "All is well."
