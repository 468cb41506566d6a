package audit

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestTheAuditLogIsReadAsItWasWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	at := time.Unix(1_771_234_567, 890_000_000)
	audit := Log{Path: path, Now: func() time.Time { return at }}
	long := strings.Repeat("x", 300)
	for _, args := range []string{`{"command":"git push"}`, `{"a":["b",1],"n":2,"t":true}`, `{"command":"` + long + `"}`, `not json`} {
		if err := audit.Record(Call{Tool: "run_command", Args: json.RawMessage(args), Result: "done"}); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"nonsense", `{"ts": 1, "begun": "run_command", "args": {}}`, "", `{"tool": ""}`, `{"tool":"big","args":{"a":"` + strings.Repeat("y", longestAuditLine) + `"}}`, `{"ts": 2, "tool": "last", "args": null}`} {
		if _, err := file.WriteString(line + "\n"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := file.WriteString(`{"ts": 3, "tool": "half`); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	var calls []LoggedCall
	strange, err := Read(path, func(call LoggedCall) { calls = append(calls, call) })
	if err != nil || strange != 4 {
		t.Errorf("%d strange lines, %v", strange, err)
	}
	var args []map[string]string
	for _, call := range calls {
		args = append(args, call.Args)
	}
	want := []map[string]string{{"command": "git push"}, {"a": `["b",1]`, "n": "2", "t": "true"}, {"command": strings.Repeat("x", 200)}, {"": "not json"}, {}}
	if !reflect.DeepEqual(args, want) {
		t.Errorf("arguments %q", args)
	}
	if len(calls) != 5 || !calls[2].Cut || calls[0].Cut || calls[4].Tool != "last" || calls[0].At.UnixMilli()/10 != at.UnixMilli()/10 {
		t.Errorf("%+v", calls)
	}
}

func TestAnAuditLogThatIsNoneIsNamed(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{filepath.Join(dir, "missing"), dir} {
		if _, err := Read(path, func(LoggedCall) {}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
