package jail_test

import (
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"marvin/tools/internal/jail"
	"marvin/tools/internal/proc"
)

// A job whose Marvin was killed stays confined, whatever other Marvins do. The next Marvin after
// the job's end removes its placeholders.
func TestAJobThatOutlivesItsMarvinStaysHeld(t *testing.T) {
	for name, prepare := range map[string]string{".git/commondir": "git init -q", ".git": "true", "nothing": "git init -q && echo ./ > .git/commondir"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, jail.Workspace)
			p.run(t, false, prepare)
			orphan := p.orphan(t, `while ! test -e go; do sleep 0.05; done; `+
				`mkdir evil; rmdir .git; mkdir .git; echo evil > .git/config; rm -f .git/commondir; echo ../evil > .git/commondir; echo done > over; while ! test -e end; do sleep 0.05; done`)
			for range 3 {
				p.run(t, true, "true")
				p.keeper.Sweep(p.root)
			}
			if name != "nothing" && !exists(p.root+"/"+name) {
				t.Errorf("%s was taken from under the job", name)
			}
			p.run(t, false, `touch go; while ! test -e over; do sleep 0.05; done`)
			if strings.Contains(content(p.root+"/.git/commondir")+content(p.root+"/.git/config"), "evil") {
				t.Error("the job gained rights")
			}
			p.run(t, false, `touch end; while grep -qs '^State:.[^Z]' /proc/`+strconv.Itoa(orphan)+`/status; do sleep 0.05; done`)
			p.keeper.Sweep(p.root)
			if exists(p.root + "/" + name) {
				t.Errorf("%s was left behind", name)
			}
		})
	}
}

func TestNothingIsLeftBehindByAKill(t *testing.T) {
	for _, prepare := range []string{"git init -q", "git init -q && rm -f .git/config", "true"} {
		for _, next := range []func(p *place){
			func(p *place) { p.keeper.Sweep(p.root) },
			func(p *place) { p.run(t, true, "true") },
			func(p *place) { p.run(t, false, `rm -r "$BASE"/marvin-sandbox-*`); p.run(t, true, "true") },
		} {
			p := newPlace(t, jail.Workspace)
			p.run(t, false, prepare)
			before := p.run(t, false, "find . | sort").Stdout.Text()
			orphan := p.orphan(t, "exec sleep 60")
			if during := p.run(t, false, "find . | sort").Stdout.Text(); during == before {
				t.Fatal("nothing was made")
			}
			p.run(t, false, `kill -9 `+strconv.Itoa(orphan)+`; while grep -qs '^State:.[^Z]' /proc/`+strconv.Itoa(orphan)+`/status; do sleep 0.05; done`)
			next(p)
			if after := p.run(t, false, "find . | sort").Stdout.Text(); after != before {
				t.Errorf("before:\n%safter:\n%s", before, after)
			}
		}
	}
}

func TestTheNextMarvinPutsRightWhatAKilledOneCouldNot(t *testing.T) {
	const leave = `ln -sf $HOME/.profile .git/COMMIT_EDITMSG; mkdir -p .git/info; echo '* filter=evil' > .git/info/attributes; rm .git/HEAD; ln -s $HOME/.profile .git/HEAD; `
	right := func(p *place, what string) {
		t.Helper()
		said := p.keeper.PutRight()
		for _, name := range []string{"COMMIT_EDITMSG", "info/attributes", "HEAD"} {
			if !strings.Contains(said, name) {
				t.Errorf("%s: of %s it is not said: %q", what, name, said)
			}
		}
		if exists(p.root+"/.git/COMMIT_EDITMSG") || exists(p.root+"/.git/info/attributes") || content(p.root+"/.git/HEAD") == "" || content(p.home+"/.profile") != "" {
			t.Errorf("%s: it is left", what)
		}
	}
	for what, next := range map[string]func(p *place){
		"at the start":           func(p *place) { p.keeper.Sweep(p.root) },
		"with the first command": func(p *place) { p.run(t, true, "true") },
	} {
		p := newPlace(t, jail.Workspace)
		p.run(t, false, "git init -q; rm -f .git/info/attributes")
		orphan := p.orphan(t, leave+`echo > over; while ! test -e again; do sleep 0.05; done; `+leave+`echo > end; sleep 60`)
		p.run(t, false, `while ! test -e over; do sleep 0.05; done`)
		next(p)
		right(p, what)
		p.run(t, false, `touch again; while ! test -e end; do sleep 0.05; done; kill -9 `+strconv.Itoa(orphan)+`; while grep -qs '^State:.[^Z]' /proc/`+strconv.Itoa(orphan)+`/status; do sleep 0.05; done`)
		p.keeper.Sweep(p.root)
		right(p, what+", again")
		p.run(t, false, `ln -s x .git/mine`)
		p.keeper.Sweep(p.root)
		if said := p.keeper.PutRight(); said != "" || !exists(p.root+"/.git/mine") {
			t.Errorf("%s: what the user makes later is taken away: %s", what, said)
		}
	}
}

// orphan runs a line as a job of another Marvin, kills that Marvin, and returns the job's pid.
func (p *place) orphan(t *testing.T, line string) int {
	t.Helper()
	other := exec.Command(os.Args[0], "attack", "marvin", p.root, p.home, p.state, line)
	other.Env = slices.Concat(p.environ, []string{"TMPDIR=" + p.base}) // a directory that no other process cleans
	p.keeper = jail.NewKeeper(jail.Config{Home: p.home, State: p.state, Data: p.state + "/data", Environ: p.environ, Temp: p.base})
	out, err := other.Output()
	pid, _ := strconv.Atoi(strings.TrimSpace(string(out)))
	if pid == 0 {
		t.Skip("no job was started: ", err, string(out))
	}
	t.Cleanup(func() {
		if process, err := os.FindProcess(pid); err == nil {
			_ = process.Kill()
		}
	})
	return pid
}

// orphaned is the other Marvin: it starts a job in its jail, prints its pid, and dies.
func orphaned(args []string) error {
	keeper := jail.NewKeeper(jail.Config{Home: args[1], State: args[2], Data: args[2] + "/data", Environ: os.Environ()})
	cell, err := keeper.Jail(args[0])
	if err != nil {
		return err
	}
	nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	job, err := proc.Start(proc.Command{Shell: args[3], Dir: args[0], Environ: os.Environ(), Jail: cell}, nowhere, nowhere, false)
	if err != nil {
		return err
	}
	os.Stdout.WriteString(strconv.Itoa(job.PID) + "\n")
	self, _ := os.FindProcess(os.Getpid())
	return self.Kill()
}
