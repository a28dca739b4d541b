#!/bin/sh
# Looks for programs that are not Python packages and, as root on Debian, installs what is missing:
# system_packages.sh python | browser | postgres
set -eu

have_python() { python3 -c "import ensurepip, venv" >/dev/null 2>&1; }
have_browser() {
    for name in "${SANDTABLE_CHROMIUM:-chromium}" chromium chromium-browser google-chrome; do
        if command -v "$name" >/dev/null 2>&1; then return 0; fi
    done
    return 1
}
have_postgres() {
    if command -v initdb >/dev/null 2>&1 && command -v postgres >/dev/null 2>&1; then return 0; fi
    for bin in /usr/lib/postgresql/*/bin; do
        if [ -x "$bin/initdb" ] && [ -x "$bin/postgres" ]; then return 0; fi
    done
    return 1
}

case "${1:-}" in
python) packages="python3 python3-venv" what="Python's venv module" ;;
browser) packages="chromium fonts-dejavu-core" what="Chromium, for the browser tests" ;;
postgres) packages="postgresql" what="PostgreSQL, for the database tests" ;;
*)
    echo "Say what to look for: system_packages.sh python | browser | postgres" >&2
    exit 2
    ;;
esac

if "have_$1"; then exit 0; fi
if [ "${2:-}" = "--look" ]; then exit 1; fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "Missing: $what. Install it (Debian, as root: apt-get install $packages) and run make again." >&2
    exit 2
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
echo "Installing $packages"
for attempt in 1 2 3; do
    # shellcheck disable=SC2086  # the packages are words
    if apt-get update >"$log" 2>&1 && apt-get install -y --no-install-recommends $packages >>"$log" 2>&1 </dev/null; then
        exit 0
    fi
    sleep $((attempt * 5))
done
tail -n 5 "$log" >&2
echo "$packages could not be installed: see the lines above, install by hand and run make again." >&2
exit 2
