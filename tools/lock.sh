#!/bin/sh
# Writes requirements/*.txt from pyproject.toml: exact versions with hashes, and no addresses in them.
# One version of a package for all Pythons (--fork-strategy fewest), so that they all compute alike.
set -eu
cd "$(dirname "$0")/.."
uv=$(command -v uv || echo .venv/bin/uv)
if ! "$uv" --version >/dev/null 2>&1; then
    echo "make lock needs uv: install it (.venv/bin/pip install uv) and run make lock again." >&2
    exit 2
fi
compile() {
    out=$1
    shift
    UV_NO_CONFIG=1 "$uv" pip compile pyproject.toml --quiet --universal --python-version 3.11 \
        --fork-strategy fewest --generate-hashes --no-annotate --no-emit-index-url \
        --custom-compile-command "make lock" "$@" --output-file "$out"
    echo "$out: $(grep -c '^[a-zA-Z]' "$out") packages"
}
if [ "${1:-}" = "--upgrade" ]; then set -- --upgrade; else set --; fi
compile requirements/run.txt --group build "$@"
compile requirements/test.txt --group build --group test --all-extras --constraints requirements/run.txt "$@"
