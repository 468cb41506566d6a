// Command figures writes the table of docs/performance.md from the output of the benchmarks.
//
//	make -s bench | go run ./cmd/marvin/testdata/figures docs/performance.md
//
// Nothing is written unless every figure was measured.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// head begins the table; an empty line ends it.
const head = "| | Marvin | minimal client |\n|---|---:|---:|\n"

// rows are the table. A figure is named by its benchmark and its unit, with a slash
// between. One with a question mark needs a program of others, and may be missing.
const rows = `| one prompt, start to exit | {Plain/marvin-ms} ms, {Plain/peak-MiB} MiB | {Plain/minimal-ms} ms |
| between a tool's result and the next request | {Turnaround/marvin-ms} ms | {Turnaround/minimal-ms} ms |
| 20,000 tokens, CPU | {Stream20k/marvin-cpu-ms} ms | {Stream20k/minimal-cpu-ms} ms ({Stream20k/lean-cpu-ms} ms if it decodes nothing) |
| 32 processes at once | {ThirtyTwoAtOnce/marvin-ms} ms, {ThirtyTwoAtOnce/peak-MiB} MiB each | {ThirtyTwoAtOnce/minimal-ms} ms |
| a key, until it is on the full screen | {ScreenKeyAtRest/ms-median} ms | |
| the first frame, without a history and with 50 MB | {ScreenStart/log-0MB/ms-median} ms, {ScreenStart/log-50MB/ms-median} ms | |
| a streamed token on 200×60, CPU of the whole process | {ScreenStream/100/ms-cpu/token} ms, {ScreenStream/100/bytes/token} bytes | |
| 16 sub-agents at once, one tool call each | {SubAgents/16/wall-ms} ms (one alone: {SubAgents/1/wall-ms} ms) | |
| 1,000 sub-agents at once | {SubAgents/1000/peak-MiB} MiB | |
| a prompt of an editor, until the first update | {EditorPrompt/marvin-first-ms} ms (copilot: {?EditorPrompt/copilot-first-ms} ms, opencode: {?EditorPrompt/opencode-first-ms} ms) | |
`

func main() {
	if err := run(os.Args[1:], os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

func run(args []string, in io.Reader) error {
	if len(args) != 1 {
		return errors.New("name the file whose table is written, such as docs/performance.md")
	}
	measured, err := read(in)
	if err != nil {
		return err
	}
	page, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	written, err := write(string(page), measured)
	if err != nil {
		return err
	}
	return os.WriteFile(args[0], []byte(written), 0o644)
}

// result is a line of a benchmark: its name, how often it ran, and values with units.
var result = regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+(.*)$`)

// read collects the figures. The last one of a name counts. What failed is an error.
func read(in io.Reader) (map[string]float64, error) {
	measured := map[string]float64{}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "FAIL") || strings.HasPrefix(line, "--- FAIL") {
			return nil, fmt.Errorf("a benchmark failed: %s", line)
		}
		found := result.FindStringSubmatch(line)
		if found == nil {
			continue
		}
		fields := strings.Fields(found[2])
		for n := 0; n+1 < len(fields); n += 2 {
			value, err := strconv.ParseFloat(fields[n], 64)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", found[1], err)
			}
			measured[found[1]+"/"+fields[n+1]] = value
		}
	}
	return measured, lines.Err()
}

var figure = regexp.MustCompile(`\{[^}]+\}`)

// write is the page with the table made anew.
func write(page string, measured map[string]float64) (string, error) {
	before, rest, found := strings.Cut(page, head)
	if !found {
		return "", errors.New("the page has no table of figures")
	}
	var missing []string
	table := figure.ReplaceAllStringFunc(rows, func(name string) string {
		value, ok := measured[strings.Trim(name, "{?}")]
		if !ok && name[1] == '?' {
			return "?"
		}
		if !ok {
			missing = append(missing, name)
		}
		return inWords(value)
	})
	if len(missing) > 0 {
		return "", fmt.Errorf("not measured: %s", strings.Join(missing, " "))
	}
	_, after, _ := strings.Cut(rest, "\n\n")
	return before + head + table + "\n" + after, nil
}

// inWords is a figure with as many digits as can be relied on.
func inWords(value float64) string {
	switch {
	case value < 1:
		return strconv.FormatFloat(value, 'f', 2, 64)
	case value < 20:
		return strconv.FormatFloat(value, 'f', 1, 64)
	}
	return strconv.FormatFloat(value, 'f', 0, 64)
}
