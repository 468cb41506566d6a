package jail_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/tools/internal/jail"
	"marvin/tools/internal/proc"
)

// A command can read a shown directory of Marvin, in every jail, but cannot write to it. Its
// neighbors stay hidden, even those that are created while the command runs.
func TestShownDirectoryIsReadOnly(t *testing.T) {
	const (
		own   = ".config/marvin/artifacts/"
		line  = `cat ~/` + own + `mine/1.txt; head -1 ~/` + own + `mine/../mine/1.txt; grep -c own ~/` + own + `mine/1.txt; echo x >> ~/` + own + `mine/1.txt; rm -f ~/` + own + `mine/1.txt; touch ~/` + own + `mine/2.txt; touch ~/` + own + `more; chmod 777 ~/` + own + `mine/1.txt; cat ~/` + own + `yours/1.txt ~/` + own + `later/1.txt ~/.config/marvin/tokens.json ~/` + own + `mine/../yours/1.txt; true`
		shown = "my own words\n"
	)
	for _, layers := range []string{"", "namespaces", "mounts", "landlock"} {
		t.Run("without "+layers, func(t *testing.T) {
			t.Parallel()
			p := newPlaceIn(t, varTemp(t), jail.Workspace)
			p.put(t, map[string]string{own + "mine/1.txt": shown, own + "yours/1.txt": "canary-yours\n", own + "later/1.txt": "canary-later\n"})
			p.environ = append(p.environ, "SHOWN="+p.home+"/"+own+"mine")
			var out string
			if layers == "" {
				result := p.shown(t, line)
				out = result.Stdout.Text() + result.Stderr.Text()
			} else {
				out = p.lacking(t, layers, jail.Workspace, line)
			}
			if strings.Count(out, shown) != 2 || !strings.Contains(out, "\n1\n") {
				t.Errorf("it is not read:\n%s", out)
			}
			if strings.Contains(out, "canary") || strings.Contains(out, "MISSING") {
				t.Errorf("more is read:\n%s", out)
			}
			info, err := os.Stat(p.home + "/" + own + "mine/1.txt")
			if content(p.home+"/"+own+"mine/1.txt") != shown || err != nil || layers == "" && info.Mode().Perm() != 0o600 || exists(p.home+"/"+own+"mine/2.txt") || exists(p.home+"/"+own+"more") {
				t.Errorf("it is written, %v %v:\n%s", info.Mode(), err, out)
			}
		})
	}
}

// shown runs a line in the jail, with the directories in SHOWN shown to it.
func (p *place) shown(t *testing.T, line string) proc.Result {
	t.Helper()
	cell, err := p.keeper.Jail(p.root)
	if err != nil {
		t.Fatal(err)
	}
	result, err := proc.Run(t.Context(), proc.Command{Shell: line, Dir: p.root, Environ: p.environ, Jail: cell, Shown: shownBy(p.environ)})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// shownBy returns the directories in SHOWN.
func shownBy(environ []string) (shown []string) {
	for _, entry := range environ {
		if path, ok := strings.CutPrefix(entry, "SHOWN="); ok {
			shown = append(shown, path)
		}
	}
	return shown
}

// A user's tool can be read through links to Marvin's files, wherever these are.
func TestShownToolBehindLinks(t *testing.T) {
	for _, in := range []string{"/tmp", "/var/tmp"} {
		for _, to := range []string{"/tmp", "/var/tmp"} {
			p, dots, middle := newPlaceIn(t, tempIn(t, in), jail.Workspace), tempIn(t, to), tempIn(t, "/tmp")
			err := errors.Join(os.MkdirAll(dots+"/tools/say", 0o700), os.WriteFile(dots+"/tools/say/1.txt", []byte("shown\n"), 0o600),
				os.WriteFile(dots+"/tokens.json", []byte("canary"), 0o600), os.Symlink(dots, middle+"/dots"), os.RemoveAll(p.state), os.Symlink(middle+"/dots", p.state), os.Symlink("marvin", filepath.Dir(p.state)+"/local-finder"))
			if err != nil {
				t.Fatal(err)
			}
			for _, state := range []string{p.state, dots} {
				p.keeper = jail.NewKeeper(jail.Config{Mode: jail.Workspace, Home: p.home, State: state, Environ: p.environ})
				shown := p.state + "/tools/say"
				p.environ = append(p.environ, "SHOWN="+shown)
				if out := p.shown(t, "cat "+shown+"/1.txt "+dots+"/tokens.json "+p.state+"/tokens.json; true").Stdout.Text(); out != "shown\n" {
					t.Errorf("from %s to %s with %s: %q", in, to, state, out)
				}
				if err := p.keeper.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

func TestShownPathBelowTmp(t *testing.T) {
	p := newPlaceIn(t, varTemp(t), jail.Workspace)
	dir, err := os.MkdirTemp("/tmp", "jail-shown-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.WriteFile(dir+"/1.txt", []byte("shown\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := p.shown(t, "cat "+dir+"/1.txt 2>&1; true").Stdout.Text(); strings.Contains(out, "shown\n") {
		t.Errorf("it is read without being shown: %s", out)
	}
	p.environ = append(p.environ, "SHOWN="+dir, "SHOWN="+dir+"/missing", "SHOWN=relative")
	out := p.shown(t, "cat "+dir+"/1.txt; echo x > "+dir+"/1.txt; true").Stdout.Text()
	if out != "shown\n" || content(dir+"/1.txt") != "shown\n" {
		t.Errorf("%q, then %q", out, content(dir+"/1.txt"))
	}
}
