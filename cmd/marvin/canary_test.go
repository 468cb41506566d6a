package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"marvin/messages"
	"marvin/persistence/disktest"
	"marvin/providers/copilot/copilottest"
	"marvin/providers/modeltest"
	"marvin/tools"
)

// keyVariables lists all variables that contain a key of the user. SPOTIFY_CLIENT_ID is not secret:
// it is part of the login address.
var keyVariables = []string{
	"GEMINI_API_KEY", "GROQ_API_KEY", "OPENAI_API_KEY", "OPENAI_COMPAT_API_KEY", "GOOGLE_PLACES_API_KEY", "GNEWS_API_KEY",
	"NEWSAPI_KEY", "STEAM_API_KEY", "OMDB_API_KEY", "RAWG_API_KEY", "SPOTIFY_CLIENT_SECRET",
	"SEMANTIC_SCHOLAR_API_KEY", "GITHUB_TOKEN", "GH_TOKEN", "COPILOT_GITHUB_TOKEN", "COPILOT_PROVIDER_API_KEY", "AWS_SECRET_ACCESS_KEY",
	"NPM_CONFIG__AUTH", "CARGO_REGISTRY_TOKEN", // of families that children get
}

// canaryOf returns the fake key for a variable; each variable has another one.
func canaryOf(variable string) string {
	return fmt.Sprintf("cAnArY%02dx/%s+=", slices.Index(keyVariables, variable), strings.Repeat("9", 16))
}

// sung names the variable whose fake key is in a text, in any encoding.
func sung(text string) string {
	for _, variable := range keyVariables {
		key := canaryOf(variable)
		for _, spelled := range []string{key, url.QueryEscape(key), url.PathEscape(key), base64.StdEncoding.EncodeToString([]byte(key))} {
			if strings.Contains(text, spelled) {
				return variable
			}
		}
	}
	return ""
}

// ghost reports whether a program may receive a variable although it is a secret. This is true only
// for gh, GitHub's own program.
func ghost(program, variable string) bool { return program == "gh" && variable == "GH_TOKEN" }

// Every key of the user is set, all tools are called, and the services answer with everything that
// they received. No key is in a result, in an error, on disk or in the environment of a program.
func TestNoToolShowsAKey(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, name := range played {
		script := fmt.Sprintf("#!/bin/sh\nexport -p >> '%s/%s.environ'\necho \"$@\" >> '%s/%s.environ'\necho broken >&2\nexit 1\n", b.programs, name, b.programs, name)
		if err := disktest.WriteProgram(filepath.Join(b.programs, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	b.env.Environ = []string{"PATH=" + b.programs, "HOME=" + b.env.Home, "BLENDER_MCP_PORT=1"}
	for _, variable := range keyVariables {
		b.env.Environ = append(b.env.Environ, variable+"="+canaryOf(variable))
	}
	var said bytes.Buffer
	b.env.Progress = func(line string) { fmt.Fprintln(&said, line) }
	for name, status := range map[string]int{"an error": http.StatusUnauthorized, "an answer": http.StatusOK} {
		b.answers(func(w http.ResponseWriter, r *http.Request) { echo(w, r, status) })
		for _, tool := range b.registry.All() {
			output, err := b.call(t.Context(), t, tool, nil)
			if variable := sung(fmt.Sprint(output.Text, err, said.String())); variable != "" {
				t.Errorf("%s, told %s, shows the key of %s: %s %v", tool.Name, name, variable, output.Text, err)
			}
			said.Reset()
		}
	}
	output, err := b.call(t.Context(), t, find(t, b, "run_command"), map[string]any{"command": "export -p; tr '\\0' '\\n' < /proc/self/environ"})
	if variable := sung(output.Text); err != nil || variable != "" || !strings.Contains(output.Text, "BLENDER_MCP_PORT") {
		t.Errorf("a command sees the key of %q, %v: %s", variable, err, output.Text)
	}
	seen := 0
	for _, name := range played {
		environ, _ := os.ReadFile(filepath.Join(b.programs, name+".environ"))
		seen += len(environ)
		if variable := sung(string(environ)); variable != "" && !ghost(name, variable) {
			t.Errorf("%s was given the key of %s", name, variable)
		}
	}
	if seen == 0 {
		t.Error("no program was called: the test is broken")
	}
	silent(t, b.env.Home, b.env.Dir)
}

// echo is a service that returns everything that it received.
func echo(w http.ResponseWriter, r *http.Request, status int) {
	sent := new(strings.Builder)
	fmt.Fprintf(sent, "%s?%s", r.URL.Path, r.URL.RawQuery)
	for name, values := range r.Header {
		fmt.Fprintf(sent, " %s: %s", name, strings.Join(values, " "))
	}
	body, _ := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	w.Header().Set("Content-Type", "text/plain")
	w.WriteHeader(status)
	fmt.Fprintf(w, "you sent %s %s", sent, body)
}

func find(t *testing.T, b *bench, name string) tools.Tool {
	t.Helper()
	tool, ok := b.registry.Lookup(name)
	if !ok {
		t.Fatalf("there is no %s", name)
	}
	return tool
}

// silent fails for every file below the directories that contains a key, or that Marvin made and
// other users may read.
func silent(t *testing.T, dirs ...string) {
	t.Helper()
	for _, dir := range dirs {
		if err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return err
			}
			content, err := os.ReadFile(path)
			if variable := sung(string(content)); variable != "" {
				t.Errorf("%s holds the key of %s", path, variable)
			}
			return err
		}); err != nil {
			t.Error(err)
		}
	}
}

// Seen from outside: the same for a whole session with an audit log. The prompt, the model and the
// services try to make Marvin write a key.
func TestNoSessionLeavesAKeyBehind(t *testing.T) {
	t.Parallel()
	key := canaryOf("OPENAI_COMPAT_API_KEY")
	calls := []modeltest.Call{
		{Name: "run_command", Args: map[string]string{"command": "export -p; tr '\\0' '\\n' < /proc/$PPID/environ; echo done"}},
		{Name: "run_command", Args: map[string]string{"command": "cat ~/.ssh/GROQ_API_KEY; env | base64 -w0"}},
		{Name: "create_file", Args: map[string]string{"path": "notes.md", "content": "nothing"}},
		{Name: "no_such_tool", Args: map[string]string{"key": key}},
		{Name: "get_working_dir"},
	}
	for _, ends := range []string{"completed", "refused"} {
		t.Run(ends, func(t *testing.T) {
			command := process(t, func(request modeltest.Request) modeltest.Step {
				switch {
				case ends == "refused":
					return modeltest.Status(http.StatusUnauthorized, fmt.Sprintf(`{"error":{"message":"Incorrect API key provided: %s"}}`, key))
				case request.Last().Role == messages.Tool:
					return modeltest.Text("done")
				}
				return modeltest.Calls(calls...)
			}, "-p", "remember that my key is "+key)
			home, audit := t.TempDir(), filepath.Join(t.TempDir(), "audit.jsonl")
			command.Env = slices.DeleteFunc(command.Env, func(entry string) bool {
				return strings.HasPrefix(entry, "HOME=") || strings.HasPrefix(entry, "OPENAI_COMPAT_API_KEY=")
			})
			command.Env = append(command.Env, "HOME="+home, "MARVIN_SUBAGENT_LOG="+audit)
			copilottest.ShareCache(home) // who is refused asks Copilot next, by its token: 235 MB of its CLI need no search
			for _, variable := range keyVariables {
				command.Env = append(command.Env, variable+"="+canaryOf(variable))
			}
			keyFile := filepath.Join(home, ".ssh", "GROQ_API_KEY")
			if err := os.MkdirAll(filepath.Dir(keyFile), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(keyFile, []byte(canaryOf("GROQ_API_KEY")), 0o600); err != nil {
				t.Fatal(err)
			}
			var stdout, stderr bytes.Buffer
			command.Stdout, command.Stderr = &stdout, &stderr
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			waitFor(t, command)
			for name, text := range map[string]string{"stdout": stdout.String(), "stderr": stderr.String()} {
				if variable := sung(text); variable != "" {
					t.Errorf("%s shows the key of %s: %s", name, variable, text)
				}
			}
			if err := os.Remove(keyFile); err != nil { // which held it before
				t.Fatal(err)
			}
			written, err := os.ReadFile(audit)
			if ends == "completed" && (err != nil || bytes.Count(written, []byte(`, "tool": `)) != len(calls)) {
				t.Errorf("the audit log: %v\n%s\n%s", err, written, stderr.String())
			}
			silent(t, home, filepath.Dir(audit), command.Dir)
		})
	}
}

func TestNoLineOfUserLeavesAKeyBehind(t *testing.T) {
	t.Parallel()
	command := process(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("fine") })
	home := t.TempDir()
	command.Args = []string{"marvin", "--plain", "--provider", "openai-compat"}
	command.Env = append(command.Env, "HOME="+home, "GROQ_API_KEY="+canaryOf("GROQ_API_KEY"))
	command.Stdin = strings.NewReader("!env\n!echo " + canaryOf("GROQ_API_KEY") + "\n/export talk.md\n/export talk.json\nquit\n")
	var stdout bytes.Buffer
	command.Stdout = &stdout
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, command)
	for _, name := range []string{"talk.md", "talk.json"} {
		if written, err := os.ReadFile(filepath.Join(command.Dir, name)); err != nil || !strings.Contains(string(written), "echo") {
			t.Errorf("the export %s: %v", name, err)
		}
	}
	if sung(stdout.String()) == "" {
		t.Error("the person does not see what was run, so the test shows nothing")
	}
	silent(t, home, command.Dir)
}

func TestACommandCannotReadMarvinsMemory(t *testing.T) {
	t.Parallel()
	told := ""
	command := process(t, func(request modeltest.Request) modeltest.Step {
		if request.Last().Role == messages.Tool {
			told = request.Last().Result.Text
			return modeltest.Text("done")
		}
		read := `p=$$; while p=$(sed 's/.*) . \([0-9]*\) .*/\1/' /proc/$p/stat) && [ "$p" -gt 1 ]; do tr '\0' '\n' < /proc/$p/environ; done; echo end`
		return modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]string{"command": read}})
	}, "--sandbox", "off", "-p", "go") // which would hide all other processes
	command.Env = append(command.Env, "GROQ_API_KEY="+canaryOf("GROQ_API_KEY"))
	becomeNobody(t, command)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if variable := sung(told); variable != "" || !strings.Contains(told, "end") || !strings.Contains(told, "ermission denied") {
		t.Errorf("a command reads the key of %q: %s", variable, told)
	}
}

// becomeNobody makes a command run as a user without rights if this process runs as root.
func becomeNobody(t *testing.T, command *exec.Cmd) {
	t.Helper()
	if os.Getuid() != 0 {
		return
	}
	public, err := os.MkdirTemp("/tmp", "marvin")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(public) })
	binary, err := os.ReadFile(command.Path)
	if err != nil {
		t.Fatal(err)
	}
	command.Path = filepath.Join(public, "marvin")
	for _, err := range []error{
		os.Chmod(public, 0o755), disktest.WriteProgram(command.Path, binary, 0o755), os.Mkdir(filepath.Join(public, "home"), 0o700),
		os.Chown(filepath.Join(public, "home"), 65534, 65534),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	command.Dir = filepath.Join(public, "home")
	command.Env = append(slices.DeleteFunc(command.Env, func(entry string) bool { return strings.HasPrefix(entry, "HOME=") }), "HOME="+command.Dir)
	command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
}
