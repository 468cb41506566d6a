// Command mutate says what no test notices. It changes the code at random places, one
// change at a time, through the -overlay of the Go command, so that the files stay as they
// are, and runs the tests of the package and of those that import it.
//
//	go run ./cmd/marvin/testdata/mutate -seed 7 -n 60 ./tools/internal/permit
//	go run ./cmd/marvin/testdata/mutate -at tools/internal/permit/word.go:133
//
// The same seed gives the same changes while the code is the same. A change after which
// the program is the same as before is a row in equivalent.txt, with the reason, and
// counts for nothing. Without a package named, what only tests import is left out.
//
// Decided against: packages whose code ends other processes or holds them (-without). A
// condition negated there is let loose on the machine that looks for it; the guards of
// those packages are rows in unguarded_test.go, each changed by hand.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
)

//go:embed equivalent.txt
var equivalentText string

type options struct {
	seed     uint64
	count    int
	at       string
	without  string
	users    bool
	patterns []string
}

func main() {
	var opts options
	flag.Uint64Var(&opts.seed, "seed", 1, "which sample is taken")
	flag.IntVar(&opts.count, "n", 60, "how many changes are tried")
	flag.StringVar(&opts.at, "at", "", "try every change at these places instead: FILE:LINE,…")
	flag.StringVar(&opts.without, "without", "tools/internal/proc,tools/internal/jail,tools/shell,tools/jobs,tools/background,cmd/marvin", "packages whose code is not changed and whose tests are not run for others")
	flag.BoolVar(&opts.users, "users", true, "also run the tests of packages that import the changed one")
	flag.Parse()
	opts.patterns = flag.Args()
	survived, err := mutate(opts, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(2)
	}
	if survived {
		os.Exit(1)
	}
}

// mutate tries the changes and reports what no test noticed.
func mutate(opts options, out io.Writer) (survived bool, err error) {
	if opts.at != "" && len(opts.patterns) == 0 {
		opts.patterns = []string{"./..."}
	}
	packages, err := list(opts.patterns, strings.Split(opts.without, ","))
	if err != nil {
		return false, err
	}
	known, err := readEquivalents(equivalentText)
	if err != nil {
		return false, err
	}
	changes, err := choose(packages, opts)
	if err != nil {
		return false, err
	}
	judge := judge{root: packages.root, dirs: packages.dirs, importers: packages.importers, users: opts.users}
	tried, noticed := 0, 0
	for _, change := range changes {
		if opts.at == "" && tried == opts.count {
			break
		}
		if known[change.key()] {
			continue
		}
		verdict, err := judge.try(change)
		switch {
		case err != nil:
			return false, err
		case verdict == unbuilt:
			continue
		case verdict == seen:
			noticed++
		default:
			fmt.Fprintf(out, "%s:%d: %s\n  - %s\n  + %s\n", change.file, change.line, change.kind, change.before, change.after)
		}
		tried++
	}
	if tried == 0 {
		return false, fmt.Errorf("there is nothing to change at %s", strings.Join(append(opts.patterns, opts.at), " "))
	}
	fmt.Fprintf(out, "%d of %d changes were noticed, %.1f %% (seed %d)\n", noticed, tried, 100*float64(noticed)/float64(tried), opts.seed)
	return noticed < tried, nil
}

// choose is all changes in an order that the seed gives, or those at the places asked for.
func choose(packages packages, opts options) (chosen []change, err error) {
	places := strings.Split(opts.at, ",")
	for _, one := range packages.changed {
		for _, file := range one.files {
			found, err := changes(packages.root, file, one.path)
			if err != nil {
				return nil, err
			}
			for _, change := range found {
				if opts.at == "" || slices.Contains(places, fmt.Sprintf("%s:%d", change.file, change.line)) {
					chosen = append(chosen, change)
				}
			}
		}
	}
	if opts.at == "" {
		random := rand.New(rand.NewPCG(opts.seed, 0))
		random.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	}
	return chosen, nil
}

// readEquivalents reads rows of a file, the line before and after, and why nothing is
// different then, with a tab between.
func readEquivalents(text string) (map[string]bool, error) {
	known := map[string]bool{}
	for number, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 4 || strings.TrimSpace(fields[3]) == "" {
			return nil, fmt.Errorf("equivalent.txt:%d: a row is FILE, BEFORE, AFTER and the reason, with one tab between", number+1)
		}
		known[strings.Join(fields[:3], "\t")] = true
	}
	return known, nil
}
