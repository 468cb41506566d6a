package audit

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"marvin/persistence/internal/storetest"
)

func TestAuditLine(t *testing.T) {
	audit := Log{Path: filepath.Join(t.TempDir(), "log"), Now: storetest.Now}
	storetest.Must(t, audit.Record(Call{
		Tool: "read_file", Args: json.RawMessage(`{"path":"a.go","lines":[1,2],"all":true,"none":null}`),
		Result: "é <b>\n", Took: 23 * time.Millisecond,
	}))
	storetest.Must(t, audit.Record(Call{
		Tool: "run_command", Args: json.RawMessage(`{"command":"` + strings.Repeat("é", 201) + `"}`),
		Result: strings.Repeat("x", 500), Failed: true,
	}))
	storetest.Must(t, audit.Record(Call{Tool: "broken", Args: json.RawMessage(`{"pa`)}))
	want := `{"ts": 1771072215.25, "tool": "read_file", "args": {"all": "true", "lines": "[1,2]", "none": "null", "path": "a.go"}, "result_preview": "é <b>\n", "result_len": 6, "elapsed_s": 0.02}
{"ts": 1771072215.25, "tool": "run_command", "args": {"command": "` + strings.Repeat("é", 200) + `… (201 chars)"}, "result_preview": "ERROR: ` + strings.Repeat("x", 393) + `… (507 chars)", "result_len": 500, "elapsed_s": 0.00}
{"ts": 1771072215.25, "tool": "broken", "args": {"": "{\"pa"}, "result_preview": "", "result_len": 0, "elapsed_s": 0.00}
`
	if got := storetest.Get(t, audit.Path); got != want {
		t.Errorf("got %s", got)
	}
}

func TestAuditLinesOfConcurrentCallsStayWhole(t *testing.T) {
	audit := Log{Path: filepath.Join(t.TempDir(), "log"), Now: storetest.Now}
	var group sync.WaitGroup
	for i := range 50 {
		group.Go(func() {
			if err := audit.Record(Call{Tool: fmt.Sprint(i), Result: strings.Repeat("x", 10*i)}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	seen := map[string]bool{}
	for line := range strings.Lines(storetest.Get(t, audit.Path)) {
		var call struct{ Tool string }
		if err := json.Unmarshal([]byte(line), &call); err != nil {
			t.Errorf("%v: %s", err, line)
		}
		seen[call.Tool] = true
	}
	if len(seen) != 50 {
		t.Errorf("%d lines", len(seen))
	}
}

func TestAuditSaysWhyItCannotWriteAndNeverWaits(t *testing.T) {
	dir := t.TempDir()
	if err := (Log{}).Record(Call{Tool: "x"}); err != nil {
		t.Errorf("without a log: %v", err)
	}
	pipe := filepath.Join(dir, "pipe")
	storetest.Must(t, syscall.Mkfifo(pipe, 0o600))
	for _, path := range []string{filepath.Join(dir, "none", "log"), dir, pipe} {
		if err := (Log{Path: path, Now: storetest.Now}).Record(Call{Tool: "x"}); err == nil || !strings.Contains(err.Error(), "MARVIN_SUBAGENT_LOG") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestHalfALineOfTheAuditLogCostsNoOther(t *testing.T) {
	audit := Log{Path: filepath.Join(t.TempDir(), "audit.jsonl"), Now: storetest.Now}
	storetest.Must(t, audit.Record(Call{Tool: "first"}))
	whole := storetest.Get(t, audit.Path)
	for cut := range whole {
		storetest.Put(t, audit.Path, whole+whole[:cut])
		storetest.Must(t, audit.Record(Call{Tool: "second"}))
		if known := toolsOf(t, audit.Path); len(known) < 2 || known[0] != "first" || known[len(known)-1] != "second" {
			t.Fatalf("behind %q the log knows %q", whole[:cut], known)
		}
	}
}

// toolsOf returns the tools in an audit log. It skips a partial line.
func toolsOf(t *testing.T, path string) (names []string) {
	t.Helper()
	for line := range strings.Lines(storetest.Get(t, path)) {
		var call struct{ Tool string }
		if json.Unmarshal([]byte(line), &call) == nil {
			names = append(names, call.Tool)
		}
	}
	return names
}
