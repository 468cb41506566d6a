package hooks

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"marvin/persistence/settings"
	"marvin/tools"
)

func TestAnAddressIsAsked(t *testing.T) {
	var heard string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		heard = string(body)
		switch r.URL.Path {
		case "/deny":
			fmt.Fprint(w, `{"decision":"deny","reason":"not today"}`)
		case "/down":
			w.WriteHeader(http.StatusInternalServerError)
		case "/flood":
			for range 1 << 12 {
				fmt.Fprint(w, strings.Repeat("x", 1<<12))
			}
		case "/hang":
			<-r.Context().Done()
		}
	}))
	defer server.Close()
	place := scripts(t, nil)
	place.Client = tools.NewHTTPClient(map[string]string{"hooks.example": server.URL})
	ask := func(address string, timeout time.Duration) Outcome {
		set, _ := New(map[string][]settings.Hook{string(ToolBefore): {{URL: address, Timeout: timeout}}}, anyTool)
		return Run(context.Background(), place, set.Matching(ToolBefore, "run_command"), call(`{"command":"ls"}`))
	}
	if got := ask("http://hooks.example/ok", 0); got.Decision != Pass || !strings.Contains(heard, `"command":"ls"`) {
		t.Errorf("%+v; it hears %s", got, heard)
	}
	if got := ask("http://hooks.example/deny", 0); got.Decision != No || !strings.Contains(got.Reason, "not today") {
		t.Errorf("%+v", got)
	}
	for _, path := range []string{"/down", "/flood"} {
		if got := ask("http://hooks.example"+path, 0); got.Decision != No {
			t.Errorf("%s: %+v", path, got)
		}
	}
	if got := ask("http://hooks.example/hang", 100*time.Millisecond); got.Decision != No {
		t.Errorf("%+v", got)
	}
	if got := ask(server.URL+"/ok", 0); got.Decision != No || !strings.Contains(got.Reason, "public address") {
		t.Errorf("an address of this machine that no one named is asked: %+v", got)
	}
}

func TestAMatchNamesTools(t *testing.T) {
	resolve := func(name string) (string, bool) {
		known := map[string]string{"run_command": "run_command", "Bash": "run_command", "apply_patch": "apply_patch"}
		own, ok := known[name]
		return own, ok
	}
	for match, want := range map[string]string{"": "run_command apply_patch mcp_a_b", "Bash": "run_command", "run_command | apply_patch": "run_command apply_patch", "mcp_*": "mcp_a_b", "*": "run_command apply_patch mcp_a_b"} {
		set, problems := New(map[string][]settings.Hook{string(ToolBefore): {{Run: []string{"x"}, Match: match}}}, resolve)
		if problems != nil {
			t.Errorf("%s: %v", match, problems)
		}
		var heard []string
		for _, tool := range []string{"run_command", "apply_patch", "mcp_a_b"} {
			if len(set.Matching(ToolBefore, tool)) > 0 {
				heard = append(heard, tool)
			}
		}
		if got := strings.Join(heard, " "); got != want {
			t.Errorf("%q hears of %s", match, got)
		}
	}
	if _, problems := New(map[string][]settings.Hook{string(ToolBefore): {{Run: []string{"x"}, Match: "run_comand"}}}, resolve); len(problems) != 1 {
		t.Errorf("a name that no tool has: %v", problems)
	}
}
