package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/persistence/goldentest"
	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

// services answers each host in its own way and notes the requests in order.
func services(t *testing.T, answers map[string]string) (client Client, heard func() []string) {
	t.Helper()
	var all []string
	hosts := map[string]http.HandlerFunc{}
	for name, answer := range answers {
		hosts[name+".example"] = func(w http.ResponseWriter, r *http.Request) {
			var said HookInput
			if err := json.NewDecoder(r.Body).Decode(&said); err != nil {
				t.Error(err)
			}
			result := ""
			if said.Result != nil {
				result = *said.Result
			}
			all = append(all, fmt.Sprintf("%s %s %s", name, said.Args, result))
			switch answer {
			case "broken":
				w.Header().Set("Content-Length", "100")
			case "503":
				w.WriteHeader(http.StatusServiceUnavailable)
			}
			_, _ = io.WriteString(w, answer)
		}
	}
	return toolstest.Client(t, hosts), func() []string {
		list := all
		all = nil
		return list
	}
}

func TestHookChain(t *testing.T) {
	answers := map[string]string{
		"ok": ``, "words": `{"context":"mind the gap"}`, "more": `{"context":"and the step"}`, "no": `{"decision":"deny","reason":"not today"}`, "ask": `{"decision":"ask","reason":"it is late"}`, "asks": `{"decision":"ask"}`,
		"args": `{"args":{"n":2}}`, "result": `{"result":"changed"}`, "broken": "broken", "503": "503", "prose": "half a {", "long": `{"context":"` + strings.Repeat("x", maxText+9) + `"}`,
	}
	client, heard := services(t, answers)
	var out strings.Builder
	result, patience := "as it was", time.Minute
	for _, event := range []Event{AppStart, SessionStart, AgentStart, TurnStart, ToolBefore, PermissionAsked, ToolAfter, SessionCompact, TurnEnd, AgentStop, AgentEnd} {
		for _, names := range []string{"ok", "words more", "no words", "words no more", "ask asks", "ask no", "args ok", "result ok", "broken", "503", "prose", "long", ""} {
			var list []Hook
			for name := range strings.FieldsSeq(names) {
				list = append(list, Hook{Event: event, URL: "http://" + name + ".example", Timeout: patience})
			}
			got := Run(t.Context(), HookEnv{Client: client}, list, HookInput{Event: event, Tool: "run", Args: json.RawMessage(`{"n":1}`), Result: &result})
			told := ""
			if got.Result != nil {
				told = *got.Result
			}
			fmt.Fprintf(&out, "%s, %s: %v %q args %s result %q words %.90q problems %q ended %v; heard %q\n", event, names, got.Decision, got.Reason, got.Args, told, got.Context, got.Problems, got.Ended, heard())
		}
		crashed := Crashed(event, errors.New("a mistake"))
		fmt.Fprintf(&out, "%s crashed: %v %q %q\n", event, crashed.Decision, crashed.Reason, crashed.Problems)
		ctx, stop := context.WithCancelCause(t.Context())
		stop(errors.New("the user said stop"))
		got := Run(ctx, HookEnv{Client: client}, []Hook{{Event: event, URL: "http://ok.example", Timeout: patience}, {Event: event, URL: "http://words.example", Timeout: patience}}, HookInput{Event: event})
		fmt.Fprintf(&out, "%s stopped: %v %q %q %v\n", event, got.Decision, got.Reason, got.Context, got.Ended)
		got = Run(t.Context(), HookEnv{}, []Hook{{Event: event, URL: "http://ok.example", Timeout: patience}, {Event: event, URL: "http://h\x7f", Timeout: patience}}, HookInput{Event: event})
		fmt.Fprintf(&out, "%s nowhere: %v %q %q\n", event, got.Decision, got.Reason, got.Problems)
	}
	goldentest.Assert(t, "together.golden", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

// A program is looked for at home, beside the configuration or on the PATH, and runs in the
// conversation's directory, or where there is one.
func TestHookDirectory(t *testing.T) {
	there := t.TempDir()
	file := filepath.Join(there, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ name, home, config, want string }{
		{"~/x", "/home/a", "/c", "/home/a/x"},
		{"~/x", "", "/c", "/c/~/x"},
		{"~/x", "", "", ""},
		{"/x/y", "/home/a", "", "/x/y"},
		{"x", "/home/a", "/c", "x"},
		{"./x", "/home/a", "/c", "/c/x"},
		{"./x", "/home/a", "", ""},
		{"a/x", "", "/c", "/c/a/x"},
		{`a\x`, "", "", ""},
	} {
		hook := Hook{Run: []string{row.name}}
		got, err := hook.program(HookEnv{Env: tools.Env{Home: row.home}, Config: row.config})
		if got != row.want || (err != nil) != (row.want == "") {
			t.Errorf("%+v: %q, %v", row, got, err)
		}
		if _, failed := hook.command(HookEnv{Env: tools.Env{Home: row.home, Dir: there}, Config: row.config}); (failed != nil) != (row.want == "") {
			t.Errorf("%+v: the command: %v", row, failed)
		}
	}
	for dir, want := range map[string]string{there: there, "": there, file: "/", filepath.Join(there, "gone"): "/"} {
		command, err := Hook{Run: []string{"true", "-x"}}.command(HookEnv{Env: tools.Env{Dir: dir}, Config: there})
		if err != nil || command.Dir != want || command.Name != "true" || strings.Join(command.Args, " ") != "-x" {
			t.Errorf("in %q: %q %q %q, %v", dir, command.Dir, command.Name, command.Args, err)
		}
	}
	if command, err := (Hook{Run: []string{"true"}}).command(HookEnv{}); err != nil || command.Dir != "/" {
		t.Errorf("nowhere: %q, %v", command.Dir, err)
	}
}
