package custom

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/persistence/customtools"
	"marvin/persistence/disktest"
	"marvin/tools"
)

// folder writes a tool and returns the directory that contains its folder.
func folder(t *testing.T, name, manifest, script string) string {
	t.Helper()
	dir := t.TempDir()
	if err := customtools.Make(filepath.Join(dir, name), map[string]string{"tool.yaml": manifest, "run": "#!/bin/sh\n" + script + "\n"}, "run"); err != nil {
		t.Fatal(err)
	}
	return dir
}

const manifest = `
description: Says what it was told.
parameters:
  type: object
  properties:
    text: {type: string, description: what to say}
    times: {type: integer, minimum: 1}
  required: [text]
effect: read
command: [./run, --loud]
`

func load(t *testing.T, dir string) tools.Tool {
	t.Helper()
	list, problems := Load(dir)
	if len(list) != 1 || problems != nil {
		t.Fatalf("%v %v", list, problems)
	}
	return list[0]
}

func run(t *testing.T, tool tools.Tool, env tools.Env, args string) (string, error) {
	t.Helper()
	call, err := tool.Decode(json.RawMessage(args))
	if err != nil {
		t.Fatal(err)
	}
	output, err := call.Run(context.Background(), env)
	return output.Text, err
}

func place(t *testing.T, progress func(string)) tools.Env {
	t.Helper()
	dir := t.TempDir()
	return tools.Env{Dir: dir, Root: dir, Environ: []string{"PATH=/usr/bin:/bin", "API_TOKEN=s3cr3t"}, Now: time.Now, Progress: progress, Seen: &tools.Stamps{}}
}

func TestAToolOfTheUsers(t *testing.T) {
	var told []string
	env := place(t, func(line string) { told = append(told, line) })
	tool := load(t, folder(t, "say-it", manifest, `echo "$1 $(cat) in $(pwd) $API_TOKEN"; echo '{"progress":"half"}' >&2; echo noise >&2`))
	if tool.Name != "say_it" || tool.Effect != tools.Reads || tool.Writes || tool.Timeout != tools.DefaultTimeout {
		t.Errorf("%+v", tool)
	}
	text, err := run(t, tool, env, `{"text":"a && b","times":"2"}`)
	if want := `--loud {"text":"a && b","times":2} in ` + env.Dir + " \n"; err != nil || text != want {
		t.Errorf("%q %v, want %q", text, err, want)
	}
	if strings.Join(told, ",") != "half" {
		t.Errorf("told %v", told)
	}
	if _, err := tool.Decode(json.RawMessage(`{"times":0}`)); err == nil {
		t.Error("arguments that the schema forbids are taken")
	}
}

func TestAToolThatFailsSaysWhy(t *testing.T) {
	env := place(t, func(string) {})
	text, err := run(t, load(t, folder(t, "fails", manifest, `echo half; echo "no such city" >&2; exit 3`)), env, `{"text":"x"}`)
	if text != "half\n" || err == nil || !strings.Contains(err.Error(), "exit code 3") || !strings.Contains(err.Error(), "no such city") {
		t.Errorf("%q %v", text, err)
	}
	tool := load(t, folder(t, "hangs", manifest, `(setsid sleep 600 &) ; sleep 600`))
	call, err := tool.Decode(json.RawMessage(`{"text":"x"}`))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), 200*time.Millisecond, tools.ErrDeadline)
	defer cancel()
	if _, err := call.Run(ctx, env); !errors.Is(err, tools.ErrDeadline) {
		t.Errorf("%v", err)
	}
}

// A custom tool is confined like a command. It can read its own folder and write in the working
// directory, but cannot see anything else of Marvin's.
func TestAToolIsHeld(t *testing.T) {
	home := t.TempDir()
	t.Setenv("TMPDIR", t.TempDir()) // otherwise the tool's folder would be in /tmp, which the tool cannot see
	state := filepath.Join(home, ".config", "marvin")
	dir := filepath.Join(state, "tools")
	script := `cat "$(dirname "$0")/words"; cat ` + state + `/config.yaml 2>/dev/null; touch here; touch ` + home + `/there 2>/dev/null; touch "$(dirname "$0")/mine" 2>/dev/null; ls ` + state + ` | tr '\n' ' '`
	if err := customtools.Make(filepath.Join(dir, "held"), map[string]string{"tool.yaml": manifest, "words": "words\n", "run": "#!/bin/sh\n" + script + "\n"}, "run"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(state, "config.yaml"), []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := place(t, func(string) {})
	env.Sandbox = tools.NewSandbox(tools.SandboxConfig{Mode: tools.SandboxAuto, Home: home, State: state, Environ: env.Environ})
	t.Cleanup(func() { _ = env.Sandbox.Close() })
	for _, approved := range []bool{false, true} { // approval of the call does not lift the sandbox
		env.Approved = approved
		text, err := run(t, load(t, dir), env, `{"text":"x"}`)
		if errors.Is(err, tools.ErrUnconfined) {
			t.Skipf("this system has no complete sandbox: %v", err)
		}
		if err != nil || !strings.HasPrefix(text, "words\n") || strings.Contains(text, "secret") {
			t.Errorf("%q %v", text, err)
		}
	}
	for path, want := range map[string]bool{filepath.Join(env.Dir, "here"): true, filepath.Join(home, "there"): false, filepath.Join(dir, "held", "mine"): false} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
	env.Dir, env.Root = "", "" // a conversation without a directory
	if text, err := run(t, load(t, dir), env, `{"text":"x"}`); err != nil || !strings.HasPrefix(text, "words\n") {
		t.Errorf("%q %v", text, err)
	}
}

// An error names the line with the fault, and the other tools still work.
func TestCustomToolErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                 "there is no description",
		"description: a\n": "there is no command",
		"description: a\ncommand: [./run]\neffect: reads\n":              `tool.yaml:3: "reads" is not one of read, write, outside, irreversible; correct this line`,
		"description: a\ncommand: [./run]\neffects: read\n":              `tool.yaml:3: a tool has no field "effects" (did you mean "effect"?)`,
		"description: a\ncommand: [./runs]\n":                            "does not exist; create it",
		"description: a\ncommand: [./tool.yaml]\n":                       "cannot be run; make it executable with chmod +x",
		"description: a\ncommand: [./run]\ntimeout: 5\n":                 `tool.yaml:3: "5" is not a duration`,
		"description: a\ncommand: [./run]\nname: Bad Name\n":             `tool.yaml:3: "Bad Name" is not a tool name`,
		"description: a\ncommand: [./run]\nparameters: [a]\n":            "tool.yaml:3: ",
		"description: a\ncommand: [./run]\nparameters: {type: string}\n": "tool x",
		"description: [\n": "tool.yaml:1: ",
	} {
		dir := folder(t, "broken", text, "exit 0")
		if err := customtools.Make(filepath.Join(dir, "whole"), map[string]string{"tool.yaml": manifest, "run": "#!/bin/sh\n"}, "run"); err != nil {
			t.Fatal(err)
		}
		list, problems := Load(dir)
		if len(list) != 1 || list[0].Name != "whole" || len(problems) != 1 || !strings.Contains(problems[0].Error(), want) && want != "tool x" {
			t.Errorf("%q: %d tools, %v, want %s", text, len(list), problems, want)
		}
	}
}

func TestEffectsOfTools(t *testing.T) {
	for effect, want := range map[string]tools.Effect{"": tools.Outside, "effect: read": tools.Reads, "effect: write": tools.Writes, "effect: outside": tools.Outside, "effect: irreversible": tools.Irreversible} {
		tool := load(t, folder(t, "one", "description: a\ncommand: [./run]\n"+effect+"\n", "exit 0"))
		if tool.Effect != want || tool.Writes != (want > tools.Reads) || tool.Confirms != (want > tools.Writes) {
			t.Errorf("%q: %+v", effect, tool)
		}
	}
}

func TestAToolWithoutASandboxIsNoProgramOfTheProject(t *testing.T) {
	env := place(t, func(string) {})
	project, marker := t.TempDir(), filepath.Join(t.TempDir(), "marker")
	env.Dir, env.Root, env.Approved = project, "/", true // no sandbox can confine commands to /
	env.Environ = []string{"PATH=" + project + ":/usr/bin:/bin", "PYTHONPATH=" + project}
	env.Sandbox = tools.NewSandbox(tools.SandboxConfig{Mode: tools.SandboxAuto, Environ: env.Environ})
	t.Cleanup(func() { _ = env.Sandbox.Close() })
	if err := disktest.WriteProgram(filepath.Join(project, "words"), []byte("#!/bin/sh\ntouch "+marker+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	byName := strings.Replace(manifest, "[./run, --loud]", "[words]", 1)
	if text, err := run(t, load(t, folder(t, "named", byName, "")), env, `{"text":"x"}`); err == nil || !strings.Contains(err.Error(), "this project can write") {
		t.Errorf("%q %v", text, err)
	}
	text, err := run(t, load(t, folder(t, "asks", manifest, `words; echo "$PYTHONPATH."`)), env, `{"text":"x"}`)
	if err != nil || text != ".\n" {
		t.Errorf("%q %v", text, err)
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("what the project brings ran")
	}
}

// Without a working directory, a tool gets a temporary one, which is removed after the call.
func TestAToolWithoutADirectoryHasOneForItsCall(t *testing.T) {
	scratch := t.TempDir()
	t.Setenv("TMPDIR", scratch)
	env := place(t, func(string) {})
	env.Dir, env.Root, env.Free = "", "", true
	tool := load(t, folder(t, "one", manifest, "echo x > made; pwd"))
	text, err := run(t, tool, env, `{"text":"x"}`)
	if err != nil || !strings.HasPrefix(text, tools.ResolveLinks(scratch)+"/marvin-tool-") {
		t.Errorf("%q, %v", text, err)
	}
	if left, err := os.ReadDir(scratch); len(left) > 0 || err != nil {
		t.Errorf("left are %v, %v", left, err)
	}
	t.Setenv("TMPDIR", filepath.Join(scratch, "none"))
	if text, err := run(t, tool, env, `{"text":"x"}`); text != "" || err == nil || !strings.HasPrefix(err.Error(), "make a directory for the tool: ") {
		t.Errorf("%q, %v", text, err)
	}
}

func TestLastToolOutputIsReported(t *testing.T) {
	env := place(t, func(string) {})
	env.Free = true
	tool := load(t, folder(t, "one", manifest, "echo first >&2; printf 'no room' >&2; exit 3"))
	if text, err := run(t, tool, env, `{"text":"x"}`); text != "" || err == nil || err.Error() != "one failed with exit code 3\nfirst\nno room" {
		t.Errorf("%q, %v", text, err)
	}
}
