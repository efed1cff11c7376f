#!/usr/bin/env bash
# Prints the folder with the programs of a PostgreSQL server, for the tests that start one. Where there is
# none, Debian's package is installed, if this is Debian and we may.
set -euo pipefail

find_bin() {
    local path
    for path in /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /opt/homebrew/opt/postgresql*/bin; do
        [ -x "$path/initdb" ] && echo "$path"
    done | sort -V | tail -n 1
    return 0
}

bin=$(find_bin)
if [ -z "$bin" ] && command -v initdb >/dev/null && command -v pg_ctl >/dev/null; then
    bin=$(dirname "$(readlink -f "$(command -v initdb)")")
fi
if [ -z "$bin" ] && command -v apt-get >/dev/null; then
    as_root=
    [ "$(id -u)" = 0 ] || as_root='sudo -n'
    {
        $as_root apt-get install -y -qq --no-install-recommends postgresql ||
            { $as_root apt-get update -qq && $as_root apt-get install -y -qq --no-install-recommends postgresql; }
    } >&2
    bin=$(find_bin)
fi
[ -n "$bin" ] || {
    echo 'the tests of PostgreSQL need its server: sudo apt install postgresql, or brew install postgresql' >&2
    exit 1
}
echo "$bin"
