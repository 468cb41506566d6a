package jail

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/persistence/disktest"
	"marvin/tools/internal/jail/internal/disk"
	"marvin/tools/internal/jail/internal/gitwatch"
	"marvin/tools/internal/protected"
)

// withoutSockets removes the number of sockets from a text, because it changes as programs start
// and end.
func withoutSockets(text string) string {
	before, behind, found := strings.Cut(text, "sockets of other programs (")
	if !found || strings.HasPrefix(behind, "0)") { // zero is not mentioned
		return text
	}
	_, behind, _ = strings.Cut(behind, "), ")
	return before + behind
}

func TestTheWallsInWords(t *testing.T) {
	logins, secretPlaces := "", []string{}
	for _, row := range protected.Home {
		if row.Keys && !row.Own && !row.Vars && row.Words == "" {
			secretPlaces = append(secretPlaces, row.Names...)
		}
	}
	for n := range mostNamed + 1 {
		logins += fmt.Sprintf(" %s/x=y", secretPlaces[n])
	}
	for _, one := range []struct {
		scene  scene
		lacks  lack
		hidden string
		temp   string
		net    string
	}{
		{scene{}, 0, "Marvin's own files", "a /tmp of its own", ""},
		{scene{files: ".ssh/id_a=x .ssh/id_b=x .config/marvin/x=y .netrc=x"}, 0, "keys in ~/.ssh (2), ~/.netrc, Marvin's own files", "a /tmp of its own", ""},
		{scene{files: ".netrc=x", mode: Strict}, noMounts, "~/.netrc, Marvin's own files", "$TMPDIR; /tmp is read-only", "; the command has its own network and cannot reach any other"},
		{scene{files: logins + " .ssh/id_a=x"}, noLandlock, "keys in ~/.ssh (1), ~/" + strings.Join(secretPlaces[:mostNamed-1], ", ~/") + ", 2 more in ~, Marvin's own files", "a /tmp of its own", ""},
		{scene{files: ".colima/x=y"}, 0, "Marvin's own files", "a /tmp of its own", ""},
	} {
		k, home := one.scene.keeperOf(t)
		k.lacks.Store(uint32(one.lacks))
		j, err := newJail(k, filepath.Join(home, "project"))
		if err != nil {
			t.Fatal(err)
		}
		if got := withoutSockets(j.hiddenNote()); got != one.hidden {
			t.Errorf("hidden are %s, want %s", got, one.hidden)
		}
		if socket := filepath.Join(home, ".colima"); disk.Exists(socket) && !strings.Contains(j.hiddenNote(), "sockets of other programs (") {
			t.Errorf("hidden are %s", j.hiddenNote())
		}
		want := "[sandbox: a command can write only below " + home + "/project, in package manager caches and in " + one.temp + "; .git/config and .git/hooks are read-only" + one.net +
			". Files and sockets hidden from the command: " + one.hidden + ". The user can change these limits with --sandbox, and make hidden files readable with \"sandbox_read:\" in config.yaml]\n"
		if got := withoutSockets(j.explain()); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
		for code, said := range map[int]string{0: "Permission denied", 1: "no such file", 2: "x: Permission denied\n", 3: "EROFS"} {
			told := code > 1 || code == 1 && one.scene.mode == Strict
			if got := withoutSockets(j.Note(code, said)); (got == want) != told || (got == "") == told {
				t.Errorf("of %q with code %d it is said %q", said, code, got)
			}
		}
	}
}

// A short list of hidden paths is named completely.
func TestHiddenPathsInWords(t *testing.T) {
	own := []string{"/h/.config/marvin", "/state"}
	many := func(count int) (paths []string) {
		for n := range count {
			paths = append(paths, fmt.Sprint("/h/", n))
		}
		return paths
	}
	for want, paths := range map[string][]string{
		"Marvin's own files": own,
		"keys in ~/.ssh (1), ~/.aws, sockets of other programs (1), Marvin's own files":                 {"/h/.aws", "/state", "/h/.ssh/id_a", "/run/docker.sock"},
		"sockets of other programs (2), Marvin's own files":                                             {"/h/.colima", "/run/docker.sock"},
		"~/0, ~/1, ~/2, ~/3, ~/4, ~/5, ~/6, ~/7, ~/8, ~/9, ~/10, ~/11, Marvin's own files":              many(12),
		"~/0, ~/1, ~/2, ~/3, ~/4, ~/5, ~/6, ~/7, ~/8, ~/9, ~/10, ~/11, 1 more in ~, Marvin's own files": many(13),
	} {
		if got := describeHidden(paths, own, "/h"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := describeHidden([]string{"/.ssh/x"}, nil, ""); got != "sockets of other programs (1), Marvin's own files" {
		t.Errorf("without a home directory: %s", got)
	}
}

// A smaller sandbox is described, with the way to restore the rest. It gets smaller only before the
// first command, and never without both layers.
func TestASmallerSandboxInWords(t *testing.T) {
	broken := errors.New("not permitted")
	for _, one := range []struct {
		lacks         lack
		without       lack
		proven        bool
		smaller       bool
		says, raising string
	}{
		{0, noMounts, false, true, "this system does not let Marvin make mounts, so the sandbox is weaker. ", ""},
		{0, noLandlock, false, true, "this system has no Landlock, so the sandbox is weaker: ", "Linux 6.2 or later, with landlock in the kernel parameter lsm= (to check: cat /sys/kernel/security/lsm)"},
		{0, 0, false, false, "", ""},
		{0, noMounts, true, false, "", ""},
		{noMounts, noLandlock, false, false, "this system does not let Marvin make mounts, so the sandbox is weaker. ", ""},
		{noLandlock, noMounts, false, false, "this system has no Landlock, so the sandbox is weaker: ", "Linux 6.2 or later, with landlock in the kernel parameter lsm= (to check: cat /sys/kernel/security/lsm)"},
		{noMounts, noMounts, false, false, "this system does not let Marvin make mounts, so the sandbox is weaker. ", ""},
	} {
		k := NewKeeper(Config{})
		k.lacks.Store(uint32(one.lacks))
		k.proven.Store(one.proven)
		err := k.dropLayer(one.lacks, one.without, "mounts", broken)
		if errors.Is(err, ErrSmaller) != one.smaller || errors.Is(err, ErrMissing) == one.smaller || !errors.Is(err, broken) || !strings.HasSuffix(err.Error(), " on this system: mounts: not permitted") {
			t.Errorf("%+v: %v", one, err)
		}
		if got := k.Lacks(); !strings.HasPrefix(got, one.says) || (got == "") != (one.says == "") {
			t.Errorf("%+v: %s", one, got)
		}
		if got := k.Raise(); one.raising != "" && got != one.raising || (got == "") != (one.says == "") {
			t.Errorf("%+v: %s", one, got)
		}
	}
	var none *Keeper
	if none.Lacks() != "" || none.Mode() != Off || none.Close() != nil {
		t.Error("no keeper lacks something")
	}
	if trees := NewKeeper(Config{Mode: Off}).Trees(); trees != nil {
		t.Errorf("without a sandbox commands write to %q", trees)
	}
}

func TestGitProgramSettingsAreRestored(t *testing.T) {
	k, home := scene{files: of("project/.git/", "HEAD=x objects/ refs/ config=[core] hooks/pre-commit=mine commondir=.| modules/m/config=x modules/m/objects/config=y modules/m/other=z") + " outside=safe"}.keeperOf(t)
	j, err := newJail(k, filepath.Join(home, "project"))
	if err != nil {
		t.Fatal(err)
	}
	git := filepath.Join(home, "project/.git")
	k.lacks.Store(uint32(noMounts))
	for range 2 { // two commands at once
		j.watch.Begin(j.gitPlace())
	}
	write := func(name, text string) error {
		return disktest.WriteProgram(filepath.Join(git, name), []byte(text), 0o755)
	}
	if err := errors.Join(write("config", "evil"), write("hooks/post-commit", "evil"), os.Remove(git+"/commondir"), os.Symlink(home+"/outside", git+"/commondir"),
		os.Chmod(git+"/hooks/pre-commit", 0o755), write("modules/m/other", "fine")); err != nil {
		t.Fatal(err)
	}
	j.watch.End(j.gitPlace(), false)
	j.watch.End(j.gitPlace(), false)
	for name, want := range map[string]string{"config": "[core]", "hooks/pre-commit": "mine", "commondir": ".\n", "modules/m/other": "fine", "config" + gitwatch.HeldAside: "evil", "hooks/post-commit" + gitwatch.HeldAside: "evil", "../../outside": "safe"} {
		if got, err := os.ReadFile(filepath.Join(git, name)); err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v", name, got, err)
		}
	}
	if disk.Exists(git + "/hooks/post-commit") {
		t.Error("a hook is left")
	}
	if info, err := os.Lstat(git + "/hooks/pre-commit"); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
	report := k.PutRight()
	for _, name := range []string{"config", "hooks/pre-commit", "commondir", "hooks/post-commit"} {
		if !strings.Contains(report, git+"/"+name) {
			t.Errorf("of %s it is not told: %s", name, report)
		}
	}
	if again := k.PutRight(); again != "" {
		t.Errorf("it is told twice: %s", again)
	}
	k.tell("/b (it could not be restored: no room)")
	k.tell("/b (it could not be restored: no room)")
	if got := k.PutRight(); got != "/b (it could not be restored: no room)" {
		t.Errorf("it is said as %q", got)
	}
}

func TestTheSwitchThatForbidsMounts(t *testing.T) {
	said := raiseMounts()
	if inContainer() {
		if !strings.HasPrefix(said, "start the container with --security-opt seccomp=unconfined") {
			t.Errorf("in a container: %s", said)
		}
		return
	}
	off := false
	for name, forbids := range map[string]string{"user/max_user_namespaces": "0", "kernel/unprivileged_userns_clone": "0", "kernel/apparmor_restrict_unprivileged_userns": "1"} {
		text, err := os.ReadFile("/proc/sys/" + name)
		forbidden := err == nil && strings.TrimSpace(string(text)) == forbids
		off = off || forbidden
		if strings.Contains(said, "sysctl -w "+strings.ReplaceAll(name, "/", ".")+"=") && !forbidden {
			t.Errorf("%s is %q, and it is said: %s", name, text, said)
		}
	}
	if off != strings.HasPrefix(said, "sudo sysctl -w ") || !off && said != "allow user namespaces for this user (\"unshare -Urm true\" shows whether they are allowed)" {
		t.Errorf("a switch forbids it: %v: %s", off, said)
	}
}
