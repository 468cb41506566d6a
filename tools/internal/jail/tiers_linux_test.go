package jail_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"marvin/tools/internal/jail"
	"marvin/tools/internal/proc"
)

// without acts as a Marvin on a system that lacks layers: it runs lines, each in the smaller jail,
// and prints the results. An empty line marks the point where the layers disappear; the default is
// the beginning.
func without(args []string) error {
	layers, mode, lines := strings.Split(args[0], ","), jail.Mode(args[1]), args[2:]
	runtime.LockOSThread()
	if !slices.Contains(lines, "") {
		lines = append([]string{""}, lines...)
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	environ := append(os.Environ(), "MARVIN_PASS_ENV=*")
	keeper := jail.NewKeeper(jail.Config{Mode: mode, Home: os.Getenv("HOME"), State: os.Getenv("HOME") + "/.config/marvin", Environ: environ})
	defer keeper.Close()
	for _, line := range lines {
		if line == "" {
			for _, layer := range layers {
				if err := lose(layer); err != nil {
					return err
				}
			}
			continue
		}
		cell, err := keeper.Jail(root)
		if narrow, held := strings.CutPrefix(line, "HELD "); held {
			line = narrow
			cell, err = keeper.Held(root, jail.Profile{Read: []string{"~/notes"}, Write: []string{"."}}, nil)
		}
		if err != nil {
			return err
		}
		result, err := proc.Run(context(), proc.Command{Shell: line, Dir: root, Environ: environ, Jail: cell, Shown: shownBy(environ)})
		fmt.Print(result.Stdout.Text(), result.Stderr.Text(), cell.Report(), keeper.PutRight())
		switch {
		case errors.Is(err, jail.ErrMissing):
			fmt.Println("MISSING", err)
		case err != nil:
			return err
		}
	}
	fmt.Println("LACKS", keeper.Lacks(), keeper.Raise())
	return nil
}

// lose makes the kernel behave as if it lacked a layer, for this thread and its children.
func lose(layer string) error {
	load := func(offset uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
	}
	unless := func(test uint16, value uint32, over uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, K: value, Jf: over}
	}
	answer := func(number unix.Errno) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(number)}
	}
	const equal, anyBit = unix.BPF_JEQ, unix.BPF_JSET
	filter := []unix.SockFilter{load(0)}
	switch layer {
	case "landlock": // of an older kernel
		filter = append(filter, unless(equal, unix.SYS_LANDLOCK_CREATE_RULESET, 1), answer(unix.ENOSYS))
	case "mounts": // as with AppArmor in Ubuntu
		filter = append(filter, unless(equal, unix.SYS_MOUNT, 1), answer(unix.EACCES))
	case "namespaces": // as in containers
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, unix.CAP_SYS_ADMIN, 0, 0, 0); err != nil && os.Geteuid() == 0 {
			return err
		}
		header, have := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, [2]unix.CapUserData{}
		if err := unix.Capget(&header, &have[0]); err != nil {
			return err
		}
		have[0].Effective &^= 1 << unix.CAP_SYS_ADMIN
		have[0].Permitted &^= 1 << unix.CAP_SYS_ADMIN
		if err := unix.Capset(&header, &have[0]); err != nil {
			return err
		}
		filter = append(filter, unless(equal, unix.SYS_UNSHARE, 1), answer(unix.EPERM), unless(equal, unix.SYS_CLONE3, 1), answer(unix.ENOSYS),
			unless(equal, unix.SYS_CLONE, 3), load(16), unless(anyBit, unix.CLONE_NEWUSER|unix.CLONE_NEWNS, 1), answer(unix.EPERM))
	case "seccomp":
		filter = append(filter, unless(equal, unix.SYS_PRCTL, 3), load(16), unless(equal, unix.PR_SET_SECCOMP, 1), answer(unix.EINVAL))
	}
	filter = append(filter, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW})
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	return errors.Join(unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0),
		unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0))
}

// lacking runs lines in the project on a system without some layers.
func (p *place) lacking(t *testing.T, layers string, mode jail.Mode, lines ...string) string {
	t.Helper()
	var words strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&words, " '%s'", strings.ReplaceAll(line, "'", `'\\''`))
	}
	result := p.run(t, false, fmt.Sprintf("$SELF attack without %s '%s'%s", layers, mode, words.String()))
	return result.Stdout.Text() + result.Stderr.Text()
}

func TestTiersHoldWhatTheyCan(t *testing.T) {
	for layers, lacks := range map[string]string{"namespaces": "not let Marvin make mounts", "mounts": "not let Marvin make mounts", "landlock": "no Landlock"} {
		t.Run(layers, func(t *testing.T) {
			t.Parallel()
			p := newPlaceIn(t, varTemp(t), jail.Workspace)
			p.put(t, map[string]string{".aws/credentials": "canary-aws\n", ".config/other": "legible\n"})
			p.run(t, false, "git init -q -b main")
			out := p.lacking(t, layers, jail.Workspace,
				`echo new > new.txt && mkdir -p a/b && mv new.txt a/b && ln a/b/new.txt hard && cat hard && echo x > $(mktemp) && echo y > /dev/null && echo WORKS`,
				`git add -A && git commit -qm one && git log --format=%s`,
				`cat ~/.config/other`, `head -c 4 /dev/urandom | wc -c`,
				`echo x >> $BASE/outside.txt; rm $BASE/outside.txt; mv $BASE/outside.txt .; : > $BASE/outside.txt; ln -s $BASE/outside.txt l; echo x > l; echo x > ~/.profile`,
				`cat ~/.ssh/GEMINI_API_KEY; cat ~/.aws/credentials; cat ~/.config/marvin/tokens.json; cat /proc/self/root$HOME/.aws/credentials`,
				`tr "\0" "\n" < /proc/$PPID/environ | sed s/^/LEAKED/`, `(exec 9> /dev/kmsg) && echo ESCAPED`, `$SELF attack ptrace`, `$SELF attack io_uring`)
			if strings.Contains(out, "command not found") {
				t.Error(out)
			}
			for _, want := range []string{"WORKS", "\none\n", "legible", "4\n", "LACKS this system", lacks} {
				if !strings.Contains(out, want) {
					t.Errorf("no %q in\n%s", want, out)
				}
			}
			for _, never := range []string{"canary", "LEAKED", "ESCAPED", "MISSING"} {
				if strings.Contains(out, never) {
					t.Errorf("%q in\n%s", never, out)
				}
			}
			if changed(p, "") || exists(p.home+"/.profile") {
				t.Errorf("it wrote outside:\n%s", out)
			}
		})
	}
}

func TestTiersHoldTheProfileOfAServer(t *testing.T) {
	for _, layers := range []string{"namespaces", "mounts", "landlock"} {
		t.Run(layers, func(t *testing.T) {
			t.Parallel()
			p := newPlaceIn(t, varTemp(t), jail.Workspace)
			p.listen(t)
			p.put(t, map[string]string{".aws/credentials": "canary-aws\n", "notes/a.txt": "legible\n", "other/b.txt": "of-others\n"})
			out := p.lacking(t, layers, jail.Workspace,
				`HELD cat ~/notes/a.txt; cat ~/other/b.txt; echo x > in.txt && echo WROTE`, `HELD echo x > ~/notes/new.txt; echo x > $BASE/outside.txt; echo x > ~/.profile`,
				`HELD cat ~/.aws/credentials ~/.ssh/GEMINI_API_KEY`, `HELD echo x > /dev/tcp/127.0.0.1/$PORT && echo ESCAPED; echo RAN`)
			for _, want := range []string{"legible", "WROTE", "RAN"} {
				if !strings.Contains(out, want) {
					t.Errorf("no %q in\n%s", want, out)
				}
			}
			for _, never := range []string{"canary", "ESCAPED", "MISSING"} {
				if strings.Contains(out, never) {
					t.Errorf("%q in\n%s", never, out)
				}
			}
			if reads := strings.Contains(out, "of-others"); reads && layers != "landlock" {
				t.Errorf("it reads beyond its profile:\n%s", out)
			}
			if changed(p, "") || exists(p.home+"/.profile") || exists(p.home+"/notes/new.txt") {
				t.Errorf("it wrote outside of its profile:\n%s", out)
			}
		})
	}
}

// Without Landlock nothing restricts signals. With it they are restricted in the smaller jail too,
// and a command can stop a server of an earlier command.
func TestTierWithoutMountsKeepsSignalsIn(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	out := p.lacking(t, "namespaces", jail.Workspace, `kill -0 $PPID && echo ESCAPED`, `sleep 60 >/dev/null 2>&1 & echo $! > pid`, `kill $(cat pid) && echo STOPPED`)
	if strings.Contains(out, "ESCAPED") || !strings.Contains(out, "STOPPED") {
		t.Error(out)
	}
}

func TestTierWithoutMountsDetectsUserChange(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	out := p.lacking(t, "namespaces", jail.Workspace, `export f="exec sh -c \"\$f\""; sh -c "$f" >/dev/null 2>&1 & echo $! > pid`,
		`for n in $(seq 500); do kill -0 $(cat pid) || break; done; kill $(cat pid) && echo STOPPED $n`)
	if !strings.Contains(out, "STOPPED 500") {
		t.Error(out)
	}
}

func TestTierStrictHasNoSockets(t *testing.T) {
	p := newPlaceIn(t, varTemp(t), jail.Workspace)
	p.listen(t)
	for layers, line := range map[string]string{"namespaces": `echo x > /dev/tcp/127.0.0.1/$PORT && echo ESCAPED; $SELF attack unix "$BASE/run/socket"`, "landlock": `echo x > /dev/tcp/127.0.0.1/$PORT && echo ESCAPED`} {
		if out := p.lacking(t, layers, jail.Strict, line, "echo RAN"); strings.Contains(out, "ESCAPED") || !strings.Contains(out, "RAN") {
			t.Errorf("%s: %s", layers, out)
		}
	}
}

func TestTierWithoutMountsPutsBackWhatGitRuns(t *testing.T) {
	for _, attack := range []string{
		`echo evil > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit`, `git config core.fsmonitor evil`, `mv .git/hooks .git/h; mkdir .git/hooks; echo evil > .git/hooks/post-checkout`,
		`mv .git .git2; git init -q; git config core.pager evil; echo evil > .git/hooks/pre-commit`, `echo evil > .git/commondir`, `rm -r .git/hooks; mkdir h; echo evil > h/pre-commit; ln -s ../h .git/hooks`,
		`echo evil > .gitconfig`, `rm .git/hooks/mine`, `chmod -x .git/hooks/mine`,
	} {
		t.Run(attack, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, jail.Workspace)
			p.run(t, false, `git init -q -b main; touch .gitconfig; git config include.path ../.gitconfig; echo mine > .git/hooks/mine; chmod 755 .git/hooks/mine`)
			state := `cat .git/config .gitconfig; ls .git/hooks/ | grep -v held-by; ls .git | grep commondir$; stat -c %a .git/hooks/mine`
			before := p.run(t, false, state).Stdout.Text()
			out := p.lacking(t, "namespaces", jail.Workspace, attack)
			if after := p.run(t, false, state).Stdout.Text(); after != before {
				t.Errorf("before:\n%safter:\n%s", before, after)
			}
			if !strings.Contains(out, "makes git run programs") {
				t.Errorf("nothing is told: %s", out)
			}
			if testing.Short() {
				return
			}
			if calm := p.lacking(t, "namespaces", jail.Workspace, "git add main.txt && git commit -qm one"); strings.Contains(calm, "makes git run programs") {
				t.Errorf("told of a commit: %s", calm)
			}
		})
	}
	p := newPlace(t, jail.Workspace)
	if out := p.lacking(t, "namespaces", jail.Workspace, "git init -q . && git config core.pager evil"); exists(p.root+"/.git/config") || !strings.Contains(out, "makes git run programs") {
		t.Errorf("a repository was made: %s", out)
	}
}

// A command's links cannot make Marvin restore files outside the project.
func TestTierWithoutMountsPutsNothingBackOutside(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	p.run(t, false, `git init -q -b main; mkdir -p ../victim/hooks; echo theirs > ../victim/config`)
	out := p.lacking(t, "namespaces", jail.Workspace, `mv .git .git2; ln -s ../victim .git`)
	if content(p.home+"/victim/config") != "theirs\n" || exists(p.home+"/victim/config.held-by-marvin") {
		t.Errorf("it was written outside: %s", out)
	}
}

func TestAMissingLayerIsNamedAndNothingRuns(t *testing.T) {
	for layers, want := range map[string]string{"landlock,mounts": "Landlock", "landlock,namespaces": "Landlock", "seccomp": "seccomp", "landlock,seccomp": "seccomp"} {
		p := newPlace(t, jail.Workspace)
		if out := p.lacking(t, layers, jail.Workspace, "echo RAN"); strings.Contains(out, "RAN\n") || !strings.Contains(out, "MISSING") || !strings.Contains(out, want) {
			t.Errorf("without %s: %s", layers, out)
		}
	}
}

// No command can weaken the jail of the next one.
func TestTierIsNotLoweredOnceACommandRan(t *testing.T) {
	for _, layer := range []string{"mounts", "namespaces", "landlock"} {
		p := newPlace(t, jail.Workspace)
		if out := p.lacking(t, layer, jail.Workspace, "echo FIRST", "", "echo RAN"); !strings.Contains(out, "FIRST") || strings.Contains(out, "RAN\n") || !strings.Contains(out, "MISSING") {
			t.Errorf("%s: %s", layer, out)
		}
	}
}

// A jail inside a jail is a smaller one.
func TestTierNested(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	result := p.run(t, true, `$SELF attack without none "" 'echo RAN; echo x >> $BASE/outside.txt'`)
	if out := result.Stdout.Text(); !strings.Contains(out, "RAN") || !strings.Contains(out, "not let Marvin make mounts") || changed(p, "") {
		t.Errorf("%s%s", out, result.Stderr.Text())
	}
}

// varTemp returns a directory that no private /tmp hides.
func varTemp(t *testing.T) string { return tempIn(t, "/var/tmp") }

func tempIn(t *testing.T, dir string) string {
	t.Helper()
	base, err := os.MkdirTemp(dir, "marvin-jail-test-")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	return base
}
