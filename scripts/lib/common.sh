# Functions that the scripts share; sourced, with the checkout as the working directory.

say() { printf '\033[2m· %s\033[0m\n' "$*" >&2; }
complain() { printf '%s\n' "$*" >&2; }

# What pip, uv and npm print when they cannot reach a registry at all (a refusal by a registry reads differently).
NO_NETWORK='NewConnectionError|NameResolutionError|Name or service not known|name resolution|No address associated|Network is unreachable|No route to host|Connection refused|ConnectTimeout|connect timeout|timed out|dns error|tcp connect error|error sending request|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT'

# fetch WHAT COMMAND...: runs a command that downloads, without its output. When it fails, says that there is no
# network, or shows what the command has printed.
fetch() {
  local what=$1 log status=0
  shift
  log=$(mktemp)
  "$@" >"$log" 2>&1 || status=$?
  if [ "$status" != 0 ]; then
    if grep -qE "$NO_NETWORK" "$log"; then
      complain "There seems to be no network: $what could not be downloaded. Connect and run this again."
      status=1
    else
      cat "$log" >&2
    fi
  fi
  rm -f "$log"
  return "$status"
}

# hold_setup_lock PYTHON: waits until no other set-up works on this checkout, and keeps others waiting until this
# process and its children have ended. The kernel releases the lock, so a killed set-up leaves none behind. The lock
# belongs to the open file, not to the Python that takes it; so this works without flock(1), which macOS lacks.
hold_setup_lock() {
  if [ -n "${TAVOLINO_SETUP_LOCKED:-}" ] || [ ! -w . ]; then return; fi
  exec 9>>.setup.lock
  if ! "$1" -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX | fcntl.LOCK_NB)' 2>/dev/null; then
    say "waiting for another set-up of this checkout"
    "$1" -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX)'
  fi
  export TAVOLINO_SETUP_LOCKED=1
}
