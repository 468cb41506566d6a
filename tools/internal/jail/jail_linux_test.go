package jail_test

import (
	stdcontext "context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"marvin/tools/internal/jail"
	"marvin/tools/internal/proc"
)

func context() stdcontext.Context { return stdcontext.Background() }

// place is a home with a project in it, and something outside that must stay as it is.
type place struct {
	base, home, root, state string
	environ                 []string
	keeper                  *jail.Keeper
}

func newPlace(t *testing.T, mode jail.Mode) *place {
	t.Helper()
	base := t.TempDir()
	p := &place{base: base, home: base + "/home", root: base + "/home/project", state: base + "/home/.config/local-finder"}
	for path, content := range map[string]string{
		"home/project/main.txt":                 "mine\n",
		"home/.bashrc":                          "# rc\n",
		"home/.ssh/id_ed25519":                  "ssh key\n",
		"home/.ssh/GEMINI_API_KEY":              "canary-key\n",
		"home/.config/local-finder/tokens.json": "canary-token\n",
		"outside.txt":                           "outside\n",
		"run/keep":                              "",
	} {
		path = filepath.Join(base, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(base+"/victim", 0o755); err != nil {
		t.Fatal(err)
	}
	p.environ = append(os.Environ(), "HOME="+p.home, "BASE="+base, "SELF="+self(t), "OUT="+itoa(os.Getpid()), "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_AUTHOR_NAME=n", "GIT_AUTHOR_EMAIL=e", "GIT_COMMITTER_NAME=n", "GIT_COMMITTER_EMAIL=e", "XDG_RUNTIME_DIR="+base+"/run", "GOFLAGS=-mod=mod", "GOTOOLCHAIN=local")
	if cache, err := os.UserCacheDir(); err == nil { // a warm cache, outside the home of the test
		p.environ = append(p.environ, "GOCACHE="+cache+"/go-build")
	}
	p.keeper = jail.NewKeeper(jail.Config{Mode: mode, Home: p.home, State: p.state, Environ: p.environ})
	t.Cleanup(func() {
		if err := p.keeper.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// self is this binary, at a place that the jail shows.
func self(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "attacker") // the same directory below /tmp as the place
	if err := os.Link(os.Args[0], path); err != nil {
		content, err := os.ReadFile(os.Args[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func itoa(n int) string { return strconv.Itoa(n) }

// run runs a line in the project, in the jail or outside it.
func (p *place) run(t *testing.T, inside bool, line string) proc.Result {
	t.Helper()
	command := proc.Command{Shell: line, Dir: p.root, Environ: p.environ}
	if inside {
		cell, err := p.keeper.Jail(p.root)
		if err != nil {
			t.Fatal(err)
		}
		command.Jail = cell
	}
	ctx, stop := stdcontext.WithTimeout(t.Context(), time.Minute)
	defer stop()
	result, err := proc.Run(ctx, command)
	if errors.Is(err, jail.ErrMissing) && os.Getenv("MARVIN_JAIL_MUST") == "" {
		t.Skip("this system has no complete sandbox:", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func content(path string) string {
	data, _ := os.ReadFile(path)
	return string(data)
}

// escapes is the list of issue 7: each line gets out where nothing holds it, and not
// where the jail does.
var escapes = []struct {
	name, line string
	mode       jail.Mode
	prepare    string                    // a line that runs before, outside
	out        func(*place, string) bool // whether it got out, by the disk and stdout
}{
	{name: "write outside", line: `echo x >> $BASE/outside.txt`, out: changed},
	{name: "write by relative path", line: `echo x >> ../../outside.txt`, out: changed},
	{name: "truncate outside", line: `truncate -s 0 $BASE/outside.txt`, out: changed},
	{name: "truncate by opening", line: `: > $BASE/outside.txt`, out: changed},
	{name: "remove outside", line: `rm $BASE/outside.txt`, out: changed},
	{name: "rename into the project", line: `mv $BASE/outside.txt .`, out: changed},
	{name: "rename over it", line: `mv main.txt $BASE/outside.txt`, out: changed},
	{name: "symbolic link", line: `ln -s $BASE/outside.txt link; echo x >> link`, out: changed},
	{name: "chain of links", line: `ln -s $BASE a; ln -s a b; ln -s b/outside.txt c; echo x >> c`, out: changed},
	{name: "hard link", line: `ln $BASE/outside.txt hard && echo x >> hard`, out: changed},
	{name: "/proc/self/root", line: `echo x >> /proc/self/root$BASE/outside.txt`, out: changed},
	{name: "/proc/PID/root", line: `echo x >> /proc/$OUT/root$BASE/outside.txt`, out: changed},
	{name: "/proc/PID/cwd", line: `cd /proc/$OUT/cwd && echo x >> $BASE/outside.txt`, out: changed},
	{name: "symlink swap, 100,000 times", line: `$SELF attack swap $BASE/victim`, out: func(p *place, _ string) bool {
		return content(p.base+"/victim") != "" || exists(p.base+"/victim/swapped")
	}},
	{name: "keys from the environment of Marvin", line: `tr '\0' '\n' < /proc/$OUT/environ`, out: printed("PATH=")},
	{name: "memory of Marvin", line: `$SELF attack memory $OUT`, out: printed("ESCAPED")},
	{name: "key file", line: `cat ~/.ssh/GEMINI_API_KEY`, out: printed("canary")},
	{name: "key file through /proc", line: `cat /proc/self/root$HOME/.ssh/GEMINI_API_KEY`, out: printed("canary")},
	{name: "Marvin's state, reading", line: `cat ~/.config/local-finder/tokens.json`, out: printed("canary")},
	{name: "Marvin's state, writing", line: `echo x > ~/.config/local-finder/config.yaml`, out: exist("home/.config/local-finder/config.yaml")},
	{name: "Marvin's state, moving", line: `mv ~/.config ~/.other`, out: exist("home/.other")},
	{name: "shell file", line: `echo x >> ~/.bashrc`, out: func(p *place, _ string) bool { return content(p.home+"/.bashrc") != "# rc\n" }},
	{name: "absent shell file", line: `echo x > ~/.profile`, out: exist("home/.profile")},
	{name: "ssh", line: `echo x > ~/.ssh/authorized_keys`, out: exist("home/.ssh/authorized_keys")},
	{name: "program on the path", line: `mkdir -p ~/.local/bin && cp /bin/true ~/.local/bin/ls`, out: exist("home/.local/bin/ls")},
	{name: "autostart", line: `mkdir -p ~/.config/autostart && echo x > ~/.config/autostart/x.desktop`, out: exist("home/.config/autostart/x.desktop")},
	{name: "ptrace", line: `$SELF attack ptrace`, out: printed("ESCAPED")},
	{name: "io_uring", line: `$SELF attack io_uring`, out: printed("ESCAPED")},
	{name: "raw sockets", line: `$SELF attack raw`, out: printed("ESCAPED")},
	{name: "new namespaces", line: `$SELF attack namespace`, out: printed("ESCAPED")},
	{name: "clone3", line: `$SELF attack clone3`, out: printed("ESCAPED")},
	{name: "socket in the run directory", line: `$SELF attack unix $BASE/run/socket`, out: printed("ESCAPED")},
	{name: "abstract socket", line: `$SELF attack unix $ABSTRACT`, out: printed("ESCAPED")},
	{name: "/dev/tcp", mode: jail.Strict, line: `echo hello > /dev/tcp/127.0.0.1/$PORT && echo ESCAPED`, out: printed("ESCAPED")},
	{name: "curl", mode: jail.Strict, line: `curl -s -m 1 -o /dev/null http://127.0.0.1:$PORT; test $? = 28 && echo ESCAPED`, out: printed("ESCAPED")},
	{name: "signal", mode: jail.Strict, line: `kill -0 $OUT && echo ESCAPED`, out: printed("ESCAPED")},
	{name: "cache of builds", mode: jail.Strict, line: `echo x > $BASE/home/.npm/x`, prepare: `mkdir ~/.npm`, out: exist("home/.npm/x")},

	{name: ".git/config", prepare: "git init -q", line: `git config core.fsmonitor evil`, out: inFile(".git/config", "evil")},
	{name: ".git/config by writing", prepare: "git init -q", line: `echo evil >> .git/config`, out: inFile(".git/config", "evil")},
	{name: ".git/config by renaming over it", prepare: "git init -q", line: `echo evil > .git/x; mv -f .git/x .git/config`, out: inFile(".git/config", "evil")},
	{name: ".git/config by a hard link", prepare: "git init -q", line: `ln .git/config c && echo evil >> c`, out: inFile(".git/config", "evil")},
	{name: ".git/hooks", prepare: "git init -q", line: `echo evil > .git/hooks/pre-commit`, out: inFile(".git/hooks/pre-commit", "evil")},
	{name: ".git/hooks by moving them", prepare: "git init -q", line: `mv .git/hooks .git/h2 && mkdir .git/hooks && echo evil > .git/hooks/pre-commit`, out: inFile(".git/hooks/pre-commit", "evil")},
	{name: "absent .git/hooks", prepare: "git init -q; rm -r .git/hooks", line: `mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit`, out: inFile(".git/hooks/pre-commit", "evil")},
	{name: ".git moved away", prepare: "git init -q", line: `mv .git .git2 && git init -q && echo evil >> .git/config`, out: inFile(".git/config", "evil")},
	{name: ".git/commondir", prepare: "git init -q", line: `mkdir evil; echo ../evil > .git/commondir`, out: inFile(".git/commondir", "evil")},
	{name: "absent .git", line: `mkdir -p .git; echo evil >> .git/config`, out: inFile(".git/config", "evil")},
	{name: "absent .git as a file", line: `rm -rf .git; echo "gitdir: evil" > .git`, out: inFile(".git", "evil")},
	{name: "absent .git by renaming", line: `mkdir g; echo evil > g/config; rmdir .git 2>/dev/null; mv -T g .git`, out: inFile(".git/config", "evil")},
	{name: "absent .git by git init", line: `git init -q; git config core.pager evil`, out: inFile(".git/config", "evil")},
}

func changed(p *place, _ string) bool { return content(p.base+"/outside.txt") != "outside\n" }

func exists(path string) bool { _, err := os.Lstat(path); return err == nil }

func exist(path string) func(*place, string) bool {
	return func(p *place, _ string) bool { return exists(filepath.Join(p.base, path)) }
}

func printed(text string) func(*place, string) bool {
	return func(_ *place, stdout string) bool { return strings.Contains(stdout, text) }
}

func inFile(path, text string) func(*place, string) bool {
	return func(p *place, _ string) bool { return strings.Contains(content(filepath.Join(p.root, path)), text) }
}

func TestS4EscapesFailInsideAndWorkOutside(t *testing.T) {
	for _, escape := range escapes {
		t.Run(escape.name, func(t *testing.T) {
			t.Parallel()
			for _, inside := range []bool{true, false} {
				p := newPlace(t, escape.mode)
				p.listen(t)
				if escape.prepare != "" {
					p.run(t, false, escape.prepare)
				}
				result := p.run(t, inside, escape.line)
				out := escape.out(p, result.Stdout.Text())
				said := result.Stdout.Text() + result.Stderr.Text()
				switch {
				case inside && out:
					t.Fatalf("it got out: %s", said)
				case !inside && !out:
					if strings.Contains(said, "not permitted") || strings.Contains(said, "not implemented") || strings.Contains(strings.ToLower(said), "permission denied") {
						t.Skipf("this system itself forbids it: %s", said)
					}
					t.Fatalf("the control run did not get out, so the test shows nothing: %s", said)
				}
			}
		})
	}
}

// listen opens what a command could speak to, outside.
func (p *place) listen(t *testing.T) {
	t.Helper()
	for _, one := range [][2]string{{"tcp", "127.0.0.1:0"}, {"unix", p.base + "/run/socket"}, {"unix", "@marvin-test-" + strings.ReplaceAll(p.base, "/", "-")}} {
		listener, err := net.Listen(one[0], one[1])
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { listener.Close() })
		if one[0] == "tcp" {
			p.environ = append(p.environ, "PORT="+itoa(listener.Addr().(*net.TCPAddr).Port))
		}
		if strings.HasPrefix(one[1], "@") {
			p.environ = append(p.environ, "ABSTRACT="+one[1])
		}
	}
}

func TestS4SetuidProgramsGainNothing(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can make the program")
	}
	for _, inside := range []bool{true, false} {
		p := newPlace(t, jail.Workspace)
		id, err := exec.LookPath("id")
		if err != nil {
			t.Skip(err)
		}
		program := p.base + "/raise"
		data, err := os.ReadFile(id)
		if err := errors.Join(err, os.WriteFile(program, data, 0o755), os.Chown(program, 4711, 4711), os.Chmod(program, 0o4755|os.ModeSetuid)); err != nil {
			t.Fatal(err)
		}
		said := p.run(t, inside, program+" -u").Stdout.Text()
		if raised := strings.TrimSpace(said) == "4711"; raised == inside {
			t.Errorf("inside %v: the program runs as %s", inside, said)
		}
	}
}

func TestS4TheFilterRefusesEveryCallOnItsList(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	if result := p.run(t, true, `$SELF attack calls`); result.Stdout.Text() != "ALL REFUSED\n" {
		t.Errorf("%s%s", result.Stdout.Text(), result.Stderr.Text())
	}
	if result := p.run(t, true, `$SELF attack terminal`); result.ExitCode == 0 || !strings.Contains(result.Stderr.Text(), "not permitted") {
		t.Errorf("TIOCSTI: %s%s", result.Stdout.Text(), result.Stderr.Text())
	}
	status := p.run(t, true, `grep -E "^(NoNewPrivs|Seccomp|CapAmb):" /proc/self/status; grep CapEff /proc/self/status`).Stdout.Text()
	for _, want := range []string{"NoNewPrivs:\t1", "Seccomp:\t2", "CapAmb:\t0000000000000000"} {
		if !strings.Contains(status, want) {
			t.Errorf("no %q in\n%s", want, status)
		}
	}
}

// A system that lacks a layer gets no command at all, and is told which.
func TestS4AMissingLayerIsNamedAndNothingRuns(t *testing.T) {
	for layer, want := range map[string]string{"landlock": "Landlock", "mounts": "private mounts", "seccomp": "seccomp"} {
		p := newPlace(t, jail.Workspace)
		result := p.run(t, false, "$SELF attack without "+layer+" $PWD")
		if strings.Contains(result.Stdout.Text(), "RAN") || !strings.Contains(result.Stdout.Text(), "MISSING") || !strings.Contains(result.Stderr.Text(), want) {
			t.Errorf("without %s: %s%s", layer, result.Stdout.Text(), result.Stderr.Text())
		}
	}
	p := newPlace(t, jail.Workspace)
	result := p.run(t, true, "$SELF attack nested $PWD") // the outer jail makes no second one
	if strings.Contains(result.Stdout.Text(), "RAN") || !strings.Contains(result.Stdout.Text(), "MISSING") {
		t.Errorf("nested: %s%s", result.Stdout.Text(), result.Stderr.Text())
	}
}

// What people do all day works inside.
func TestOrdinaryWorkInside(t *testing.T) {
	for _, work := range []struct{ name, needs, line, want string }{
		{"files", "", `echo new > new.txt && mkdir -p a/b && mv new.txt a/b/ && ln a/b/new.txt hard && rm -r a && cat hard`, "new\n"},
		{"devices", "", `echo x > /dev/null && head -c 4 /dev/urandom | wc -c && echo out > /dev/stdout && echo err > /dev/stderr`, "4\nout\n"},
		{"temporary files", "", `f=$(mktemp) && echo hi > $f && cat $f && echo two > /tmp/two && cat /tmp/two && echo 3 > /dev/shm/x && cat <<< four`, "hi\ntwo\nfour\n"},
		{"terminals", "script", `script -qec 'tty; echo hello' /dev/null | tail -1 | tr -d '\r'`, "hello\n"},
		{"git commit", "git", `git add -A && git commit -qm one && git log --format=%s && git status --short`, "one\n"},
		{"git branches", "git", `git add -A && git commit -qm one && git checkout -qb other && echo 2 > main.txt && git commit -qam two && git stash list && git gc -q && git log --format=%s | head -1`, "two\n"},
		{"go test", "go", `printf 'module x\ngo 1.24\n' > go.mod && printf 'package x\nimport ("testing"; "net"; "os")\nfunc TestX(t *testing.T) { l, err := net.Listen("tcp", "127.0.0.1:0"); if err != nil { t.Fatal(err) }; l.Close(); os.WriteFile(t.TempDir()+"/f", nil, 0o600) }\n' > x_test.go && go test ./... 2>&1 | cut -c1-4`, "ok  \n"},
		{"npm test", "npm", `echo '{"name":"x","version":"1.0.0","scripts":{"test":"node -e \"require(\\\"fs\\\").writeFileSync(\\\"out\\\",\\\"x\\\"); console.log(\\\"fine\\\")\""}}' > package.json && npm test --silent 2>&1 && cat out`, "fine\nx"},
		{"make and C", "gcc", `printf 'int main(void){return 0;}\n' > m.c && gcc -o m m.c && ./m && echo built`, "built\n"},
		{"python", "python3", `python3 -c 'import tempfile, multiprocessing as m; m.Lock(); print(tempfile.TemporaryFile().write(b"abc"))'`, "3\n"},
		{"local network", "", `getent hosts localhost >/dev/null; ls /sys/class/net | grep -c lo`, "1\n"},
	} {
		for _, mode := range []jail.Mode{jail.Workspace, jail.Strict} {
			t.Run(work.name+"/"+string(mode), func(t *testing.T) {
				t.Parallel()
				if _, err := exec.LookPath(work.needs); work.needs != "" && err != nil {
					t.Skip(err)
				}
				if work.needs == "go" && mode == jail.Strict {
					t.Skip("it works, but builds the standard library anew: 40 s")
				}
				p := newPlace(t, mode)
				if strings.HasPrefix(work.name, "git") {
					p.run(t, false, "git init -q -b main")
				}
				result := p.run(t, true, work.line)
				if result.ExitCode != 0 || result.Stdout.Text() != work.want {
					t.Errorf("exit code %d: %q\n%s", result.ExitCode, result.Stdout.Text(), result.Stderr.Text())
				}
			})
		}
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

// A .git file that points to somebody's files makes them no part of the project.
func TestS3AGitFileGrantsNothing(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	for _, target := range []string{p.base + "/victim", p.home, "../../victim"} {
		if err := os.WriteFile(p.root+"/.git", []byte("gitdir: "+target+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		p.keeper = jail.NewKeeper(jail.Config{Home: p.home, State: p.state, Environ: p.environ})
		p.run(t, true, `echo x > $BASE/victim/x; echo x > ~/.profile`)
		if exists(p.base+"/victim/x") || exists(p.home+"/.profile") {
			t.Errorf("gitdir: %s gave the right to write there", target)
		}
		if err := p.keeper.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// The root stays what it was, wherever a command begins.
func TestS3TheDirectoryOfACommandIsNoRoot(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	cell, err := p.keeper.Jail(p.root)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"/", p.home, p.base} {
		_, err := proc.Run(t.Context(), proc.Command{Shell: `echo x > "$BASE/outside.txt"; echo x > "$HOME/.profile"; echo x > ./x`, Dir: dir, Environ: p.environ, Jail: cell})
		if errors.Is(err, jail.ErrMissing) {
			t.Skip(err)
		}
		if err != nil || changed(p, "") || exists(p.home+"/.profile") || exists(p.base+"/x") || exists("/x") {
			t.Errorf("in %s it could write: %v", dir, err)
		}
	}
}

func TestPlacesThatNoJailHolds(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	link := p.home + "/linked"
	if err := errors.Join(os.Mkdir(link, 0o755), os.Symlink(p.base, link+"/.git")); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{"/", p.base, p.state, p.home + "/.ssh", link, "", "relative", p.base + "/absent"} {
		if _, err := p.keeper.Jail(root); !errors.Is(err, jail.ErrPlace) {
			t.Errorf("%q: %v", root, err)
		}
	}
}

// In the home directory itself its visible parts are writable, and nothing can be made.
func TestTheHomeDirectoryAsRoot(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	p.root = p.home
	p.run(t, true, `echo 2 >> project/main.txt; echo x > .profile; echo x >> .bashrc; mkdir -p .config/autostart; mkdir .git bin; mv .ssh x; echo x > new`)
	if content(p.home+"/project/main.txt") != "mine\n2\n" {
		t.Error("the visible directory is not writable")
	}
	for _, path := range []string{".profile", ".config/autostart", ".git", "bin", "x", "new"} {
		if exists(p.home + "/" + path) {
			t.Errorf("%s was made", path)
		}
	}
	if content(p.home+"/.bashrc") != "# rc\n" {
		t.Error(".bashrc was changed")
	}
}

// What is made for absent names goes with the last command, and stays for a server.
func TestAbsentNamesComeAndGo(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	p.run(t, true, `test -d .git`)
	if exists(p.root + "/.git") {
		t.Error(".git was left behind")
	}
	result := p.run(t, true, `sleep 60 >/dev/null 2>&1 & echo $!`)
	if len(result.Left) != 1 || !exists(p.root+"/.git") {
		t.Errorf("with %v left running, .git exists: %v", result.Left, exists(p.root+"/.git"))
	}
	// A later command ends the server: a process of another jail of the same Marvin.
	stopped := p.run(t, true, "kill "+strings.TrimSpace(result.Stdout.Text()))
	if stopped.ExitCode != 0 {
		t.Errorf("the server could not be ended: %s", stopped.Stderr.Text())
		syscall.Kill(result.Left[0].PID, syscall.SIGKILL)
	}
	p.run(t, false, `rmdir .git`)
}

// A repository that the user makes meanwhile is one for the next command.
func TestARepositoryMadeMeanwhile(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	p.run(t, true, "true")
	p.run(t, false, "git init -q -b main")
	if result := p.run(t, true, `git add -A && git commit -qm one && git log --format=%s; git config x.y evil`); result.Stdout.Text() != "one\n" || strings.Contains(content(p.root+"/.git/config"), "evil") {
		t.Errorf("%s%s", result.Stdout.Text(), result.Stderr.Text())
	}
}

// A directory that cannot be written to needs no names made in it.
func TestAReadOnlyDirectory(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root writes everywhere; TestAsAnOrdinaryUser runs it")
	}
	p := newPlace(t, jail.Workspace)
	if err := os.Chmod(p.root, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(p.root, 0o755)
	if result := p.run(t, true, `cat main.txt; mkdir .git 2>/dev/null || echo no`); result.Stdout.Text() != "mine\nno\n" {
		t.Errorf("%s%s", result.Stdout.Text(), result.Stderr.Text())
	}
}

func TestTwoMarvinsInOneDirectory(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	q := *p
	q.keeper = jail.NewKeeper(jail.Config{Home: p.home, State: p.state, Environ: p.environ})
	defer q.keeper.Close()
	begun, over := make(chan struct{}), make(chan proc.Result)
	go func() {
		<-begun
		over <- p.run(t, true, `for i in $(seq 300); do test -e go && break; sleep 0.02; done; rm -rf .git; mkdir .git; echo evil > .git/config`)
	}()
	close(begun)
	for range 20 { // the names must not go with a command of another Marvin
		q.run(t, true, "true")
	}
	if err := os.WriteFile(p.root+"/go", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	<-over
	if content(p.root+"/.git/config") != "" || exists(p.root+"/.git") {
		t.Errorf(".git was made, or left: %q", content(p.root+"/.git/config"))
	}
}

// The private directory of a killed Marvin goes with the next start.
func TestPrivateDirectoriesDoNotPileUp(t *testing.T) {
	in := t.TempDir()
	if err := errors.Join(os.MkdirAll(in+"/marvin-sandbox-dead/tmp/x", 0o700), os.WriteFile(in+"/marvin-sandbox-dead/lock", nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	var keepers []*jail.Keeper
	for range 3 {
		keeper := jail.NewKeeper(jail.Config{Temp: in})
		if _, err := keeper.Jail(root); err != nil {
			t.Fatal(err)
		}
		keepers = append(keepers, keeper)
	}
	if left, _ := os.ReadDir(in); len(left) != 3 {
		t.Errorf("%d directories for 3 that run: %v", len(left), left)
	}
	for _, keeper := range keepers {
		if err := keeper.Close(); err != nil {
			t.Error(err)
		}
	}
	if left, _ := os.ReadDir(in); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestAsAnOrdinaryUser runs the others without root, who needs a user namespace.
func TestAsAnOrdinaryUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("they run as an ordinary user already")
	}
	base, err := os.MkdirTemp("/var/tmp", "jail-user-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(base)
	const user = 4711
	data, err := os.ReadFile(os.Args[0])
	if err := errors.Join(err, os.Chmod(base, 0o755), os.WriteFile(base+"/jail.test", data, 0o755), os.Mkdir(base+"/home", 0o755), os.Chown(base+"/home", user, user)); err != nil {
		t.Fatal(err)
	}
	child := exec.Command(base+"/jail.test", "-test.run", "S4Esc|S4The|S4A|Git|AReadOnly|AbsentNames|HomeDirectory|OrdinaryWorkInside/(files|devices|temp|term|git)", "-test.timeout", "90s")
	child.Env = []string{"HIDDEN=1", "HOME=" + base + "/home", "PATH=" + os.Getenv("PATH")}
	child.Dir = "/"
	child.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}}
	output, err := child.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}

// BenchmarkCommand is what a jail costs: the least of all runs, because a busy machine
// tells more about itself.
func BenchmarkCommand(b *testing.B) {
	for _, mode := range []jail.Mode{jail.Off, jail.Workspace, jail.Strict} {
		b.Run(string(mode), func(b *testing.B) {
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
