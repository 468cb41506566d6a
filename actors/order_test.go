package actors_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools/coding"
	"marvin/tools/files"
)

// What a model sends to the file tools.
type (
	pathArgs struct {
		Path string `json:"path"`
	}
	contentArgs struct {
		Path    string `json:"path"`
		Content string `json:"content"`
	}
	replaceArgs struct {
		Path string `json:"path"`
		Old  string `json:"old_str"`
		New  string `json:"new_str"`
	}
)

// bench is a conversation with file tools and commands where nobody is asked.
func bench(t *testing.T) office {
	t.Helper()
	return atWork(t, actorstest.Setup{Policy: &actors.Policy{Coding: true}}, append(files.Tools(), coding.Tools()...)...)
}

func TestFindingO1CallsHaveTheEffectOfTheirOrder(t *testing.T) {
	o := bench(t)
	var appends, patches []modeltest.Call
	for i := range 8 {
		appends = append(appends, modeltest.Call{Name: "run_command", Args: runArgs{Command: fmt.Sprintf("echo %d >> o", i)}})
		patches = append(patches, modeltest.Call{Name: "apply_patch", Args: replaceArgs{"p", fmt.Sprint("v", i, "\n"), fmt.Sprint("v", i+1, "\n")}})
	}
	o.call(t, appends...)
	if got := read(t, filepath.Join(o.dir, "o")); got != "0\n1\n2\n3\n4\n5\n6\n7\n" {
		t.Errorf("eight commands wrote %q", got)
	}
	results := o.call(t, append(append([]modeltest.Call{{Name: "create_file", Args: contentArgs{"p", "v0\n"}}}, patches...),
		modeltest.Call{Name: "read_file", Args: pathArgs{"p"}}, modeltest.Call{Name: "run_command", Args: runArgs{Command: "cat p"}})...)
	if got := strings.Join(results[len(results)-2:], "|"); strings.Count(got, "v8") != 2 {
		t.Errorf("eight patches one after the other: %q", results)
	}
	other := filepath.Join(o.dir, "below")
	if err := os.MkdirAll(other, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(other, "only here"), "found")
	results = o.call(t, modeltest.Call{Name: "set_working_dir", Args: pathArgs{other}}, modeltest.Call{Name: "read_file", Args: pathArgs{"only here"}})
	if results[1] != "found" {
		t.Errorf("in the directory that the reply moved to: %q", results)
	}
	results = o.call(t, modeltest.Call{Name: "apply_patch", Args: replaceArgs{"missing", "a", "b"}}, modeltest.Call{Name: "create_file", Args: contentArgs{"missing", "a"}})
	if !strings.HasPrefix(results[0], "Error: ") || strings.HasPrefix(results[1], "Error: ") {
		t.Errorf("behind a call that fails: %q", results)
	}
}

// Whatever a model calls in one reply, files and results are those of the calls one after
// the other. ORDER=10000 is the number of rounds that the project promises.
func TestFindingO1RandomRoundsAreAsOneAfterTheOther(t *testing.T) {
	rounds := 20
	if text := os.Getenv("ORDER"); text != "" {
		var err error
		if rounds, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	together, alone := bench(t), bench(t)
	random := rand.New(rand.NewPCG(uint64(rounds), 7))
	for round := range rounds {
		if round%100 == 99 { // a conversation of more is full
			for _, one := range []office{together, alone} {
				one.Client.Send(messages.Clear{})
				actorstest.Until[messages.Cleared](one.Tree)
				one.server.Forget()
				one.Seen = nil
			}
		}
		calls := make([]modeltest.Call, 2+random.IntN(6))
		for i := range calls {
			calls[i] = randomCall(random, fmt.Sprintf("%d.%d", round, i))
		}
		got := together.call(t, calls...)
		for i, call := range calls {
			want := alone.call(t, call)[0]
			if bare(got[i], together.dir) != bare(want, alone.dir) {
				t.Fatalf("round %d, call %d of %+v\ntogether: %s\nalone:    %s", round, i, calls, got[i], want)
			}
		}
		if got, want := contents(t, together.dir), contents(t, alone.dir); got != want {
			t.Fatalf("round %d, %+v\ntogether:\n%s\nalone:\n%s", round, calls, got, want)
		}
	}
}

var durations = regexp.MustCompile(`, took [0-9.]+[µa-z]*\]`)

// bare is a result without what differs from run to run, and an error without its advice,
// which lists what there is beside the file.
func bare(result, dir string) string {
	if strings.HasPrefix(result, "Error: ") {
		result, _, _ = strings.Cut(result, "\n")
	}
	result = durations.ReplaceAllString(result, "]") // how long a command took
	return strings.ReplaceAll(result, dir, "DIR")
}

func randomCall(random *rand.Rand, mark string) modeltest.Call {
	path := []string{"a", "b", "d/a", "d/b"}[random.IntN(4)]
	switch random.IntN(7) {
	case 0:
		return modeltest.Call{Name: "create_file", Args: contentArgs{path, mark + "\n"}}
	case 1:
		return modeltest.Call{Name: "append_file", Args: contentArgs{path, mark + "\n"}}
	case 2:
		return modeltest.Call{Name: "apply_patch", Args: replaceArgs{path, ".", mark}}
	case 3:
		return modeltest.Call{Name: "run_command", Args: runArgs{Command: "mkdir -p d; echo " + mark + " >> " + path}}
	case 4:
		return modeltest.Call{Name: "run_command", Args: runArgs{Command: "rm -f " + path}}
	case 5:
		return modeltest.Call{Name: "run_command", Args: runArgs{Command: "cat " + path}}
	}
	return modeltest.Call{Name: "read_file", Args: pathArgs{path}}
}

// contents are the files below a directory, as one text.
func contents(t *testing.T, dir string) string {
	t.Helper()
	var text strings.Builder
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		fmt.Fprintf(&text, "%s: %q\n", strings.TrimPrefix(path, dir), content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// O2: what is asked of one reply comes in its order.
func TestFindingO2QuestionsComeInTheOrderOfTheReply(t *testing.T) {
	o := atWork(t, actorstest.Setup{})
	calls := make([]string, 8)
	for i := range calls {
		calls[i] = fmt.Sprintf(`{"Name":"run_command","Args":{"command":"echo %d > f%d"}}`, i, i)
	}
	o.Client.Send(messages.Prompt{Text: "[" + strings.Join(calls, ",") + "]"})
	for i := range calls {
		asked := actorstest.Until[messages.Asked](o.Tree)
		if !strings.HasPrefix(asked.Detail, fmt.Sprintf("echo %d > f%[1]d\n", i)) || asked.Position != i+1 || asked.Total != len(calls) {
			t.Errorf("question %d is %+v", i, asked)
		}
		defer o.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.No})
	}
	o.Client.Send(messages.Cancel{})
	o.Finish()
}
