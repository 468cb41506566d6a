#!/bin/sh
# Runs the fuzz targets of the module, or of some directories, several at a time, and stops at
# the first finding.
#
#	cmd/marvin/testdata/fuzz.sh TIME JOBS [PATTERN [DIRECTORY...]]
#
# Each package is built once, and each target is a process with one worker that begins with
# the seeds. Only a finding is written into the package, as a seed of the next "go test".
#
# "go test -fuzz" runs one target after the other: 40 of them at 30 s take 20 minutes.
set -eu
time=$1 jobs=$2 pattern=${3:-.}
shift "$(($# < 3 ? $# : 3))"
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
trap 'exit 130' INT TERM

{ if test $# -gt 0; then grep -lsE '^func Fuzz' $(printf '%s/*_test.go ' "$@") || true
else grep -rlE '^func Fuzz' --include='*_test.go' .; fi; } | grep -v /testdata/ | xargs -r -n1 dirname | sort -u | while read -r dir; do
	binary=$place/$(echo "$dir" | tr / _)
	grep -hoE '^func Fuzz[A-Za-z0-9_]*' "$dir"/*_test.go | cut -c6- | grep -E "$pattern" >"$binary.names" || continue
	(cd "$dir" && go test -c -fuzz=. -o "$binary" .) >&2 || { echo "$dir" >>"$place/broken"; continue; }
	while read -r name; do echo "$dir" "$binary" "$name"; done <"$binary.names"
done | GOMAXPROCS=1 xargs -r -P "$jobs" -n 3 sh -c '
	cd "$1" || exit 255
	if nice "$2" -test.run="^\$" -test.fuzz="^$3\$" -test.fuzztime='"$time"' -test.fuzzcachedir="$2.found" \
		-test.parallel=1 -test.fuzzminimizetime=1s >"$2.$3" 2>&1
	then echo "$1 $3: $(grep -o "execs: [0-9]*.*" "$2.$3" | tail -1)"; echo "$3" >>"$0/ran"
	else echo "FOUND by $1 $3"; cat "$2.$3"; exit 255; fi' "$place"
test ! -e "$place/broken" || { echo "does not build: $(cat "$place/broken")" >&2; exit 1; }
test -e "$place/ran" || { test $# -eq 0 || { echo "no fuzz targets in: $*"; exit 0; }; echo "no fuzz target is called $pattern" >&2; exit 1; }
echo "$(wc -l <"$place/ran") targets"
