package batch

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/messages"
)

// output writes the results of an earlier run, and opens them as the next run does.
func output(t *testing.T, left string) (*Results, string, []string, error) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "out.jsonl")
	if err := os.WriteFile(path, []byte(left), 0o600); err != nil {
		t.Fatal(err)
	}
	prompts, err := os.Create(filepath.Join(dir, "prompts.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = prompts.Close() })
	var warnings []string
	results, err := OpenResults(path, prompts, nil, func(text string) { warnings = append(warnings, text) })
	if err == nil {
		t.Cleanup(results.Close)
	}
	return results, path, warnings, err
}

const (
	answered = `{"v":1,"id":"a","outcome":"completed","asked":"f1"}` + "\n"
	broken   = `{"v":1,"id":"a","outcome":"failed","asked":"f1"}` + "\n"
)

func TestBatchResumesEarlierRun(t *testing.T) {
	for name, test := range map[string]struct {
		left                       string
		asked                      string
		answered, changed, missing bool
	}{
		"nothing":                   {"", "f1", false, false, false},
		"an answer":                 {answered, "f1", true, false, false},
		"an answer to another":      {answered, "f2", false, true, false},
		"of an older Marvin":        {strings.Replace(answered, `,"asked":"f1"`, "", 1), "f2", true, false, false},
		"a failure":                 {broken, "f1", false, false, true},
		"a failure, then an answer": {broken + answered, "f1", true, false, false},
		"an answer, then a failure": {answered + broken, "f1", false, false, true},
	} {
		results, path, warnings, err := output(t, test.left)
		if err != nil || len(warnings) > 0 {
			t.Errorf("%s: %v, %q", name, err, warnings)
			continue
		}
		done, changed := results.hasAnswer("a", test.asked)
		missing := results.lacksAnswer("a")
		if done != test.answered || changed != test.changed || missing != test.missing {
			t.Errorf("%s: answered %v, changed %v, missing %v", name, done, changed, missing)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != test.left {
			t.Errorf("%s: it is now %q, %v", name, text, err)
		}
	}
}

func TestTheEndOfAnEarlierRun(t *testing.T) {
	for name, test := range map[string]struct{ left, want, warning string }{
		"half a result":          {answered + `{"v":1,"id":"b","outc`, answered, "the last result was incomplete; Marvin sends that prompt again"},
		"only half a result":     {`{"v":1,"id":"b","outc`, "", "the last result was incomplete"},
		"only its first letters": {`{"v"`, "", "the last result was incomplete"},
		"no end of the line":     {strings.TrimSuffix(answered, "\n"), answered, ""},
		"a stranger's line":      {"hello\n" + answered, "hello\n" + answered, "stay in the file, but are ignored: 1 line"},
	} {
		results, path, warnings, err := output(t, test.left)
		if err != nil || !strings.Contains(strings.Join(warnings, "\n"), test.warning) || test.warning == "" && len(warnings) > 0 {
			t.Errorf("%s: %v, %q", name, err, warnings)
			continue
		}
		if err := results.write(Result{ID: "new", Outcome: messages.Completed}); err != nil {
			t.Error(err)
		}
		text, _ := os.ReadFile(path)
		if got, ok := strings.CutPrefix(string(text), test.want); !ok || !strings.HasPrefix(got, `{"v":1,"id":"new",`) || strings.Count(got, "\n") != 1 {
			t.Errorf("%s: it is now\n%s", name, text)
		}
	}
}

// A file with other content is refused as output, and is not changed.
func TestForeignOutputFileIsKept(t *testing.T) {
	for name, left := range map[string]string{"a letter": "Dear Sir,\n", "half a letter": "Dear Sir,", "other JSON": `{"name":"x"}` + "\n", "half of other JSON": `{"name":`} {
		_, path, _, err := output(t, left)
		if err == nil || !strings.Contains(err.Error(), "this file contains something other than results of \"marvin batch\", so Marvin leaves it unchanged") {
			t.Errorf("%s: %v", name, err)
		}
		if text, _ := os.ReadFile(path); string(text) != left {
			t.Errorf("%s: it is now %q", name, text)
		}
	}
	path := filepath.Join(t.TempDir(), "prompts.jsonl")
	prompts, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = prompts.Close() }()
	if _, err := OpenResults(path, prompts, nil, nil); err == nil || !strings.Contains(err.Error(), "this is the file with the prompts; choose another file") {
		t.Errorf("the prompts as output: %v", err)
	}
}

// A result is one line that begins with its version and never contains null for its sums.
func TestALineOfTheOutput(t *testing.T) {
	var out bytes.Buffer
	results, err := OpenResults("-", nil, &out, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := results.write(Result{ID: "1", Line: 1, Outcome: messages.Failed, Error: "a\nb"}); err != nil {
		t.Fatal(err)
	}
	line := out.String()
	if !strings.HasPrefix(line, beginning) || strings.Count(line, "\n") != 1 || strings.Contains(line, "null") || strings.Contains(line, "patch") {
		t.Errorf("%s", line)
	}
}

func TestUnwritableResultFile(t *testing.T) {
	_, path, _, err := output(t, answered)
	if err != nil {
		t.Fatal(err)
	}
	prompts, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer prompts.Close()
	if _, err := OpenResults(path, prompts, nil, nil); err == nil || !strings.Contains(err.Error(), "another run is writing to this file (") || !strings.HasSuffix(err.Error(), "); wait until that run ends, or choose another file") {
		t.Errorf("a second run: %v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != answered {
		t.Errorf("it is now %q, %v", text, err)
	}
	for place, want := range map[string]string{
		filepath.Dir(path):                          "--output: open " + filepath.Dir(path) + ": is a directory",
		filepath.Join(path, "below"):                "--output: open " + filepath.Join(path, "below") + ": not a directory",
		filepath.Join(filepath.Dir(path), "a", "b"): "--output: open " + filepath.Join(filepath.Dir(path), "a", "b") + ": no such file or directory",
	} {
		if _, err := OpenResults(place, prompts, nil, nil); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", place, err, want)
		}
	}
	null, err := OpenResults(os.DevNull, prompts, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if err := null.write(Result{ID: "1", Outcome: messages.Completed}); err != nil {
		t.Errorf("what is no file: %v", err)
	}
}
