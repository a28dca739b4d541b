#!/bin/sh
# Makes .venv and installs what is locked: setup.sh run | test. Does nothing when nothing has changed.
set -eu
cd "$(dirname "$0")/.."
kind=${1:-run}

usable() { "$1" -c "import sys, venv, ensurepip; sys.exit(not $2)" >/dev/null 2>&1; }

find_python() {
    # The versions that are tested first, then anything newer.
    for range in "(3, 11) <= sys.version_info < (3, 14)" "sys.version_info >= (3, 11)"; do
        for name in "${PYTHON:-python3}" python3 python3.13 python3.12 python3.11 python3.14 python; do
            if usable "$name" "$range"; then
                echo "$name"
                return
            fi
        done
    done
}

# A change of a lock, of pyproject.toml or of this script asks for a new installation.
stamp_of() { cat "requirements/$1.txt" pyproject.toml tools/setup.sh | cksum; }

healthy() { .venv/bin/python -c "import sys, pip; sys.exit(sys.version_info < (3, 11))" >/dev/null 2>&1; }

if healthy; then
    # What the tests need contains what a player needs.
    for have in "$kind" test; do
        if [ "$(cat ".venv/.sandtable-$have" 2>/dev/null)" = "$(stamp_of "$have")" ]; then exit 0; fi
    done
else
    python=$(find_python)
    if [ -z "$python" ]; then
        echo "Sandtable needs Python 3.11 or newer with venv: install it (Debian: apt-get install python3 python3-venv) and run make again." >&2
        exit 2
    fi
    echo "Making .venv with $("$python" --version)"
    rm -rf .venv
    "$python" -m venv .venv
fi

echo "Installing requirements/$kind.txt"
rm -f .venv/.sandtable-run .venv/.sandtable-test
install() { .venv/bin/python -m pip install -qq --disable-pip-version-check --no-input "$@"; }
# --only-binary: a missing wheel is then said at once, rather than compiled for minutes.
if ! install --require-hashes --only-binary :all: -r "requirements/$kind.txt"; then
    echo "The packages of requirements/$kind.txt could not be installed: check the network and run make again." >&2
    exit 2
fi
# Hatchling and editables come from the lock, so nothing is fetched here.
install --no-deps --no-build-isolation --no-index --editable .
stamp_of "$kind" >".venv/.sandtable-$kind"
