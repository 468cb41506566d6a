package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence/personal"
)

func TestCallSummaryBeforeRun(t *testing.T) {
	type sendArgs struct {
		Text string `json:"text" doc:"A text"`
	}
	nothing := func(context.Context, Env, json.RawMessage) (Output, error) { return Output{}, nil }
	own := func(def Def[sendArgs]) Tool {
		def.Name, def.Doc = "send", "Sends."
		def.Run = func(context.Context, Env, sendArgs) (Output, error) { return Output{}, nil }
		return New(def)
	}
	others := func(def Definition) Tool {
		def.Name, def.Doc, def.Run = "mcp_x_send", "Sends.", nothing
		def.Schema = json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`)
		tool, err := Raw(def)
		if err != nil {
			t.Fatal(err)
		}
		return tool
	}
	here := Place{Path: "/here", Write: true}
	for _, one := range []struct {
		what                  string
		tool                  Tool
		title, detail, places string
		sends                 string
		timeout               time.Duration
		effects               string
	}{
		{"a reader", own(Def[sendArgs]{Pool: Net}), "", "", "[]", "", DefaultTimeout, "reads false false false"},
		{"one with all that a definition has", own(Def[sendArgs]{
			Effect: Outside, Timeout: time.Second, TimeoutFor: func(in sendArgs) time.Duration { return time.Duration(len(in.Text)) * time.Hour },
			Confirm: func(_ Env, in sendArgs) (string, string) { return "Send " + in.Text + "?", "to all" },
			Places:  func(Env, sendArgs) []Place { return []Place{here} },
			Sends:   func(_ Env, in sendArgs) []Destination { return ToPeople("friends", in.Text) },
		}), "Send hi?", "to all", fmt.Sprint([]Place{here}), "friends", 2 * time.Hour, "outside true true true"},
		{
			"one of others", others(Definition{Server: "office\x1b", Command: "do it"}), "Run mcp_x_send?",
			"The arguments go to office‹U+001B›, which is not part of Marvin.\ndo it\n" + ShowArgs([]byte(`{"text":"hi"}`)), fmt.Sprint([]Place{{All: true, Write: true}}), "office‹U+001B›", DefaultTimeout, "outside true true true",
		},
		{"one of others that goes nowhere", others(Definition{Effect: Irreversible, Timeout: time.Minute}), "Run mcp_x_send?", ShowArgs([]byte(`{"text":"hi"}`)), fmt.Sprint([]Place{{All: true, Write: true}}), "", time.Minute, "irreversible true true false"},
		{"one of others that writes", others(Definition{Effect: Writes}), "", "", fmt.Sprint([]Place{{All: true, Write: true}}), "", DefaultTimeout, "writes true false false"},
		{"one of others that reads", others(Definition{Effect: Reads}), "", "", fmt.Sprint([]Place{{All: true}}), "", DefaultTimeout, "reads false false false"},
	} {
		call, err := one.tool.Decode(json.RawMessage(`{"text":"hi"}`))
		if err != nil {
			t.Fatal(err)
		}
		title, detail := "", ""
		if call.Confirm != nil {
			title, detail = call.Confirm(Env{})
		}
		sends := ""
		if call.sends != nil {
			for _, to := range call.sends(Env{}) {
				sends += to.Name
			}
		}
		if title != one.title || detail != one.detail || fmt.Sprint(call.Places(Env{})) != one.places || sends != one.sends || call.Timeout != one.timeout {
			t.Errorf("%s: %q %q %v %q %s", one.what, title, detail, call.Places(Env{}), sends, call.Timeout)
		}
		if effects := fmt.Sprint(one.tool.Effect, one.tool.Writes, one.tool.Confirms, one.tool.Sends); strings.ReplaceAll(effects, " ", "") != strings.ReplaceAll(one.effects, " ", "") {
			t.Errorf("%s: %s, want %s", one.what, effects, one.effects)
		}
		if call.Title != one.tool.Name+" hi" {
			t.Errorf("%s: %q", one.what, call.Title)
		}
	}
	if long := others(Definition{}); len(long.Doc) == 0 {
		t.Error("a description is lost")
	}
	if _, err := Raw(Definition{Name: "x", Schema: json.RawMessage(`{"type":"string"}`)}); err == nil || err.Error() != "tool x: the schema of its arguments does not describe an object" {
		t.Errorf("%v", err)
	}
}

// The question describes in words what "always" would cover, and says whether such calls run in the
// sandbox.
func TestAlwaysCoverage(t *testing.T) {
	line := "ls -l"
	off := NewSandbox(SandboxConfig{Mode: SandboxOff})
	for _, one := range []struct {
		what string
		call Call
		env  Env
		want string
		held bool
	}{
		{"a tool", Call{Tool: &Tool{Name: "git_log"}}, Env{}, "git_log in this conversation", false},
		{"a tool that runs programs", Call{Tool: &Tool{Name: "code_check", Effect: Irreversible, Pool: Proc}}, Env{Held: Held{Sandbox: off}}, "code_check in this conversation, with all your permissions", false},
		{"one that runs none", Call{Tool: &Tool{Name: "x", Effect: Irreversible, Pool: Net}}, Env{Held: Held{Sandbox: off}}, "x in this conversation", false},
		{"a command", Call{Tool: &Tool{Name: "run_command"}, Command: &line}, Env{Held: Held{Sandbox: off, Approved: true}}, "", false},
	} {
		words, held, err := one.call.DescribeAlways(one.env)
		if one.want == "" {
			if !strings.HasSuffix(words, " in this conversation, with all your permissions") || !strings.Contains(words, "ls") {
				t.Errorf("%s: %q", one.what, words)
			}
		} else if words != one.want || held != one.held || err != nil {
			t.Errorf("%s: %q, %v, %v", one.what, words, held, err)
		}
	}
	call := Call{Tool: &Tool{Name: "run_command"}, Command: &line, Dirs: func() []string { return []string{" ", "sub", "~none"} }}
	if place := call.place(Env{Dir: "/p", Home: "/h"}); place.Dir != "/p/~none" || place.Home != "/h" {
		t.Errorf("a command that names a directory is judged in %+v", place)
	}
	if place := (Call{Tool: call.Tool, Dirs: call.Dirs}).place(Env{Dir: "/p"}); place.Dir != "/p" {
		t.Errorf("a tool is judged in %+v", place)
	}
}

// The test covers the files that control programs, wherever variables place them.
func TestGuardedPlaces(t *testing.T) {
	dir := made(t, ".git/objects", ".git/refs", "dots")
	for name, text := range map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".git/config": "[include]\npath = ../included\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env := Env{Home: "/h", State: "/state", Dir: dir, Environ: []string{"ZDOTDIR=/z", "XDG_CONFIG_HOME=/c", "XDG_DATA_HOME=/d", "GIT_CONFIG_GLOBAL=/g/config"}}
	paths := func(env Env) (all []string) {
		for _, place := range env.protected().Places() {
			all = append(all, place.Path)
		}
		return all
	}
	places := paths(env)
	for _, want := range []string{"/h/.bashrc", "/h/.config/marvin", "/h/.config/systemd", "/z/.zshrc", "/c/autostart", "/c/marvin", "/d/marvin", "/g/config", "/state", filepath.Join(dir, "included"), "/etc/profile"} {
		if !slices.Contains(places, want) {
			t.Errorf("%s is not protected", want)
		}
	}
	for _, path := range paths(Env{Environ: []string{"GIT_CONFIG_GLOBAL=/dev/null", "XDG_CONFIG_HOME=relative"}}) {
		if !strings.HasPrefix(path, "/etc/") && !strings.HasPrefix(path, "/var/spool/") && !strings.HasPrefix(path, "/Library/") {
			t.Errorf("without a home directory %s is protected", path)
		}
	}
}

func TestCallAudience(t *testing.T) {
	one := []string{"MARVIN_DEPTH=2", "A= b "}
	for want, env := range map[int]Env{0: {}, 2: {Environ: one}, 1: {Conversation: Conversation{Agent: true}}} {
		if got := env.Depth(); got != want {
			t.Errorf("depth %d, want %d", got, want)
		}
	}
	if got := (Env{Environ: one, Conversation: Conversation{Agent: true}}).Depth(); got != 2 {
		t.Errorf("a sub-agent of a Marvin that was called is at depth %d", got)
	}
	if got := (Env{Environ: one}).Variable("A"); got != "b" {
		t.Errorf("%q", got)
	}
	told := strings.Join(WithMode(one, Mode{Agent: true, ReadOnly: true}), " ")
	if !strings.HasSuffix(told, "MARVIN_DEPTH=3 MARVIN_READONLY=1") || len(WithMode(one, Mode{})) != len(one) {
		t.Errorf("a Marvin that is called gets %s", told)
	}
	const nobody = "x This run ends with your answer, so if the task needs the result, first wait for it with the jobs tool."
	for _, row := range []struct {
		env  Env
		want string
	}{{Env{Person: true}, ""}, {Env{}, nobody}, {Env{Person: true, Conversation: Conversation{Agent: true}}, nobody}} {
		if got := row.env.LastWord("x "); got != row.want {
			t.Errorf("%q, want %q", got, row.want)
		}
	}
	if back := UndoneBy("x", make(chan int)); back.Lasts != "Marvin could not store what is needed to undo this call" || back.Tool != "" {
		t.Errorf("%+v", back)
	}
	if back := UndoneBy("x", map[string]int{"a": 1}); back.Tool != "x" || string(back.Args) != `{"a":1}` || back.Lasts != "" {
		t.Errorf("%+v", back)
	}
	if back := InverseOf(personal.Edit{}); back != nil {
		t.Errorf("nothing was noted: %+v", back)
	}
	if back := InverseOf(personal.Edit{Document: "notes"}); back == nil || back.Tool != PutBackName || !strings.Contains(string(back.Args), `\"notes\"`) {
		t.Errorf("%+v", back)
	}
	for _, row := range []struct {
		mode  messages.Approval
		held  Held
		plans bool
		frees bool
	}{
		{"", Held{}, false, false},
		{messages.ApprovePlan, Held{}, true, false},
		{messages.ApproveAll, Held{Sandbox: NewSandbox(SandboxConfig{})}, false, true},
		{messages.ApproveAll, Held{Sandbox: NewSandbox(SandboxConfig{}), Free: true}, false, false},
		{messages.ApproveAll, Held{Sandbox: NewSandbox(SandboxConfig{Mode: SandboxWorkspace})}, false, false},
		{messages.ApproveAuto, Held{Sandbox: NewSandbox(SandboxConfig{})}, false, false},
	} {
		env := Env{Approval: row.mode, Held: row.held}
		if env.WantsPlan() != row.plans || env.MayRunUnconfined() != row.frees {
			t.Errorf("%+v: plans %v, frees %v", row, env.WantsPlan(), env.MayRunUnconfined())
		}
	}
	if !NoSandbox(fmt.Errorf("x: %w", errNoSandbox())) || NoSandbox(errors.New("x")) {
		t.Error("it is not known that nothing holds")
	}
}

// errNoSandbox returns the error for a directory to which no sandbox can confine commands.
func errNoSandbox() error {
	_, err := NewSandbox(SandboxConfig{}).Jail("")
	return err
}
