# Writes the table of docs/performance.md from the output of the benchmarks:
#
#	awk -f cmd/marvin/testdata/figures.awk bench.out docs/performance.md > page
#
# A figure is named by its benchmark and its unit, with a slash between. One with a question
# mark needs a program of others, and may be missing; without another the page is not written.
function rows() {
	row("| one prompt: time from start to exit, and peak memory | {Plain/marvin-ms} ms, {Plain/peak-MiB} MiB | {Plain/minimal-ms} ms |")
	row("| time from a tool's result to the next request | {Turnaround/marvin-ms} ms | {Turnaround/minimal-ms} ms |")
	row("| CPU time for a streamed answer of 20,000 tokens | {Stream20k/marvin-cpu-ms} ms | {Stream20k/minimal-cpu-ms} ms ({Stream20k/lean-cpu-ms} ms if the client decodes nothing) |")
	row("| time for 32 processes at once, and peak memory of each process | {ThirtyTwoAtOnce/marvin-ms} ms, {ThirtyTwoAtOnce/peak-MiB} MiB each | {ThirtyTwoAtOnce/minimal-ms} ms |")
	row("| time from a key press until the character is on the full screen | {ScreenKeyAtRest/ms-median} ms | |")
	row("| time to the first frame, without a history and with a history of 50 MB | {ScreenStart/log-0MB/ms-median} ms, {ScreenStart/log-50MB/ms-median} ms | |")
	row("| CPU time, and bytes written to the terminal, for each streamed token | {ScreenStream/100/ms-cpu/token} ms, {ScreenStream/100/bytes/token} bytes | |")
	row("| time for 16 sub-agents at once, if each sub-agent calls one tool | {SubAgents/16/wall-ms} ms (one sub-agent alone: {SubAgents/1/wall-ms} ms) | |")
	row("| peak memory for 1,000 sub-agents at once | {SubAgents/1000/peak-MiB} MiB | |")
	row("| time from a prompt in an editor to the first update | {EditorPrompt/marvin-first-ms} ms (copilot: {?EditorPrompt/copilot-first-ms} ms, opencode: {?EditorPrompt/opencode-first-ms} ms) | |")
}

# row prints one with its figures, each with as many digits as can be relied on.
function row(text, name) {
	while (match(text, /{[^}]*}/)) {
		name = substr(text, RSTART + 1, RLENGTH - 2)
		if (!sub(/^\?/, "", name) && !(name in measured)) stop("not measured: " name)
		text = substr(text, 1, RSTART - 1) (name in measured ? digits(measured[name]) : "?") substr(text, RSTART + RLENGTH)
	}
	print text
}

function digits(value) { return sprintf(value < 1 ? "%.2f" : value < 20 ? "%.1f" : "%.0f", value) }

function stop(why) {
	print "figures: " why > "/dev/stderr"
	exit failed = 1
}

FILENAME == ARGV[1] {
	if (/^(--- )?FAIL/) stop("a benchmark failed: " $0)
	if (!/^Benchmark/) next
	sub(/^Benchmark/, "", $1)
	sub(/-[0-9]+$/, "", $1)
	for (i = 3; i < NF; i += 2) measured[$1 "/" $(i + 1)] = $i
	next
}

table && NF { next }
{ table = 0; print }
/^\|---\|---:\|---:\|$/ && head == "| | Marvin | minimal client |" { table = found = 1; rows() }
{ head = $0 }

END { if (!failed && !found) stop("the page has no table of figures"); exit failed }
