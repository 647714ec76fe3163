#!/bin/sh
# Runs the test command of the README where a stranger might: with Node, npm and the basic utilities as the only programs,
# while the port of `solx sandbox` is in use, and where a path exists that tests might take for missing.
set -eu
cd "$(dirname "$0")/.."

programs=$(mktemp -d)
trap 'kill "$holder" 2>/dev/null || true; rmdir /nonexistent 2>/dev/null || true; rm -rf "$programs"' EXIT
# The basic utilities are one program on some systems: those of POSIX that npm, its packages and the tests may call.
for name in sh env cat cp mv rm ln ls mkdir mktemp chmod dirname basename head tail sort wc tr cut tee sleep true false \
  test uname id pwd date touch echo printf seq rmdir readlink realpath expr nproc mkfifo od stty tty node npm; do
  path=$(command -v "$name" || true)
  case $path in /*) ln -s "$path" "$programs/$name" ;; esac
done
mkdir /nonexistent 2>/dev/null || echo "/nonexistent exists, or cannot be created"
node -e 'require("node:net").createServer().on("error", () => {}).listen(8787, "127.0.0.1")' &
holder=$!

command=$(sed -n 's/^    \(npm ci && npm test\).*/\1/p' README.md)
[ -n "$command" ] || { echo "The README has no test command."; exit 1; }
# What other tests have installed is in the cache of the user.
env -u CI PATH="$programs" XDG_CACHE_HOME="$programs/cache" sh -c "$command"
