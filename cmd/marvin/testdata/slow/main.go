// Command slow reads what "go test -json" writes and names the tests that took longest.
//
//	go test -json ./... | go run ./cmd/marvin/testdata/slow
//
// A test that waits for its turn among parallel ones is not charged for it.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// most is how many tests are named.
const most = 10

type result struct {
	Action, Package, Test string
	Elapsed               float64 // seconds
}

func main() {
	failed, err := slowest(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "slow:", err)
	}
	if failed || err != nil {
		os.Exit(1)
	}
}

// slowest says whether something failed, which it names too.
func slowest(in io.Reader, out io.Writer) (failed bool, err error) {
	var tests, packages []result
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20) // a test may print a lot on one line
	for lines.Scan() {
		var one result
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			fmt.Fprintln(out, lines.Text()) // what does not build is told in plain text
			continue
		}
		switch {
		case one.Action != "pass" && one.Action != "fail" || strings.Contains(one.Test, "/"):
			continue
		case one.Test == "":
			packages = append(packages, one)
		default:
			tests = append(tests, one)
		}
		if one.Action == "fail" {
			failed = true
			fmt.Fprintln(out, "FAILED", one.Package, one.Test)
		}
	}
	for _, list := range [][]result{tests, packages} {
		slices.SortStableFunc(list, func(a, b result) int { return cmp.Compare(b.Elapsed, a.Elapsed) })
		for _, one := range list[:min(most, len(list))] {
			fmt.Fprintf(out, "%8.2fs  %s %s\n", one.Elapsed, one.Package, one.Test)
		}
		fmt.Fprintln(out)
	}
	return failed, lines.Err()
}
