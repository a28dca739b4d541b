#!/bin/sh
# The browser client: web.sh build puts it into the package, web.sh check compares a fresh build with that.
set -eu
cd "$(dirname "$0")/.."
shipped=src/sandtable/server/static
if ! command -v npm >/dev/null 2>&1; then
    echo "The client is built with node and npm: install them (Debian: apt-get install nodejs npm) and run make again." >&2
    exit 2
fi
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
if ! cmp -s web/package-lock.json web/node_modules/.sandtable-lock; then
    npm ci --prefix web --no-audit --no-fund --loglevel=error
    cp web/package-lock.json web/node_modules/.sandtable-lock
fi
npm run --silent --prefix web build -- --outDir "$fresh/client" --emptyOutDir --logLevel warn
case "${1:-}" in
build)
    rm -rf "$shipped"
    cp -R "$fresh/client" "$shipped"
    echo "$shipped is new"
    ;;
check)
    npm run --silent --prefix web check
    npm test --silent --prefix web -- --passWithNoTests
    if ! diff -r "$fresh/client" "$shipped"; then
        echo "The shipped client is not what web/ builds: run make web and commit $shipped." >&2
        exit 1
    fi
    ;;
*)
    echo "Say what to do: web.sh build | check" >&2
    exit 2
    ;;
esac
