package command

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
)

// optionsValue is the value for each option of the corpus: a host that differs from every other
// one.
const optionsValue = "b.example:1"

// programOptions are the options of a network program, from the corpus, and the words after them
// that name a.example.
type programOptions struct {
	program, rest string
	options       []string // ends with = if it takes a value
}

func optionsCorpus(t *testing.T) (programs []programOptions) {
	t.Helper()
	data, err := os.ReadFile("testdata/options.txt")
	if err != nil {
		t.Fatal(err)
	}
	for row := range strings.Lines(string(data)) {
		row = strings.TrimSuffix(row, "\n")
		if more, is := strings.CutPrefix(row, "\t"); is {
			last := &programs[len(programs)-1]
			last.options = append(last.options, strings.Fields(more)...)
		} else if !strings.HasPrefix(row, "#") {
			cells := strings.Split(row, "\t")
			if len(cells) != 3 {
				t.Fatalf("%q is no row of the corpus", row)
			}
			programs = append(programs, programOptions{program: cells[0], rest: cells[2]})
		}
	}
	return programs
}

// spellings returns the ways to write an option.
func spellings(option string) []string {
	name, valued := strings.CutSuffix(option, "=")
	switch {
	case !valued:
		return []string{name}
	case strings.HasPrefix(name, "--"):
		return []string{name + " " + optionsValue, name + "=" + optionsValue}
	case len(name) == 2:
		return []string{name + " " + optionsValue, name + optionsValue}
	}
	return []string{name + " " + optionsValue}
}

func inShort(list []Sending) string {
	var names []string
	for _, sending := range list {
		name := sending.To
		if name == "" {
			name = "?"
		}
		if sending.More {
			name += "+"
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

func TestSendingOptions(t *testing.T) {
	var all strings.Builder
	for _, one := range optionsCorpus(t) {
		fmt.Fprintf(&all, "%s … %s\n", one.program, one.rest)
		var results []string
		under := map[string][]string{}
		for _, option := range one.options {
			said := map[string]string{}
			result := ""
			for _, spelling := range spellings(option) {
				line := strings.Join([]string{one.program, spelling, one.rest}, " ")
				result = inShort(Sends(line, home))
				said[result] = line
			}
			if len(said) > 1 {
				t.Errorf("the ways to write %s of %s differ: %q", option, one.program, said)
			}
			if !slices.Contains(results, result) {
				results = append(results, result)
			}
			under[result] = append(under[result], option)
		}
		slices.Sort(results)
		for _, result := range results {
			fmt.Fprintf(&all, "\t%s: %s\n", result, strings.Join(under[result], " "))
		}
	}
	golden(t, "testdata/options.golden", all.String())
}

// The golden file contains everything known about the sendings of each line of the corpus.
func TestTheSendingsOfTheCorpus(t *testing.T) {
	data, err := os.ReadFile("testdata/sends.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for row := range strings.Lines(string(data)) {
		_, line, _ := strings.Cut(strings.TrimSuffix(row, "\n"), "\t")
		if strings.HasPrefix(row, "#") {
			continue
		}
		fmt.Fprintln(&all, line)
		for _, sending := range Sends(strings.ReplaceAll(line, "⏎", "\n"), home) {
			fmt.Fprintf(&all, "\t%q by %q, web %t, more %t\n", sending.To, sending.Part, sending.Web, sending.More)
		}
	}
	golden(t, "testdata/sends.golden", all.String())
}

// golden compares a text with a file below testdata. UPDATE_GOLDEN=1 rewrites the file.
func golden(t *testing.T, name, text string) {
	t.Helper()
	goldentest.Assert(t, strings.TrimPrefix(name, "testdata/"), text, os.Getenv("UPDATE_GOLDEN") != "")
}

var home = Place{Dir: "/home/me/project", Home: "/home/me", Temp: true}
