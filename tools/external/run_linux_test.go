package external_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/undolog"
	"marvin/tools"
	"marvin/tools/external"
	"marvin/tools/shell"
	"marvin/tools/undo"
)

// project is a directory outside of /tmp with the sandbox that holds programs to it.
func project(t *testing.T) tools.Env {
	t.Helper()
	dir, err := os.MkdirTemp("/var/tmp", "agents")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	env := tools.Env{Dir: dir, Root: dir, Home: t.TempDir(), Now: time.Now, Environ: os.Environ(), Seen: &tools.Stamps{}, Progress: func(string) {}}
	env.Known = &tools.KnownHosts{}
	env.Sandbox = tools.NewSandbox(tools.SandboxConfig{Home: env.Home, Environ: env.Environ})
	t.Cleanup(func() { _ = env.Sandbox.Close() })
	if err := shell.Try(t.Context(), env); errors.Is(err, tools.ErrUnconfined) {
		t.Skip(err)
	}
	return env
}

// opening is a script that answers the two requests before the prompt, and reads the prompt.
const opening = `say() { printf '%s\n' "{\"jsonrpc\":\"2.0\",$1}"; }
update() { say "\"method\":\"session/update\",\"params\":{\"sessionId\":\"s\",\"update\":{$1}}"; }
read -r _; say '"id":1,"result":{"protocolVersion":1}'
read -r _; say '"id":2,"result":{"sessionId":"s"}'
read -r prompt
`

const done = `update '"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"all done"}'; say '"id":3,"result":{"stopReason":"end_turn"}'`

// agent is a real process whose script speaks the protocol.
func agent(env tools.Env, script string) external.Job {
	return external.Job{Env: env, Agent: external.Agent{Name: "odd", Command: []string{"sh", "-c", script}, Silence: time.Minute}}
}

// Whatever an agent does, its task has a result with a name, and nothing of it is left.
func TestEveryEndOfAnAgentHasAName(t *testing.T) {
	for name, test := range map[string]struct {
		script  string
		outcome messages.Outcome
		says    string // in the reason or the text
	}{
		"does it":            {opening + "echo new > made; " + done, messages.Completed, "all done\n\n[Marvin checked: the agent changed made (new); Marvin cannot undo that]"},
		"lies":               {opening + `update '"sessionUpdate":"tool_call","toolCallId":"1","title":"Edit made","kind":"edit","status":"completed"'; ` + done, messages.Completed, "[Marvin checked: the agent changed no file]"},
		"refuses":            {opening + `say '"id":3,"result":{"stopReason":"refusal"}'`, messages.Failed, "refused: its model refused this task"},
		"is cut":             {opening + `say '"id":3,"result":{"stopReason":"max_tokens"}'`, messages.Incomplete, "output limit"},
		"ends oddly":         {opening + `say '"id":3,"result":{"stopReason":"bored"}'`, messages.Failed, `for the unknown reason "bored"`},
		"dies":               {opening + "echo 'out of luck' >&2; exit 7", messages.Failed, "its program ended with exit code 7: out of luck"},
		"is killed":          {opening + "kill -9 $$", messages.Failed, "ended by a signal: killed"},
		"hangs":              {opening + "sleep 600", messages.Failed, "timed out: it did not respond for 500ms; a second attempt timed out, too"},
		"says nothing":       {"exec sleep 600", messages.Failed, "timed out"},
		"is no program":      {"exec no-such-program", messages.Failed, "exit code 127"},
		"speaks otherwise":   {`read -r _; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":2}}'; read -r _`, messages.Failed, "version 2 of the protocol"},
		"wants a login":      {`read -r _; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}'; read -r _; echo '{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"no account"}}'; read -r _`, messages.Failed, "the agent requires a login: no account"},
		"talks besides":      {"echo welcome; " + opening + "echo; echo 'not {json'; " + done, messages.Completed, "all done"},
		"only talks":         {"yes hello", messages.Failed, "are not messages"},
		"sends a huge line":  {opening + "head -c 9000000 /dev/zero | tr '\\0' x; echo; sleep 600", messages.Failed, "the agent broke the protocol: the line is"},
		"wants our files":    {opening + `say '"id":9,"method":"fs/write_text_file","params":{}'; read -r answer; case "$answer" in *-32601*) ` + done + `;; esac`, messages.Completed, "all done"},
		"leaves children":    {opening + "(trap '' TERM HUP; exec setsid sleep 601) & " + done, messages.Completed, "all done"},
		"ignores its stop":   {"trap '' TERM; " + opening + done + "; while :; do sleep 1; done", messages.Completed, "all done"},
		"writes elsewhere":   {opening + "echo x > ../elsewhere || " + done, messages.Completed, "all done"},
		"steals permissions": {opening + `say '"id":9,"method":"session/request_permission","params":{"toolCall":{"toolCallId":"1","kind":"execute"},"options":[{"optionId":"a","name":"Allow","kind":"allow_always"}]}'; read -r answer; case "$answer" in *cancelled*) ` + done + `;; esac`, messages.Completed, "all done"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := project(t)
			job := agent(env, test.script)
			if strings.Contains(test.says, "timed out") {
				job.Agent.Silence = time.Second / 2
			}
			report := job.Run(t.Context(), tools.Task{Prompt: "do it"}, func(tools.TaskProgress) {})
			if said := report.Err + report.Text; report.Outcome != test.outcome || !strings.Contains(said, test.says) {
				t.Errorf("%s: %q", report.Outcome, said)
			}
			if left := working(t, env.Dir); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// Tokens and costs that no task can have do not count.
func TestImpossibleUsageOfAnAgentDoesNotCount(t *testing.T) {
	for name, test := range map[string]struct {
		cost, usage string
		want        messages.Usage
	}{
		"possible": {"0.5", `"inputTokens":7,"outputTokens":3`, messages.Usage{InputTokens: 7, OutputTokens: 3, Cost: 0.5}},
		"negative": {"-3", `"inputTokens":-7,"outputTokens":3`, messages.Usage{}},
		"huge":     {"1e300", `"inputTokens":9223372036854775807,"outputTokens":3`, messages.Usage{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script := opening + `update '"sessionUpdate":"usage_update","cost":{"amount":` + test.cost + `,"currency":"USD"}'; say '"id":3,"result":{"stopReason":"end_turn","usage":{` + test.usage + `}}'`
			got := agent(project(t), script).Run(t.Context(), tools.Task{Prompt: "do it"}, func(tools.TaskProgress) {}).Usage
			if got.InputTokens != test.want.InputTokens || got.OutputTokens != test.want.OutputTokens || got.Cost != test.want.Cost {
				t.Errorf("%+v", got)
			}
		})
	}
}

// working returns the processes in a directory.
func working(t *testing.T, dir string) (left []string) {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cwd")
	if err != nil {
		t.Fatal(err)
	}
	for _, cwd := range all {
		if at, err := os.Readlink(cwd); err == nil && at == dir {
			command, _ := os.ReadFile(filepath.Join(filepath.Dir(cwd), "cmdline"))
			left = append(left, string(command))
		}
	}
	return left
}

// Marvin starts an agent that hung once more, and the prompt says so.
func TestAnAgentThatHangsIsStartedOnceMore(t *testing.T) {
	env := project(t)
	job := agent(env, opening+"if [ -e begun ]; then printf '%s' \"$prompt\" > again; "+done+"; else touch begun; sleep 600; fi")
	job.Agent.Silence = 2 * time.Second
	report := job.Run(t.Context(), tools.Task{Prompt: "do it"}, func(tools.TaskProgress) {})
	told, err := os.ReadFile(filepath.Join(env.Dir, "again"))
	if err != nil || report.Outcome != messages.Completed || !strings.Contains(string(told), "An earlier attempt at this task hung") {
		t.Errorf("%+v; told %s, %v", report, told, err)
	}
}

// A cancel reaches the agent, and ends the processes of one that does not listen.
func TestACancelledAgentIsGone(t *testing.T) {
	for name, script := range map[string]string{"listens": opening + "update '\"sessionUpdate\":\"tool_call\",\"toolCallId\":\"1\",\"title\":\"wait\"'; read -r cancel; printf '%s' \"$cancel\" > heard", "does not": opening + "trap '' TERM; update '\"sessionUpdate\":\"tool_call\",\"toolCallId\":\"1\",\"title\":\"wait\"'; sleep 600"} {
		env := project(t)
		ctx, cancel := context.WithCancel(t.Context())
		job := agent(env, script)
		report := job.Run(ctx, tools.Task{Prompt: "do it"}, func(tools.TaskProgress) { cancel() })
		if report.Outcome != messages.Cancelled || len(working(t, env.Dir)) > 0 {
			t.Errorf("%s: %+v; left: %v", name, report, working(t, env.Dir))
		}
		if heard, _ := os.ReadFile(filepath.Join(env.Dir, "heard")); name == "listens" && !strings.Contains(string(heard), "session/cancel") {
			t.Errorf("it heard %q", heard)
		}
	}
}

// An agent has copies of its login files, the variables that are named, and no others; what it
// changes in its home directory does not last. Read-only it writes only there.
func TestAnAgentHasOnlyWhatItsEntryNames(t *testing.T) {
	env := project(t)
	for name, text := range map[string]string{".odd/key": "the login", ".other/key": "another login"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(env.Home, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(env.Home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env.Environ = append(env.Environ, "ODD_API_KEY=odd-secret-1", "OTHER_API_KEY=other-secret-2")
	job := agent(env, opening+`text="$(cat ~/.odd/key) $(ls -A ~) $ODD_API_KEY$OTHER_API_KEY"; echo changed > ~/.odd/key; echo x > made; [ -e made ] && text="$text made"; `+
		`update "\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\"$text\"}"; say '"id":3,"result":{"stopReason":"end_turn"}'`)
	job.Agent.Env, job.Agent.Login = []string{"ODD_API_KEY"}, []string{"~/.odd/key", "~/.odd/none"}
	for _, readOnly := range []bool{false, true} {
		if err := os.RemoveAll(filepath.Join(env.Dir, "made")); err != nil {
			t.Fatal(err)
		}
		report := job.Run(t.Context(), tools.Task{Prompt: "do it", ReadOnly: readOnly}, func(tools.TaskProgress) {})
		want := "the login .odd odd-secret-1"
		if !readOnly {
			want += " made"
		}
		if said, _, _ := strings.Cut(report.Text, "\n"); said != want {
			t.Errorf("read-only %v: %q, %s, want %q", readOnly, said, report.Err, want)
		}
	}
	if kept, _ := os.ReadFile(filepath.Join(env.Home, ".odd/key")); string(kept) != "the login" {
		t.Errorf("the login is now %q", kept)
	}
}

// All that an agent changed comes back by /undo: files of git, new ones, and deleted ones.
func TestExternalAgentChangesAreUndone(t *testing.T) {
	env := project(t)
	if _, err := shell.RunOwn(t.Context(), "git init -q . && echo one > tracked && mkdir sub && echo two > sub/gone && git add . && git -c user.name=n -c user.email=e commit -qm x; echo three > loose", env.Dir, env.Environ, nil); err != nil {
		t.Fatal(err)
	}
	journal := undolog.Of(persistence.Open(t.TempDir(), time.Now), "one")
	env.Undo = &undo.Keeper{Journal: func() *undolog.Journal { return journal }, Turn: "1", Call: "c", Tool: "launch_agent"}
	report := agent(env, opening+"echo changed > tracked; rm sub/gone; echo changed > loose; echo new > new; "+done).Run(t.Context(), tools.Task{Prompt: "do it"}, func(tools.TaskProgress) {})
	if !strings.Contains(report.Text, "the agent changed loose, new (new), sub/gone (deleted), tracked; /undo reverts that") {
		t.Errorf("%+v", report)
	}
	plan, err := undo.Make(journal, env, undo.Request{})
	if err == nil {
		err = plan.Apply(t.Context(), journal, env)
	}
	got := ""
	for _, name := range []string{"tracked", "sub/gone", "loose", "new"} {
		content, _ := os.ReadFile(filepath.Join(env.Dir, name))
		got += fmt.Sprintf("%s ", strings.TrimSpace(string(content)))
	}
	if err != nil || got != "one two three  " {
		t.Errorf("%q, %v: %s", got, err, plan.Report())
	}
}
