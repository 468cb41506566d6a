package jail_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"marvin/persistence/disktest"
	"marvin/tools/internal/gate"
	"marvin/tools/internal/jail"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/toolstest"
)

// ordinary lists everyday work, with the row of docs/sandbox.md that it proves.
var ordinary = []struct{ row, name, needs, line, want string }{
	{"", "files", "", `echo new > new.txt && mkdir -p a/b && mv new.txt a/b/ && ln a/b/new.txt hard && rm -r a && cat hard`, "new\n"},
	{"temporary files", "devices", "", `echo x > /dev/null && head -c 4 /dev/urandom | wc -c && echo out > /dev/stdout && echo err > /dev/stderr`, "4\nout\n"},
	{"temporary files", "temporary files", "", `f=$(mktemp) && echo hi > $f && cat $f && echo two > /tmp/two && cat /tmp/two && echo 3 > /dev/shm/x && cat <<< four`, "hi\ntwo\nfour\n"},
	{"temporary files", "terminals", "script", `script -qec 'tty; echo hello' /dev/null | tail -1 | tr -d '\r'`, "hello\n"},
	{"", "git commit", "git", `git add -A && git commit -qm one && git log --format=%s && git status --short`, "one\n"},
	{"", "git branches", "git", `git add -A && git commit -qm one && git checkout -qb other && echo 2 > main.txt && git commit -qam two && git stash list && git gc -q && git log --format=%s | head -1`, "two\n"},
	{"`go build`", "go test", "go", `printf 'module x\ngo 1.24\n' > go.mod && printf 'package x\nimport ("testing"; "net"; "os")\nfunc TestX(t *testing.T) { l, err := net.Listen("tcp", "127.0.0.1:0"); if err != nil { t.Fatal(err) }; l.Close(); os.WriteFile(t.TempDir()+"/f", nil, 0o600) }\n' > x_test.go && go test ./... 2>&1 | cut -c1-4`, "ok  \n"},
	{"`npm test`", "npm test", "npm", `echo '{"name":"x","version":"1.0.0","scripts":{"test":"node -e \"require(\\\"fs\\\").writeFileSync(\\\"out\\\",\\\"x\\\"); console.log(\\\"fine\\\")\""}}' > package.json && npm test --silent 2>&1 && cat out`, "fine\nx"},
	{"`make`", "make and C", "gcc", `printf 'int main(void){return 0;}\n' > m.c && printf 'm: m.c\n\tgcc -o m m.c\n' > Makefile && make -s && ./m && echo built`, "built\n"},
	{"`pytest`", "python", "python3", `python3 -c 'import tempfile, multiprocessing as m; m.Lock(); print(tempfile.TemporaryFile().write(b"abc"))'`, "3\n"},
	{"`npm test`", "npm ci", "npm", `mkdir dep && echo '{"name":"dep","version":"1.0.0","main":"i.js"}' > dep/package.json && echo 'module.exports = "fine"' > dep/i.js && echo '{"name":"x","version":"1.0.0","dependencies":{"dep":"file:dep"}}' > package.json && npm install --silent --offline --no-audit --no-fund && rm -r node_modules && npm ci --silent --offline --no-audit --no-fund && node -p 'require("dep")'`, "fine\n"},
	{"`pytest`", "a virtual environment", "python3", `python3 -m venv --without-pip .venv && printf 'import sys, unittest\nclass T(unittest.TestCase):\n  def test(self): self.assertIn(".venv", sys.prefix)\n' > test_x.py && . .venv/bin/activate && python -m unittest 2>&1 | tail -1`, "OK\n"},
	{"`pytest`", "pytest", "pytest", `printf 'def test(tmp_path):\n  (tmp_path / "f").write_text("x")\n' > test_x.py && pytest -q 2>&1 | tail -1 | cut -c1-8`, "1 passed\n"},
	{"`cargo build`", "cargo", "cargo", `cargo init -q --vcs none --name x 2>/dev/null && cargo test -q --offline 2>&1 | grep -c 'test result: ok' && cargo run -q --offline`, "1\nHello, world!\n"},
	{"", "git rebase", "git", `git add -A && git commit -qm one && git checkout -qb other && echo 2 > two && git add -A && git commit -qm two && git checkout -q main && echo 3 > three && git add -A && git commit -qm three && git checkout -q other && git rebase -q main && git log --format=%s | head -2`, "two\nthree\n"},
	{"", "git stash", "git", `git add -A && git commit -qm one && echo 2 > main.txt && git stash -q && git stash pop -q && git diff --stat | tail -1 | cut -c1-15`, " 1 file changed\n"},
	{"", "local network", "", `getent hosts localhost >/dev/null; ls /sys/class/net | grep -c lo`, "1\n"},
}

func TestOrdinaryWorkInside(t *testing.T) {
	if os.Getuid() == 0 && os.Getenv("ORDINARY") == "" {
		t.Run("ordinary user", func(t *testing.T) { t.Parallel(); asAUser(t) })
	}
	modes := []jail.Mode{jail.Workspace, jail.Strict}
	ordinaryUser := os.Getuid() != 0
	if testing.Short() && ordinaryUser {
		modes = modes[1:]
	} else if testing.Short() {
		modes = modes[:1]
	}
	inHalves := testing.Short() && (!ordinaryUser || os.Getenv("ORDINARY") != "") // root starts a second process
	for n, work := range ordinary {
		if inHalves && work.needs != "go" && work.needs != "cargo" && (n%2 == 0) == ordinaryUser {
			continue // each work once: in workspace mode as root, or in strict mode as an ordinary user
		}
		for _, mode := range modes {
			t.Run(work.name+"/"+string(mode), func(t *testing.T) {
				t.Parallel()
				if _, err := exec.LookPath(work.needs); work.needs != "" && err != nil {
					t.Skip(err)
				}
				if work.needs == "go" && (mode == jail.Strict || os.Getenv("ORDINARY") != "") {
					t.Skip("it works, but builds the standard library again: 40 s")
				}
				p := newPlace(t, mode)
				if strings.HasPrefix(work.name, "git") {
					p.run(t, false, "git init -q -b main")
				}
				line := work.line
				if home, err := os.UserHomeDir(); err == nil && work.needs == "cargo" {
					line = "export RUSTUP_HOME=" + home + "/.rustup; " + line // the compiler of rustup's cargo is there
					if p.run(t, false, strings.Replace(line, work.line, "cargo --version", 1)).ExitCode != 0 {
						t.Skip("cargo does not run with another home")
					}
				}
				result := p.run(t, true, line)
				if result.ExitCode != 0 || result.Stdout.Text() != work.want {
					t.Errorf("exit code %d: %q\n%s", result.ExitCode, result.Stdout.Text(), result.Stderr.Text())
				}
			})
		}
	}
}

// somebody is the number of an ordinary user. It is not 65534, which the kernel also shows for
// unmapped users.
const somebody = 1000

// asAUser runs the same tests as an ordinary user.
func asAUser(t *testing.T) {
	dir := toolstest.DirOf(t, somebody)
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "jail.test")
	if err := disktest.WriteProgram(binary, self, 0o755); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), binary, "-test.run=^TestOrdinaryWorkInside$", "-test.v", fmt.Sprint("-test.short=", testing.Short()))
	command.Dir = dir
	command.Env = []string{"ORDINARY=1", "PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir}
	command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: somebody, Gid: somebody}}
	out, err := command.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestOrdinaryWorkInside") {
		t.Errorf("%v\n%s", err, out)
	}
}

// Each row of the documented table is proved by work in the list, or by a test named here.
func TestTheTableOfBuilding(t *testing.T) {
	page, err := os.ReadFile("../../../docs/sandbox.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## Building and testing\n")
	section, _, _ = strings.Cut(section, "\n## ")
	held := map[string]bool{
		"ending a server":              true, // TestProcessesOutsideAreLeftAlone
		"a private registry":           true, // TestKeysAreHidden and the hosts of hidden_linux_test.go
		"`git push`, `git fetch`":      true, // the table of git above it, by tools/git
		"`curl`, `git clone` or `ssh`": true, // tools/internal/permit/command/testdata/sends.txt, and the attack g09-secret-by-a-command
	}
	for _, work := range ordinary {
		held[work.row] = work.row != ""
	}
	rows := 0
	for line := range strings.Lines(section) {
		work, isRow := strings.CutPrefix(line, "| ")
		if !isRow || strings.HasPrefix(work, "work |") {
			continue
		}
		found := false
		for row := range held {
			if row != "" && strings.HasPrefix(work, row) {
				found = true
				delete(held, row)
			}
		}
		if rows++; !found {
			t.Errorf("nothing tries: %s", line)
		}
	}
	delete(held, "")
	if rows == 0 || len(held) > 0 {
		t.Errorf("%d rows; the table lacks %v", rows, held)
	}
}

func TestGitWorksInSubdirectoriesAndWorktrees(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	p.run(t, false, `git init -q -b main && mkdir sub && echo 1 > sub/f && git add -A && git commit -qm one && git worktree add -q ../tree && git worktree add -q ../other`)
	for _, root := range []string{p.root + "/sub", p.home + "/tree"} {
		q := *p
		q.root = root
		result := q.run(t, true, `echo 2 >> f && git add -A && git commit -qm two && git log --format=%s | head -1; git config x.y evil; echo evil > "$(git rev-parse --git-path hooks)/pre-commit"; echo "gitdir: evil" > .git; true`)
		if result.Stdout.Text() != "two\n" {
			t.Errorf("%s: %s%s", root, result.Stdout.Text(), result.Stderr.Text())
		}
	}
	if hook := p.root + "/.git/hooks/pre-commit"; exists(hook) || strings.Contains(content(p.root+"/.git/config"), "evil") || strings.Contains(content(p.home+"/tree/.git"), "evil") {
		t.Error("the configuration was written to")
	}
	for _, rest := range []string{"/sub/.git", "/.git/commondir", "/.git/worktrees/tree/config.worktree"} {
		if exists(p.root + rest) {
			t.Errorf("%s was left behind", rest)
		}
	}
}

// In a linked worktree a command can change neither other worktrees, including later ones, nor its
// own submodules, whose configuration the user's git status reads.
func TestALinkedWorktreeLeavesOthersAndSubmodulesAlone(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	p.run(t, false, `set -e; git init -q ../lib && git -C ../lib commit -q --allow-empty -m one; git init -q -b main; git -c protocol.file.allow=always submodule --quiet add ../lib mod; git commit -qam one
git worktree add -q ../tree; cd ../tree; git -c protocol.file.allow=always submodule --quiet update --init 2>/dev/null`)
	q, git := *p, p.root+"/.git/worktrees"
	q.root = p.home + "/tree"
	q.run(t, true, "true")
	p.run(t, false, "git worktree add -q ../later") // after the sandbox was made
	config := content(git + "/tree/modules/mod/config")
	if !strings.Contains(config, "worktree") {
		t.Fatalf("there is no submodule: %s", config)
	}
	result := q.run(t, true, `cd "$HOME/project/.git/worktrees"; mkdir evil; echo evil > later/commondir; echo evil > later/config.worktree; mkdir -p tree/modules/new tree/modules/mod/hooks
echo evil >> tree/modules/mod/config; echo evil > tree/modules/mod/hooks/pre-commit; mv tree away; cd ~/tree; echo 1 > f; git add f && git commit -qm two && git log --format=%s | head -1`)
	if result.Stdout.Text() != "two\n" {
		t.Errorf("committing: %s%s", result.Stdout.Text(), result.Stderr.Text())
	}
	if content(git+"/tree/modules/mod/config") != config || exists(git+"/tree/modules/mod/hooks/pre-commit") || exists(git+"/tree/modules/new") {
		t.Error("a submodule of the worktree was changed")
	}
	if exists(git+"/evil") || strings.Contains(content(git+"/later/commondir"), "evil") || exists(git+"/later/config.worktree") {
		t.Error("another worktree was made or changed")
	}
}

// A command can work in a submodule, but cannot change the programs that git runs in it, from there
// or from the repository around it.
func TestSubmodulesAreWorkedOnAndNotConfigured(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	p.run(t, false, `set -e; git init -q -b main ../lib && cd ../lib && echo 1 > f && git add -A && git commit -qm one && cd "$HOME/project" && git init -q -b main &&
git -c protocol.file.allow=always submodule --quiet add ../lib mod 2>/dev/null && git commit -qam added`)
	private := p.root + "/.git/modules/mod"
	before := content(private + "/config")
	if !strings.Contains(before, "worktree") {
		t.Fatalf("there is no submodule: %s", before)
	}
	evil := `for git in "$HOME/project/.git/modules/mod" "$HOME/project/.git"; do echo evil >> $git/config; mkdir -p $git/hooks; echo evil > $git/hooks/pre-commit; echo evil > $git/commondir; mkdir -p $git/modules/new; mv $git $git.away; done; `
	for _, root := range []string{p.root, p.root + "/mod"} {
		q := *p
		q.root = root
		result := q.run(t, true, evil+`echo 2 >> f && git add f && git commit -qm two && git log --format=%s | head -1`)
		if result.Stdout.Text() != "two\n" {
			t.Errorf("committing in %s: %s%s", root, result.Stdout.Text(), result.Stderr.Text())
		}
		if content(private+"/config") != before || strings.Contains(content(p.root+"/.git/config"), "evil") || exists(private+"/hooks/pre-commit") || exists(p.root+"/.git/hooks/pre-commit") || exists(p.root+"/.git/modules/new") {
			t.Errorf("from %s what git runs was changed", root)
		}
		if exists(private+"/commondir") || exists(p.root+"/.git/commondir") {
			t.Errorf("after a command in %s there is a commondir", root)
		}
	}
}

// A .git file that points to a repository grants nothing unless that repository points back.
func TestAPointerToAnothersRepositoryGrantsNothing(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	p.run(t, false, `git init -q -b main ../other && git -C ../other config core.worktree "$HOME/elsewhere" && mkdir -p ../elsewhere && echo "gitdir: ../other/.git" > .git`)
	p.run(t, true, `echo evil > ../other/.git/written; echo evil >> ../other/.git/config`)
	if exists(p.home+"/other/.git/written") || strings.Contains(content(p.home+"/other/.git/config"), "evil") {
		t.Error("another repository was written to")
	}
}

// Below the top of a worktree, git first looks for a repository in the present directory.
func TestNoRepositoryIsMadeBelowTheTopOfAWorktree(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	p.run(t, false, `git init -q -b main && mkdir sub && echo 1 > sub/f && git add -A && git commit -qm one && git worktree add -q ../tree`)
	p.root = p.home + "/tree/sub"
	result := p.run(t, true, `git init -q . ; git config core.fsmonitor evil; mkdir .git; echo evil > .git/config; echo "gitdir: evil" > .git; echo 2 >> f; cd $HOME/tree/sub; git add -A && git commit -qm two && git log --format=%s | head -1`)
	if found, _, _ := strings.Cut(content(p.root+"/.git")+content(p.root+"/.git/config"), "\n"); found != "" || exists(p.root+"/.git") {
		t.Errorf("there is a repository now: %q", found)
	}
	if result.Stdout.Text() != "two\n" {
		t.Errorf("committing there: %s%s", result.Stdout.Text(), result.Stderr.Text())
	}
}

// The next command sees a repository that the user created meanwhile.
func TestARepositoryMadeMeanwhile(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	p.run(t, true, "true")
	p.run(t, false, "git init -q -b main")
	if result := p.run(t, true, `git add -A && git commit -qm one && git log --format=%s; git config x.y evil`); result.Stdout.Text() != "one\n" || strings.Contains(content(p.root+"/.git/config"), "evil") {
		t.Errorf("%s%s", result.Stdout.Text(), result.Stderr.Text())
	}
}

// BenchmarkCommand measures the cost of a jail: the minimum of all runs, because other load
// distorts the mean.
func BenchmarkCommand(b *testing.B) {
	for _, name := range []string{"off", "workspace", "strict", "hosts"} {
		b.Run(name, func(b *testing.B) {
			mode := jail.Mode(name)
			if name == "hosts" {
				mode = jail.Workspace
			}
			root := b.TempDir()
			keeper := jail.NewKeeper(jail.Config{Mode: mode, Home: os.Getenv("HOME"), Environ: os.Environ()})
			defer keeper.Close()
			command := proc.Command{Name: "true", Dir: root, Environ: os.Environ()}
			if mode != jail.Off {
				cell, err := keeper.Jail(root)
				if err != nil {
					b.Fatal(err)
				}
				command.Jail = cell
			}
			least := time.Hour
			for b.Loop() {
				if name == "hosts" {
					command.Jail = command.Jail.WithNetwork(gate.NewWay(nil))
				}
				begun := time.Now()
				if _, err := proc.Run(b.Context(), command); err != nil {
					b.Skip(err)
				}
				least = min(least, time.Since(begun))
			}
			b.ReportMetric(float64(least.Microseconds()), "µs-least/op")
		})
	}
}
