package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/persistence/disktest"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/shell"
)

// Every registered tool is called in a project that contains programs in every known way. A program
// that runs outside the sandbox leaves a mark, and no mark may appear.

// brings lists the names of programs that Marvin, or a program that it starts, could look for.
var brings = append([]string{
	"git", "rg", "bash", "sh", "cat", "touch", "python3", "python", "node", "ffmpeg", "ffprobe", "google-chrome", "chromium-browser", "google-chrome-stable",
	"xclip", "xsel", "wl-copy", "ssh", "gpg", "less", "env", "curl", "swift", "sox", "rec", "ps", "id", "uname", "ls", "true", "git-lfs", "ssh-keygen", "code", "vi", "nano",
}, played...)

// marked is a directory to which only programs outside the sandbox can write.
type marked struct{ dir string }

func (m marked) script(name string) []byte {
	return []byte("#!/bin/sh\nexec /bin/touch '" + m.dir + "/" + name + "'\n")
}

// sprung returns the existing marks and removes them.
func (m marked) sprung(t *testing.T) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(m.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
		if err := os.Remove(filepath.Join(m.dir, entry.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return names
}

// project makes the working directory a repository, and the root of the sandbox.
func (b *bench) project(t *testing.T) {
	t.Helper()
	line := "git init -q -b main . && echo one > a.txt && git add -A && git commit -qm one && git branch old && echo two > a.txt && git commit -qam two && echo six > a.txt"
	b.git(t, line)
	b.env.Root, b.env.Person = b.env.Dir, true
	b.env.Environ = append(b.env.Environ, identity...)
	b.env.Sandbox = tools.NewSandbox(tools.SandboxConfig{Mode: tools.SandboxWorkspace, Home: b.env.Home, State: b.env.State, Environ: b.env.Environ})
	t.Cleanup(func() { _ = b.env.Sandbox.Close() })
	if err := shell.Try(t.Context(), b.env); errors.Is(err, tools.ErrUnconfined) {
		t.Skip(err)
	}
	b.env.Agents = func(_ context.Context, _ int, tasks []tools.Task) []tools.Report {
		return make([]tools.Report, len(tasks))
	}
	b.answers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
}

var identity = []string{"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@b.c", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@b.c", "GIT_CONFIG_NOSYSTEM=1"}

// git runs a line of the user's own, outside.
func (b *bench) git(t *testing.T, line string) string {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	command := exec.CommandContext(ctx, "/bin/sh", "-c", line)
	command.Dir, command.WaitDelay = b.env.Dir, time.Second
	command.Env = append([]string{"PATH=/usr/bin:/bin", "HOME=" + b.env.Home}, identity...)
	out, err := command.CombinedOutput()
	if err != nil {
		return fmt.Sprintf("%v: %s", err, out)
	}
	return string(out)
}

// every calls all tools. Tools that work on a repository are called in all ways that matter.
func (b *bench) every(t *testing.T, ended func(tool string)) {
	t.Helper()
	more := map[string][]map[string]any{
		"git_commit":    {{"message": "x", "add_all": true}, {"message": "y", "files": []string{"a.txt"}}},
		"git_checkout":  {{"target": "new", "create_branch": true}, {"target": "old"}},
		"git_diff":      {{"staged": true}, {"path": "a.txt"}},
		"git_log":       {{"oneline": false}},
		"launch_agent":  {{"prompt": "x", "worktree": true}},
		"run_command":   {{"command": "git status; git commit -qam three; rg x; .venv/bin/git; true"}},
		"code_grep":     {{"pattern": "one"}},
		"create_ticket": {{"title": "x"}},
		"tk":            {{"args": "ls"}},
		"tree":          {{}},
	}
	for _, tool := range b.registry.All() {
		for _, given := range append([]map[string]any{nil}, more[tool.Name]...) {
			_, _ = b.call(t.Context(), t, tool, given)
			ended(tool.Name)
		}
	}
}

func TestNoToolRunsAProgramOfTheProject(t *testing.T) {
	t.Parallel()
	for _, control := range []bool{true, false} {
		b, mark, ran := newBench(t), marked{t.TempDir()}, map[string]bool{}
		b.project(t)
		bin := filepath.Join(b.env.Dir, ".venv", "bin")
		if control { // the same programs in the user's own folder
			bin = filepath.Join(t.TempDir(), "bin")
		}
		for _, name := range brings {
			if err := errors.Join(os.MkdirAll(bin, 0o755), disktest.WriteProgram(filepath.Join(bin, name), mark.script(name), 0o755)); err != nil {
				t.Fatal(err)
			}
		}
		b.env.Environ = append(b.env.Environ, "PATH="+bin+":"+b.programs+":/usr/bin:/bin",
			"LD_PRELOAD="+bin+"/git", "BASH_ENV="+bin+"/sh", "GIT_SSH_COMMAND="+bin+"/ssh", "RIPGREP_CONFIG_PATH="+bin+"/rg")
		b.every(t, func(tool string) {
			for _, name := range mark.sprung(t) {
				if ran[name] = true; !control {
					t.Errorf("%s had the project's %s run", tool, name)
				}
			}
		})
		if control && len(ran) < 8 {
			t.Errorf("where they may, only %d of the programs run: %v", len(ran), ran)
		}
	}
}

// repositoryTraps are the traps that a repository can contain, each with the tools that fall into
// it.
var repositoryTraps = map[string]struct {
	config, attributes, hook, plain string
}{
	"fsmonitor":       {config: "core.fsmonitor", plain: "git status"},
	"hooks":           {hook: ".git/hooks/pre-commit", plain: "git commit -qam x"},
	"hooks path":      {config: "core.hooksPath=hooks", hook: "hooks/pre-commit", plain: "git commit -qam x"},
	"post-checkout":   {hook: ".git/hooks/post-checkout", plain: "git checkout -qb x"},
	"index hook":      {hook: ".git/hooks/post-index-change", plain: "git add a.txt"},
	"reference hook":  {hook: ".git/hooks/reference-transaction", plain: "git branch x"},
	"clean":           {config: "filter.x.clean", attributes: "* filter=x", plain: "git status"},
	"smudge":          {config: "filter.x.smudge", attributes: "* filter=x", plain: "git checkout -f -q old"},
	"process":         {config: "filter.x.process", attributes: "* filter=x", plain: "git diff"},
	"textconv":        {config: "diff.x.textconv", attributes: "* diff=x", plain: "git diff"},
	"diff driver":     {config: "diff.x.command", attributes: "* diff=x", plain: "git diff"},
	"external diff":   {config: "diff.external", plain: "git diff"},
	"signer":          {config: "gpg.program", plain: "git commit -S -qam x"},
	"editor":          {config: "core.editor", plain: "git commit -a"},
	"merge driver":    {config: "merge.x.driver", attributes: "* merge=x", plain: "git stash -q; git checkout -q old; echo other > a.txt; git commit -qam o; git merge main"},
	"included":        {config: "include.path=../.gitconfig", plain: "git status"},
	"attributes":      {config: "filter.x.clean", plain: "git status"},
	"bare repository": {plain: "cd bare && git status"},
}

// lay creates traps. Each leaves its mark if it runs outside the sandbox.
func (b *bench) lay(t *testing.T, mark marked, names ...string) {
	t.Helper()
	files := map[string]string{}
	var attributes []string
	for _, name := range names {
		trap, dir := repositoryTraps[name], strings.ReplaceAll(name, " ", "-")
		evil, script := b.env.Dir+"/evil-"+dir, "#!/bin/sh\n/bin/touch '"+mark.dir+"/"+dir+"'\ncat\n"
		files["evil-"+dir] = script
		if trap.hook != "" {
			files[trap.hook] = script
		}
		if trap.attributes != "" {
			attributes = append(attributes, trap.attributes)
		}
		switch name {
		case "included":
			files[".gitconfig"] = "[core]\n\tfsmonitor = " + evil + "\n"
		case "attributes":
			files[".gitattributes"] = "* filter=x\n"
		case "bare repository":
			for _, part := range []string{"objects/x", "refs/x"} {
				files["bare/"+part] = ""
			}
			files["bare/HEAD"] = "ref: refs/heads/x\n"
			files["bare/config"] = "[core]\n\trepositoryformatversion = 0\n\tworktree = .\n\tfsmonitor = " + evil + "\n"
		}
		if trap.config != "" {
			key, value, given := strings.Cut(trap.config, "=")
			if !given {
				value = evil
			}
			b.git(t, "git config "+key+" "+value)
		}
	}
	files[".git/info/attributes"] = strings.Join(attributes, "\n") + "\n"
	for path, content := range files {
		path = filepath.Join(b.env.Dir, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), disktest.WriteProgram(path, []byte(content), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
}

// Traps that do not hide each other are in one repository. The tools are called once for each such
// set, because 18 times would take a minute of CPU time.
var trapsTogether = [][]string{
	{"fsmonitor", "hooks", "post-checkout", "index hook", "reference hook", "clean", "smudge", "textconv", "signer", "editor", "merge driver"},
	{"hooks path", "process", "diff driver", "included", "bare repository"},
	{"external diff", "attributes"},
}

func TestNoToolRunsWhatARepositoryNames(t *testing.T) {
	t.Parallel()
	laid := 0
	for _, names := range trapsTogether {
		laid += len(names)
		t.Run(strings.Join(names, ","), func(t *testing.T) {
			for _, name := range names {
				control, mark := newBench(t), marked{t.TempDir()}
				control.project(t)
				control.lay(t, mark, names...)
				if said := control.git(t, repositoryTraps[name].plain); !slices.Contains(mark.sprung(t), strings.ReplaceAll(name, " ", "-")) {
					t.Fatalf("plain git does not fall into %s, so it proves nothing: %s", name, said)
				}
			}
			b, mark := newBench(t), marked{t.TempDir()}
			b.project(t)
			b.lay(t, mark, names...)
			approvals := []bool{false, true}
			if testing.Short() && !slices.Contains(names, "bare repository") { // the second pass may be in it
				approvals = approvals[1:] // more runs than without approval
			}
			for _, approved := range approvals {
				b.env.Approved = approved
				for _, tool := range b.registry.All() {
					if tool.Access == tools.Free && tool.Pool != tools.Agent && !strings.HasPrefix(tool.Name, "create_ticket") {
						continue // it does not touch the working directory
					}
					_, _ = b.call(t.Context(), t, tool, ofRepository[tool.Name])
					if ran := mark.sprung(t); len(ran) != 0 {
						t.Errorf("%s, approved %v: %v ran", tool.Name, approved, ran)
					}
				}
				b.env.Dir = filepath.Join(b.env.Root, "bare") // where a bare one may be
				if _, err := os.Stat(b.env.Dir); err != nil {
					b.env.Dir = b.env.Root
				}
			}
		})
	}
	if laid != len(repositoryTraps) {
		t.Errorf("%d of %d traps are laid", laid, len(repositoryTraps))
	}
}

// ofRepository lists arguments with which a tool uses the repository.
var ofRepository = map[string]map[string]any{
	"git_commit": {"message": "x", "add_all": true}, "git_checkout": {"target": "old"}, "launch_agent": {"prompt": "x", "worktree": true},
	"run_command": {"command": "git status; git diff; git commit -qam x; git checkout -q main; true"}, "git_log": {"oneline": false},
}

// The user is told at once that a command created another repository.
func TestUserIsNotified(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.project(t)
	step := 0
	command := process(t, func(modeltest.Request) modeltest.Step {
		if step++; step == 1 {
			return modeltest.Calls(modeltest.Call{Name: "run_command", Args: `{"command":"mkdir objects refs; echo 'ref: refs/heads/x' > HEAD; echo x > .git/HEAD"}`})
		}
		return modeltest.Text("done")
	}, "-p", "look", "--working-dir", b.env.Dir)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	if err := command.Run(); err != nil || !strings.Contains(stderr.String(), "Do not run git there outside the sandbox") {
		t.Errorf("%v, %s", err, stderr.String())
	}
}
