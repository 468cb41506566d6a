package jail_test

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"marvin/persistence/disktest"
	"marvin/tools/internal/jail"
)

func TestWritablePathsFromSandbox(t *testing.T) {
	p := newPlace(t, jail.Workspace)
	bin, cache := p.home+"/bin", p.home+"/.npm"
	if err := errors.Join(os.MkdirAll(bin, 0o755), os.MkdirAll(cache+"/_npx", 0o755), os.MkdirAll(p.root+"/.venv/bin", 0o755),
		disktest.WriteProgram(p.root+"/.venv/bin/git", nil, 0o755), disktest.WriteProgram(bin+"/true", nil, 0o755),
		os.Symlink(p.root+"/.venv/bin/git", bin+"/git"), os.Symlink(bin, p.root+"/tools"), os.Symlink("loop", bin+"/loop")); err != nil {
		t.Fatal(err)
	}
	if !p.keeper.Writable(cache + "/_npx") {
		t.Error("a cache is not writable before the first jail")
	}
	if _, err := p.keeper.Jail(p.root); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		bin + "/true":              false,
		"/usr/bin/git":             false,
		p.root + "/.venv/bin/git":  true,
		bin + "/git":               true, // leads into the project
		p.root + "/tools/true":     true, // the project leads to it
		bin + "/../project/x":      true,
		p.root + "/absent/program": true,
		cache + "/_npx/x":          true,
		bin + "/loop":              true,
		"git":                      true,
	} {
		if got := p.keeper.Writable(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
	if (*jail.Keeper)(nil).Writable("/usr/bin/git") {
		t.Error("nothing is not writable by no one")
	}
}

// A repository whose hooks and configuration are symbolic links, as git-new-workdir creates them,
// works and keeps the links and their targets.
func TestLinksInARepositoryAreHeldByName(t *testing.T) {
	const (
		made  = `git init -q -b main && rm -rf .git/hooks && mkdir -p "$HOME/other/hooks" inner/hooks && `
		out   = made + `mv .git/config "$HOME/other/config" && ln -s "$HOME/other/config" .git/config && ln -s "$HOME/other/hooks" .git/hooks`
		in    = made + `mv .git/config inner/config && ln -s ../inner/config .git/config && ln -s ../inner/hooks .git/hooks`
		chain = made + `mv .git/config inner/config && ln -s ../by/config .git/config && ln -s ../by/hooks .git/hooks && ln -s inner by`
	)
	for _, one := range []struct{ prepare, attack string }{
		{out, `rm -f .git/hooks; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit`},
		{out, `mv .git/hooks .git/away; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit`},
		{out, `rm -f .git/config; echo evil > .git/config`},
		{out, `echo evil > new; mv -f new .git/config`},
		{in, `echo evil > .git/hooks/pre-commit; echo evil > inner/config`},
		{in, `mkdir -p e/hooks; echo evil | tee e/config > e/hooks/pre-commit; mv inner i; mv e inner`},
		{chain, `mkdir -p e/hooks; echo evil | tee e/config > e/hooks/pre-commit; rm -f by; ln -sfn e by`},
		{chain, `mkdir -p e/hooks; echo evil | tee e/config > e/hooks/pre-commit; mv inner i; mv e inner`},
	} {
		t.Run(one.attack, func(t *testing.T) {
			t.Parallel()
			for _, inside := range []bool{true, false} {
				p := newPlace(t, jail.Workspace)
				p.run(t, false, one.prepare)
				said := p.run(t, inside, one.attack).Stderr.Text()
				if evil := strings.Contains(content(p.root+"/.git/config")+content(p.root+"/.git/hooks/pre-commit"), "evil"); evil == inside {
					t.Errorf("inside %v, got through %v: %s", inside, evil, said)
				}
				if !inside {
					continue
				}
				if result := p.run(t, true, `git add main.txt && git commit -qm one && git log --format=%s`); result.Stdout.Text() != "one\n" {
					t.Errorf("git works no more: %s", result.Stderr.Text())
				}
			}
		})
	}
}

func TestSwappedCachesGrantNothing(t *testing.T) {
	for name, place := range map[string]string{"below the root": "project/.cargo", "outside": ".npm/cargo"} {
		t.Run(name, func(t *testing.T) {
			base, err := os.MkdirTemp("/var/tmp", "marvin-jail-test-") // a private /tmp would hide it
			if err != nil {
				t.Skip(err)
			}
			t.Cleanup(func() { os.RemoveAll(base) })
			p := newPlaceIn(t, base, jail.Workspace)
			cargo := p.home + "/" + place
			if err := errors.Join(os.MkdirAll(cargo+"/registry", 0o755), os.MkdirAll(p.home+"/.npm", 0o755), os.MkdirAll(p.home+"/.config/registry", 0o755)); err != nil {
				t.Fatal(err)
			}
			p.keeper = jail.NewKeeper(jail.Config{Home: p.home, State: p.state, Environ: slices.Concat(p.environ, []string{"CARGO_HOME=" + cargo})})
			p.environ = append(p.environ, "CARGO="+cargo)
			defer p.keeper.Close()
			swapped := p.run(t, true, `echo x > $CARGO/registry/mine && mv $CARGO "$CARGO.away" && ln -s ~/.config $CARGO`)
			if swapped.ExitCode != 0 {
				t.Fatalf("the cache is not writable: %s", swapped.Stderr.Text())
			}
			if result := p.run(t, true, `echo evil > ~/.config/registry/evil; echo evil > $CARGO/registry/evil; echo fine > fine`); content(p.root+"/fine") == "" {
				t.Errorf("nothing works any more: %s", result.Stderr.Text())
			}
			if exists(p.home + "/.config/registry/evil") {
				t.Error("a link that a command made was granted")
			}
		})
	}
	p := newPlace(t, jail.Workspace)
	if err := errors.Join(os.MkdirAll(p.home+"/.config/registry", 0o755), os.Symlink(p.home+"/.config", p.root+"/.cargo")); err != nil {
		t.Fatal(err)
	}
	p.keeper = jail.NewKeeper(jail.Config{Home: p.home, State: p.state, Environ: append(p.environ, "CARGO_HOME="+p.root+"/.cargo")})
	defer p.keeper.Close()
	p.run(t, true, `echo evil > ~/.config/registry/evil`)
	if exists(p.home + "/.config/registry/evil") {
		t.Error("a link of the project was granted")
	}
}

// A command cannot signal outside processes or change the priority of older ones. In each mode it
// can stop the processes of earlier commands and set its own priority.
func TestProcessesOutsideAreLeftAlone(t *testing.T) {
	for _, mode := range []jail.Mode{jail.Workspace, jail.Strict} {
		p := newPlace(t, mode)
		for _, attack := range []string{
			`kill -0 $VICTIM`, `/bin/kill -s CONT $VICTIM`, `kill -CONT -- -$VICTIM`, `$SELF attack signal $VICTIM`, `$SELF attack thread $VICTIM`,
			`renice -n 19 -p $VICTIM`, `renice -n 19 -g $VICTIM`, `ionice -c 2 -n 7 -p $VICTIM`, `taskset -pc 0 $VICTIM`, `chrt -b -p 0 $VICTIM`,
		} {
			if program, _, _ := strings.Cut(attack, " "); exec.Command("sh", "-c", "command -v "+program).Run() != nil && program != "$SELF" {
				continue
			}
			for _, inside := range []bool{true, false} {
				result := p.run(t, inside, strings.ReplaceAll(attack, "$VICTIM", victim(t)))
				if (result.ExitCode == 0) == inside {
					t.Errorf("%s, inside %v: exit code %d %s", attack, inside, result.ExitCode, result.Stderr.Text())
				}
			}
		}
		if result := p.run(t, true, `renice -n 1 -u $(id -u)`); result.ExitCode == 0 {
			t.Error("all processes of the user got another priority")
		}
		for _, own := range []string{`renice -n 19 -p $$`, `nice -n 3 true`, `ionice -c 3 true`, `taskset -c 0 true`, `sleep 60 & kill $!`, `timeout 60 true`, `chrt -b 0 true`, `sleep 60 & renice -n 19 -p $! && kill $!`, `set -m; sleep 60 & kill %1`} {
			if result := p.run(t, true, own); result.ExitCode != 0 && !strings.Contains(result.Stderr.Text(), "not found") {
				t.Errorf("%s: %s", own, result.Stderr.Text())
			}
		}
		for _, line := range []string{`sleep 60 >/dev/null 2>&1 & echo $!`, `set -m; (sleep 60; true) >/dev/null 2>&1 & echo -- -$!`, `setsid env -i sleep 60 >/dev/null 2>&1 & sleep 0.1; echo $!`} {
			for anew := true; anew; { // retries if process numbers wrapped in between: see docs/sandbox.md
				left := p.run(t, true, line).Stdout.Text()
				stopped := p.run(t, true, "echo $$; kill "+left)
				server, killer := pidOf(t, strings.TrimLeft(left, "- ")), pidOf(t, stopped.Stdout.Text())
				if anew = killer < server; !anew && stopped.ExitCode != 0 {
					t.Errorf("%s: the server could not be ended: %s", line, stopped.Stderr.Text())
				}
			}
		}
	}
}

func pidOf(t *testing.T, text string) int {
	t.Helper()
	number, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		t.Fatal(err)
	}
	return number
}

// victim starts an outside process in its own group.
func victim(t *testing.T) string {
	t.Helper()
	process := exec.Command("sleep", "60")
	process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = process.Process.Kill()
		_ = process.Wait()
	})
	return itoa(process.Process.Pid)
}
