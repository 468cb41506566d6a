package actors_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// Arguments of the file tools.
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

// bench is a conversation with file tools and commands that never asks.
func bench(t *testing.T) workplace {
	t.Helper()
	return atWork(t, actorstest.Setup{Policy: &actors.Policy{Coding: true}}, append(files.Tools(), coding.Tools()...)...)
}

func TestCallsHaveTheEffectOfTheirOrder(t *testing.T) {
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
	// Some of the calls join while the move runs, and others after it.
	var behind []modeltest.Call
	for i := range 20 {
		name := fmt.Sprint("new ", i)
		behind = append(behind, modeltest.Call{Name: "create_file", Args: contentArgs{name, name}}, modeltest.Call{Name: "read_file", Args: pathArgs{filepath.Join(o.dir, name)}})
	}
	results = o.call(t, append([]modeltest.Call{{Name: "set_working_dir", Args: pathArgs{o.dir}}}, behind...)...)
	for i := range 20 {
		if got, want := results[2+2*i], fmt.Sprint("new ", i); got != want {
			t.Fatalf("what was written in the directory that the reply moved to is read as %q, not %q: %q", got, want, results)
		}
	}
	results = o.call(t, modeltest.Call{Name: "apply_patch", Args: replaceArgs{"missing", "a", "b"}}, modeltest.Call{Name: "create_file", Args: contentArgs{"missing", "a"}})
	if !strings.HasPrefix(results[0], "Error: ") || strings.HasPrefix(results[1], "Error: ") {
		t.Errorf("behind a call that fails: %q", results)
	}
}

// Whatever a model calls in one reply, files and results are the same as if the calls ran one after
// the other. ORDER is the number of rounds; the project promises 10,000. Lanes run in parallel,
// each with two trees of its own, in memory if the system has such a directory. A lane begins a new
// conversation after a few rounds, because most of the time of a long conversation goes into
// sending it again.
func TestRandomRoundsAreAsOneAfterTheOther(t *testing.T) {
	rounds, lanes := 20, 1
	if text := os.Getenv("ORDER"); text != "" {
		var err error
		if rounds, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
		lanes = 4
	}
	for lane := range lanes {
		t.Run(strconv.Itoa(lane), func(t *testing.T) {
			if lanes > 1 {
				t.Parallel()
			}
			compareRounds(t, (rounds+lanes-1-lane)/lanes, rand.New(rand.NewPCG(uint64(rounds), uint64(7+lane))))
		})
	}
}

// roundsOfOne is the number of rounds before a conversation is cleared.
const roundsOfOne = 10

func compareRounds(t *testing.T, rounds int, random *rand.Rand) {
	t.Helper()
	together, alone := benchInMemory(t), benchInMemory(t)
	for round := range rounds {
		if round%roundsOfOne == roundsOfOne-1 {
			for _, one := range []workplace{together, alone} {
				one.Client.Send(messages.Clear{})
				actorstest.ReadUntil[messages.Cleared](one.Tree)
				one.server.Forget()
				one.Seen = nil
			}
		}
		calls := make([]modeltest.Call, 2+random.IntN(6))
		for i := range calls {
			calls[i] = randomCall(random, fmt.Sprintf("%d.%d", round, i))
		}
		oneByOne := make([][]modeltest.Call, len(calls))
		for i, call := range calls {
			oneByOne[i] = []modeltest.Call{call}
		}
		got, want := together.replies(t, calls), alone.replies(t, oneByOne...)
		for i := range calls {
			if bare(got[i], together.dir) != bare(want[i], alone.dir) {
				t.Fatalf("round %d, call %d of %+v\ntogether: %s\nalone:    %s", round, i, calls, got[i], want[i])
			}
		}
		if got, want := contents(t, together.dir), contents(t, alone.dir); got != want {
			t.Fatalf("round %d, %+v\ntogether:\n%s\nalone:\n%s", round, calls, got, want)
		}
	}
}

// replies makes the model send the given replies, and returns the results in order.
func (o workplace) replies(t *testing.T, replies ...[]modeltest.Call) []string {
	t.Helper()
	prompt, err := json.Marshal(replies)
	if err != nil {
		t.Fatal(err)
	}
	o.Client.Send(messages.Prompt{Text: strings.ReplaceAll(string(prompt), "DIR", o.dir)})
	o.Finish()
	requests := o.server.Requests()
	list := resultsIn(requests[len(requests)-1])
	if count := len(slices.Concat(replies...)); len(list) != count {
		t.Fatalf("%d results of %d calls: %q", len(list), count, list)
	}
	return list
}

// repliesAsPrompted sends the replies that the prompt contains as JSON.
func repliesAsPrompted(request modeltest.Request) modeltest.Step {
	made := 0
	for _, message := range slices.Backward(request.Messages) {
		if message.Role == messages.User {
			break
		}
		if len(message.Calls) > 0 {
			made++
		}
	}
	var replies [][]promptedCall
	text := prompted(request)
	if json.Unmarshal([]byte(text[strings.LastIndex("\n\n"+text, "\n\n"):]), &replies) != nil || made >= len(replies) {
		return modeltest.Text("done")
	}
	return stepOf(replies[made])
}

// benchInMemory is a bench in memory if possible: a disk waits until each file is safe, which is
// not tested here.
func benchInMemory(t *testing.T) workplace {
	t.Helper()
	setup := actorstest.Setup{Policy: &actors.Policy{Coding: true}, Server: modeltest.StartFunc(t, repliesAsPrompted)}
	if base, err := os.MkdirTemp("/dev/shm", "marvin-order-*"); err == nil {
		t.Cleanup(func() { os.RemoveAll(base) })
		setup.Home, setup.Dir = filepath.Join(base, "home"), filepath.Join(base, "project")
		for _, dir := range []string{setup.Home, setup.Dir} {
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
		}
	}
	return atWork(t, setup, append(files.Tools(), coding.Tools()...)...)
}

var durations = regexp.MustCompile(`, took [0-9.]+[µa-z]*\]`)

// bare returns a result without the parts that differ between runs, and an error without its
// advice. It removes warnings about repeated calls, because with one reply per round there are
// none.
func bare(result, dir string) string {
	result, _, _ = strings.Cut(result, "\n\n[Marvin: you have now made the same")
	result, _, _ = strings.Cut(result, "\n\n[Marvin: every call")
	if strings.HasPrefix(result, "Error: ") {
		result, _, _ = strings.Cut(result, "\n")
	}
	result = durations.ReplaceAllString(result, "]") // the duration of a command
	return strings.ReplaceAll(result, dir, "DIR")
}

// randomCall returns a random call for a project; DIR stands for its directory.
func randomCall(random *rand.Rand, mark string) modeltest.Call {
	path := []string{"a", "b", "d/a", "d/b", "DIR/a", "DIR/d/a"}[random.IntN(6)]
	switch random.IntN(8) {
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
	case 6:
		return modeltest.Call{Name: "set_working_dir", Args: pathArgs{[]string{"DIR", "DIR/d", "d"}[random.IntN(3)]}}
	}
	return modeltest.Call{Name: "read_file", Args: pathArgs{path}}
}

// contents returns all files below a directory as one text.
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

// The questions of one reply come in its order.
func TestQuestionsComeInTheOrderOfTheReply(t *testing.T) {
	o := atWork(t, actorstest.Setup{})
	calls := make([]string, 8)
	for i := range calls {
		calls[i] = fmt.Sprintf(`{"Name":"run_command","Args":{"command":"echo %d > f%d"}}`, i, i)
	}
	o.Client.Send(messages.Prompt{Text: "[" + strings.Join(calls, ",") + "]"})
	for i := range calls {
		asked := actorstest.ReadUntil[messages.Asked](o.Tree)
		if !strings.HasPrefix(asked.Detail, fmt.Sprintf("echo %d > f%[1]d\n", i)) || asked.Position != i+1 || asked.Total != len(calls) {
			t.Errorf("question %d is %+v", i, asked)
		}
		defer o.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.No})
	}
	o.Client.Send(messages.Cancel{})
	o.Finish()
}
