package jail_test

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"marvin/tools/internal/jail"
	"marvin/tools/internal/proc"
)

// learning returns a place outside /tmp, in which a program reads and writes.
func learning(t *testing.T) *place {
	t.Helper()
	base, err := os.MkdirTemp("/var/tmp", "learn")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	p := newPlaceIn(t, base, jail.Workspace)
	for _, name := range []string{"home/notes/a.txt", "home/other/b.txt", "home/.tool/x/y/z.txt", "home/project/sub/c.txt"} {
		name = filepath.Join(base, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("text of "+filepath.Base(name)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func (p *place) in(t *testing.T, cell *jail.Jail, line string) proc.Result {
	t.Helper()
	result, err := proc.Run(t.Context(), proc.Command{Shell: line, Dir: p.root, Environ: p.environ, Jail: cell})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestAProfileIsLearnedAndHeld(t *testing.T) {
	p := learning(t)
	seen, err := p.keeper.Observed(p.root)
	if err != nil {
		t.Fatal(err)
	}
	const work = `cat ~/notes/a.txt ~/.tool/x/y/z.txt; echo out > sub/out.txt; cat ~/nothing 2>/dev/null; cat ~/.ssh/GEMINI_API_KEY; echo no > ~/notes/vain.txt; true`
	if result := p.in(t, seen, work); !strings.Contains(result.Stdout.Text(), "text of z.txt") {
		t.Fatalf("%s%s", result.Stdout.Text(), result.Stderr.Text())
	}
	if !seen.Observes() {
		t.Skip("this system cannot observe a program")
	}
	did, wanted := seen.Learned("")
	if want := (jail.Profile{Read: []string{"~/.tool", "~/notes/a.txt"}, Write: []string{"."}}); !reflect.DeepEqual(did, want) {
		t.Errorf("it did %+v", did)
	}
	if want := (jail.Profile{Write: []string{"~/notes"}}); !reflect.DeepEqual(wanted, want) {
		t.Errorf("it wanted %+v", wanted)
	}
	held, err := p.keeper.Held(p.root, did, nil)
	if err != nil {
		t.Fatal(err)
	}
	if result := p.in(t, held, work); !strings.Contains(result.Stdout.Text(), "text of a.txttext of z.txt") || exists(p.home+"/notes/vain.txt") {
		t.Errorf("it cannot do what it did: %s%s", result.Stdout.Text(), result.Stderr.Text())
	}
	if wanted := held.Wanted(); !reflect.DeepEqual(wanted, jail.Profile{Write: []string{"~/notes"}}) {
		t.Errorf("it wanted %+v", wanted)
	}
	result := p.in(t, held, `cat ~/other/b.txt; echo x > ~/other/x.txt; echo > .git/config; echo x > in.txt`)
	if strings.Contains(result.Stdout.Text(), "text of") || exists(p.home+"/other/x.txt") || !exists(p.root+"/in.txt") {
		t.Errorf("%s%s", result.Stdout.Text(), result.Stderr.Text())
	}
	if wanted := held.Wanted(); !reflect.DeepEqual(wanted, jail.Profile{Read: []string{"~/other"}, Write: []string{"~/notes", "~/other"}}) {
		t.Errorf("it wanted %+v", wanted)
	}
	if nothing, err := p.keeper.Held(p.root, jail.Profile{}, nil); err != nil {
		t.Error(err)
	} else if result := p.in(t, nothing, `cat main.txt; echo x > nothing.txt`); strings.Contains(result.Stdout.Text(), "mine") || exists(p.root+"/nothing.txt") {
		t.Errorf("%s%s", result.Stdout.Text(), result.Stderr.Text())
	}
}

// A held program uses the same cache as when it was observed, whether or not the user has one.
func TestAHeldProgramHasItsCache(t *testing.T) {
	const write, read = `c=${npm_config_cache:-$HOME/.npm}; mkdir -p $c && echo program > $c/got`, `cat ${npm_config_cache:-$HOME/.npm}/got && echo log >> ${npm_config_cache:-$HOME/.npm}/got`
	for _, runner := range []string{"", "npx"} {
		p := learning(t)
		if err := p.keeper.MakeCache(runner); err != nil {
			t.Fatal(err)
		}
		seen, err := p.keeper.Observed(p.root)
		if err != nil {
			t.Fatal(err)
		}
		if result := p.in(t, seen, write); result.ExitCode != 0 {
			t.Fatal(result.Stderr.Text())
		}
		if !seen.Observes() {
			t.Skip("this system cannot observe a program")
		}
		did, _ := seen.Learned("")
		held, err := p.keeper.Held(p.root, did, nil)
		if err != nil {
			t.Fatal(err)
		}
		if result := p.in(t, held, read); result.ExitCode != 0 {
			t.Errorf("runner %q, profile %s: %s", runner, did, result.Stderr.Text())
		}
		if exists(p.home+"/.npm/got") != (runner == "npx") {
			t.Errorf("runner %q: the program is kept in the wrong place", runner)
		}
	}
}

func TestANetworkWithNothingButTheProxy(t *testing.T) {
	p := learning(t)
	outside, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer outside.Close()
	var serving errgroup.Group
	greet := func(listener net.Listener, word string) {
		serving.Go(func() error {
			for {
				connection, err := listener.Accept()
				if err != nil {
					return nil
				}
				_, _ = io.WriteString(connection, word)
				_ = connection.Close()
			}
		})
	}
	greet(outside, "from outside")
	seen, err := p.keeper.Observed(p.root)
	if err != nil {
		t.Fatal(err)
	}
	ask := `exec 3<>/dev/tcp/` + strings.ReplaceAll(outside.Addr().String(), ":", "/") + `; cat <&3`
	if result := p.in(t, seen, ask); result.Stdout.Text() != "from outside" {
		t.Fatalf("%s%s", result.Stdout.Text(), result.Stderr.Text())
	}
	if !seen.Observes() {
		t.Skip("this system cannot observe a program")
	}
	if did, _ := seen.Learned(""); !did.Network {
		t.Errorf("it was not noted: %+v", did)
	}
	if did, _ := seen.Learned(outside.Addr().String()); did.Network {
		t.Errorf("the proxy counts: %+v", did)
	}
	var gate net.Listener
	held, err := p.keeper.Held(p.root, jail.Profile{}, func(listener net.Listener) { gate = listener; greet(listener, "from the proxy") })
	if err != nil {
		t.Fatal(err)
	}
	if result := p.in(t, held, ask); strings.Contains(result.Stdout.Text(), "outside") {
		t.Errorf("it speaks past the proxy")
	}
	if gate == nil {
		t.Skip("no network of its own can be made here")
	}
	if result := p.in(t, held, `exec 3<>/dev/tcp/`+strings.ReplaceAll(jail.GateAddress, ":", "/")+`; cat <&3`); result.Stdout.Text() != "from the proxy" {
		t.Errorf("%s%s", result.Stdout.Text(), result.Stderr.Text())
	}
	if !held.Wanted().Network {
		t.Errorf("it wanted %+v", held.Wanted())
	}
	_ = gate.Close()
}
