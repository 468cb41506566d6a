package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"marvin/messages"
	"marvin/providers/modeltest"
)

// attempt runs Marvin without a user. Its model makes the first call; sub-agents, whose prompt is
// "x", make the second. It returns both results.
func attempt(t *testing.T, home, config string, environ []string, first, second modeltest.Call, args ...string) (ofFirst, ofSecond string) {
	t.Helper()
	var mu sync.Mutex
	command := process(t, func(request modeltest.Request) modeltest.Step {
		mu.Lock()
		defer mu.Unlock()
		agent := slices.ContainsFunc(request.Messages, func(m messages.Message) bool { return m.Role == messages.User && m.Text == "x" })
		switch last := request.Last(); {
		case last.Role == messages.Tool && agent:
			ofSecond += last.Result.Text
		case last.Role == messages.Tool:
			ofFirst += last.Result.Text
		case agent:
			return modeltest.Calls(second)
		default:
			return modeltest.Calls(first)
		}
		return modeltest.Text("done")
	}, append([]string{"-p", "go"}, args...)...)
	command.Env = append(append([]string{"HOME=" + home}, command.Env[1:]...), environ...)
	state := filepath.Join(home, ".config", "marvin")
	if err := os.MkdirAll(state, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(state, "config.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	command.Stderr = &stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, command)
	if ofFirst == "" {
		t.Errorf("nothing was called: %s", stderr.String())
	}
	return ofFirst, ofSecond
}

func TestNoToolLeavesTheRootUnasked(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	project := filepath.Join(home, "project")
	for path, text := range map[string]string{".ssh/id": "SECRET", "project/a.txt": "a"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(home, path)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(home, path), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(project, "link")
	if err := os.Symlink(home, link); err != nil {
		t.Fatal(err)
	}
	read := modeltest.Call{Name: "read_file", Args: map[string]string{"path": ".ssh/id"}}
	mark := modeltest.Call{Name: "create_file", Args: map[string]string{"path": "marker", "content": "x"}}
	for name, test := range map[string]struct {
		first, second modeltest.Call
		config        string
		environ, args []string
		want          string // the result of the first call; "" if it passes
	}{
		"launch_agent": {first: call("launch_agent", `{"prompt":"x","working_dir":"%s"}`, home), second: mark, want: "--working-dir " + home},
		"by a link":    {first: call("launch_agent", `{"prompt":"x","working_dir":"link"}`), second: mark, want: home + " is outside of " + project},
		"one of tasks": {first: call("launch_agent", `{"tasks":[{"prompt":"x"},{"prompt":"x","working_dir":"~"}]}`), second: read, want: "is outside of"},
		"with dots":    {first: call("launch_agent", `{"prompt":"x","working_dir":".."}`), second: read, want: "is outside of"},
		"read-only": {
			first: call("launch_agent", `{"prompt":"x","working_dir":"%s"}`, home), second: read, environ: []string{"MARVIN_READONLY=1"}, want: "not a", // neither allowed nor available
		},
		"strict":          {first: call("launch_agent", `{"prompt":"x","working_dir":"%s"}`, home), second: mark, args: []string{"--sandbox", "strict"}, want: "is outside of"},
		"set_working_dir": {first: call("set_working_dir", `{"path":"%s"}`, home), second: mark, want: "'set_working_dir(" + home + ")'"},
		"review_codebase": {first: call("review_codebase", `{"working_dir":"%s"}`, home), second: read, want: "is outside of"},
		"review_status":   {first: call("review_status", `{"working_dir":"%s"}`, home), second: read, want: "is outside of"},
		"a rule about set_working_dir denies launch_agent": {
			first: call("launch_agent", `{"prompt":"x","working_dir":"sub"}`), second: mark,
			config: "permissions:\n  deny: [set_working_dir]\n  allow: [launch_agent]\n", want: "your rule denies set_working_dir",
		},
		"a rule about launch_agent is none about directories": {
			first: call("launch_agent", `{"prompt":"x","working_dir":"%s"}`, home), second: mark, config: "permissions:\n  allow: [launch_agent]\n", want: "is outside of",
		},
		"a rule about the name of a link": {
			first: call("launch_agent", `{"prompt":"x","working_dir":"%s"}`, link), second: mark,
			config: "permissions:\n  allow: ['set_working_dir(" + project + "/*)']\n", want: "is outside of",
		},
		"all is approved":    {first: call("launch_agent", `{"prompt":"x","working_dir":"%s"}`, home), second: read, args: []string{"--approve", "all"}},
		"auto approves less": {first: call("set_working_dir", `{"path":"%s"}`, home), second: mark, args: []string{"--approve", "auto"}, want: "is outside of"},
		"a directory below":  {first: call("launch_agent", `{"prompt":"x","working_dir":"sub"}`), second: mark},
		"a rule allows it": {
			first: call("launch_agent", `{"prompt":"x","working_dir":"%s"}`, home), second: read, config: "permissions:\n  allow: ['set_working_dir(" + home + ")']\n",
		},
	} {
		if err := os.MkdirAll(filepath.Join(project, "sub"), 0o700); err != nil {
			t.Fatal(err)
		}
		first, second := attempt(t, home, test.config, test.environ, test.first, test.second, append(test.args, "--working-dir", project)...)
		switch {
		case test.want == "" && (!strings.Contains(first, "[completed") || second == "" || strings.HasPrefix(second, "Error")):
			t.Errorf("%s: %q, then %q", name, first, second)
		case test.want != "" && (!strings.Contains(first, test.want) || strings.Contains(second, "SECRET")):
			t.Errorf("%s: %q, then %q", name, first, second)
		}
		if _, err := os.Stat(filepath.Join(home, "marker")); err == nil {
			t.Fatalf("%s: it wrote outside", name)
		}
		if err := os.RemoveAll(filepath.Join(project, "sub")); err != nil {
			t.Fatal(err)
		}
	}
}

// In the home directory, too, file tools write no file that decides which programs run.
func TestFileToolsWriteNoConfigurationOfPrograms(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.env.Dir, b.env.Root = b.env.Home, b.env.Home
	if err := os.WriteFile(filepath.Join(b.env.Home, ".bashrc"), []byte("# mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		".bashrc", ".profile", ".zshrc", ".gitconfig", ".config/git/config", ".ssh/authorized_keys", ".config/marvin/config.yaml",
		".config/marvin/profiles/default/preferences.yaml", ".config/autostart/a.desktop", ".config/systemd/user/a.service", ".marvin/instructions/a.md",
		"project/.git/config", "project/.git/hooks/pre-commit", ".config/fish/conf.d/a.fish",
	} {
		for tool, args := range map[string]map[string]any{
			"create_file": {"path": path, "content": "PWNED\n"}, "append_file": {"path": path, "content": "PWNED\n"},
			"apply_patch": {"path": path, "old_str": "# mine\n", "new_str": "PWNED\n"},
		} {
			found, _ := b.registry.Lookup(tool)
			if _, err := b.call(t.Context(), t, found, args); err == nil || !strings.Contains(err.Error(), "protected") {
				t.Errorf("%s %s: %v", tool, path, err)
			}
		}
	}
	for path, content := range contents(t, b.env.Home) {
		if strings.Contains(content, "PWNED") {
			t.Errorf("%s was written", path)
		}
	}
}

func call(name, args string, values ...any) modeltest.Call {
	for _, value := range values {
		args = strings.Replace(args, "%s", value.(string), 1)
	}
	return modeltest.Call{Name: name, Args: json.RawMessage(args)}
}

// placeParameters lists the parameters that are paths, by the check that confines them.
var placeParameters = map[string]string{
	"set_working_dir.path": "asked", "launch_agent.working_dir": "asked", "review_codebase.working_dir": "asked", "review_status.working_dir": "asked",
	"read_file.path": "project", "create_file.path": "project", "append_file.path": "project", "apply_patch.path": "project", "code_grep.path": "project", "find_files.path": "project", "run_command.cwd": "asked",
	"code_definition.path": "project", "code_references.path": "project", "code_symbols.path": "project", "code_rename.path": "project", "code_actions.path": "project",
	"tree.path": "project", "git_diff.path": "project", "git_blame.path": "project", "git_commit.files": "project", "review_codebase.ref_dir": "project",
	"write_note.filename": "notes", "read_note.filename": "notes", "notes_ls.path": "notes", "notes_mkdir.dirname": "notes",
	"move_note.filename": "notes", "move_note.to": "notes", "remove_note.filename": "notes",
	"file_read_lines.path": "notes", "file_apply_patch.path": "notes", "github_read_file.path": "clone", "github_grep.path": "clone",
	"read_skill.file": "skill", "download_file.filename": "downloads", "yt_dlp_download.output_dir": "downloads",
}

// Every parameter that names a path is in the table, so that a new parameter is considered. None of
// them leads outside of its confinement.
func TestEveryParameterThatIsAPlaceIsHeld(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.answers(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") })
	b.env.Root = b.env.Dir
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.MkdirAll(outside, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(outside, "a.txt"), []byte("SECRET a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	before, seen := contents(t, outside), map[string]bool{}
	for _, tool := range b.registry.All() {
		for name, of := range schemaOf(t, tool).Properties {
			key := tool.Name + "." + name
			if placeParameters[key] == "" {
				if slices.ContainsFunc([]string{"path", "dir", "file", "folder", "directory", "output"}, func(word string) bool { return strings.Contains(name, word) }) {
					t.Errorf("%s looks like a place and is not in the table", key)
				}
				continue
			}
			seen[key] = true
			for _, path := range []string{outside, outside + "/a.txt", outside + "/new", "../" + filepath.Base(outside), "../../../../../../../../../.." + outside + "/a.txt"} {
				var value any = path
				if of.Type == "array" {
					value = []string{path}
				}
				output, err := b.call(t.Context(), t, tool, map[string]any{name: value})
				if strings.Contains(output.Text, "SECRET") || err == nil && placeParameters[key] == "asked" {
					t.Errorf("%s %s: %q, %v", key, path, output.Text, err)
				}
			}
		}
	}
	for path, content := range contents(t, outside) {
		if before[path] != content {
			t.Errorf("%s was written", path)
		}
	}
	for key := range placeParameters {
		if !seen[key] {
			t.Errorf("%s does not exist any more", key)
		}
	}
}
