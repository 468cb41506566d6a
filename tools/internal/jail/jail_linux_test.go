package jail_test

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"marvin/tools/internal/jail"
	"marvin/tools/internal/proc"
)

func TestAGitFileGrantsNothing(t *testing.T) {
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

// The root stays the same, in whatever directory a command starts.
func TestTheDirectoryOfACommandIsNoRoot(t *testing.T) {
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

// In the home directory itself, visible entries are writable, but nothing can be created.
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

// Placeholders disappear with the last command, and stay as long as a server runs.
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
	// A later command ends the server, which is a process of another jail of the same Marvin.
	stopped := p.run(t, true, "kill "+strings.TrimSpace(result.Stdout.Text()))
	if stopped.ExitCode != 0 {
		t.Errorf("the server could not be ended: %s", stopped.Stderr.Text())
		syscall.Kill(result.Left[0].PID, syscall.SIGKILL)
	}
	p.run(t, false, `rmdir .git`)
}

// A directory that is not writable needs no placeholders.
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
	for range 20 { // a command of another Marvin must not remove the placeholders
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

// The next start removes the private directory of a killed Marvin.
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
