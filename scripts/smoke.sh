#!/bin/sh
# Checks an installed solx without Node, jq or a network: sh smoke.sh <command> [argument]...
#
#   sh scripts/smoke.sh solx
#   sh scripts/smoke.sh ./solx-0.2.0-linux-x64
#   docker run --rm -v "$PWD/scripts:/scripts:ro" --entrypoint sh solx /scripts/smoke.sh solx
#
# Prints a line for each check and ends with "N passed, N failed, N skipped"; exit code 1 when a check failed.
set -u

if [ $# -eq 0 ]; then
  echo 'usage: smoke.sh <command> [argument]...' >&2
  exit 2
fi

# Nothing of the user's settings applies.
for name in $(env | sed -n 's/^\(SOLX_[A-Z_]*\)=.*/\1/p'); do unset "$name"; done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export SOLX_HOME="$work/home" SOLX_SANDBOX=1 SOLX_SANDBOX_SIZE=0.1 SOLX_SANDBOX_NOW=2026-07-01
mint=EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v
passed=0 failed=0 skipped=0

# Runs a check, a function that prints its reason when it fails.
check() {
  title=$1
  shift
  if reason=$("$@" 2>&1); then
    passed=$((passed + 1))
    echo "ok    $title"
  else
    failed=$((failed + 1))
    echo "FAIL  $title"
    echo "$reason" | sed 's/^/      /'
  fi
}

skip() {
  skipped=$((skipped + 1))
  echo "skip  $1"
}

# Waits until a file contains a text, for two minutes at most and only while process $pid runs.
wait_for() {
  end=$(($(date +%s) + 120))
  until grep -qs "$1" "$2"; do
    kill -0 "$pid" 2>/dev/null || { echo "ended without $1:"; return 1; }
    [ "$(date +%s)" -lt $end ] || { echo "timed out without $1:"; return 1; }
    sleep 0.1 2>/dev/null || sleep 1
  done
}

# Fails, with the text, when standard input has no line that matches a pattern.
expect() {
  text=$(cat)
  echo "$text" | grep -q -e "$1" && return
  echo "expected $1, was:"
  echo "$text"
  return 1
}

version() { "$solx" --version | expect '^[0-9]*\.[0-9]*\.[0-9]'; }

help() { "$solx" --help | expect '^Usage: solx'; }

# Creates the world.
sandbox() { "$solx" chaininfo | expect blockHeight; }

format() {
  "$solx" token holders $mint --limit 2 --fields rank,owner -o "$1" >"$work/$1" 2>"$work/stderr" || {
    cat "$work/stderr"
    return 1
  }
  expect "$2" <"$work/$1" || return
  [ ! -s "$work/stderr" ] || { cat "$work/stderr"; return 1; }
}

jq() { "$solx" token meta $mint --jq '.symbol | ascii_downcase' | expect usdc; }

completion_script() { "$solx" completion bash | expect '^complete -F _solx solx'; }

completion() { "$solx" __complete bash '' 'solx token me' | expect '^meta-multi'; }

manual() { "$solx" docs exit-codes | expect '[A-Za-z]'; }

# Exit code 2 and a message on stderr, no stack trace.
usage_error() {
  "$solx" token meta 2>"$work/stderr"
  [ $? -eq 2 ] || { echo 'expected exit code 2'; return 1; }
  expect '^{"success":false,"errors":{' <"$work/stderr"
}

mcp() {
  client='"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"smoke","version":"1"}'
  {
    echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{'"$client"'}}'
    echo '{"jsonrpc":"2.0","method":"notifications/initialized"}'
    echo '{"jsonrpc":"2.0","id":2,"method":"tools/list"}'
  } | "$solx" mcp | expect '"name":"search_endpoints"'
}

# The export is killed while it waits for its fifth page.
resume() {
  "$solx" token transfer $mint --limit 600 --out "$work/complete.csv" || return
  SOLX_SANDBOX_FAULTS='hang#5' "$solx" token transfer $mint --limit 600 --out "$work/killed.csv" >"$work/log" 2>&1 &
  pid=$!
  wait_for tail "$work/killed.csv.checkpoint" || { cat "$work/log"; kill -9 $pid; return 1; }
  kill -9 $pid
  wait $pid
  [ ! -e "$work/killed.csv" ] || { echo 'it was not interrupted'; return 1; }
  "$solx" token transfer $mint --limit 600 --out "$work/killed.csv" --resume || return
  cmp "$work/complete.csv" "$work/killed.csv"
}

# The home page with data, in a terminal of 120 x 40; q ends it.
explorer() {
  export TERM=xterm-256color
  mkfifo "$work/keys"
  : >"$work/screen"
  command="sh '$work/explore'"
  echo "stty rows 40 cols 120; '$solx' explore" >"$work/explore"
  if script --version 2>/dev/null | grep -q util-linux; then
    script -qefc "$command" "$work/screen" <"$work/keys" >/dev/null &
  else
    script -q -F "$work/screen" sh "$work/explore" <"$work/keys" >/dev/null &
  fi
  pid=$!
  exec 3>"$work/keys"
  wait_for USDC "$work/screen"
  drawn=$?
  printf q >&3
  exec 3>&-
  wait $pid
  ended=$?
  [ $drawn -eq 0 ] && [ $ended -eq 0 ]
}

# One word for the command, as what follows needs.
solx="$work/solx"
{
  echo '#!/bin/sh'
  printf exec
  for word; do printf " '%s'" "$(echo "$word" | sed "s/'/'\\\\''/g")"; done
  echo ' "$@"'
} >"$solx"
chmod +x "$solx"

check version version
check help help
check 'sandbox' sandbox
check 'json' format json '^{"rank":1,"owner":"'
check 'ndjson' format ndjson '^{"rank":2,"owner":"'
check 'csv' format csv '^rank,owner'
check 'tsv' format tsv '^rank	owner'
check 'yaml' format yaml '^- rank: 1'
check 'table' format table '^RANK  *OWNER'
check 'jq' jq
check 'manual' manual
check 'usage error' usage_error
check 'completion script' completion_script
check 'completion' completion
check 'MCP tools' mcp
check 'resume after kill' resume
if command -v script >/dev/null 2>&1; then
  check 'explorer' explorer
else
  skip 'explorer: script is not installed'
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
