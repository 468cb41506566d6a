package git

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marvin/tools"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/toolstest"
)

// checkouts lists the checkouts below a home directory.
func checkouts(t *testing.T, home string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(borrowedBelow(home), "*"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Changes in a checkout of another repository are returned as a patch, including new files, binary
// files and commits. Nothing remains of the checkout.
func TestACheckoutIsBorrowed(t *testing.T) {
	p := newRepository(t)
	p.hook("post-checkout", "touch '"+p.env.Home+"/ran'")
	first := strings.TrimSpace(p.plain("rev-parse", "HEAD"))
	p.write("a.txt", "later\n")
	p.plain("commit", "-q", "-am", "second")
	env := p.env
	env.Dir = ""
	taken, err := Borrow(t.Context(), env, p.dir, first)
	if err != nil {
		t.Fatal(err)
	}
	if content, err := os.ReadFile(filepath.Join(taken.Dir, "a.txt")); err != nil || string(content) != "one\ntwo\nthree\n" {
		t.Errorf("a.txt is %q, %v", content, err)
	}
	if patch, err := taken.Patch(t.Context()); patch != "" || err != nil {
		t.Errorf("nothing was changed, and the patch is %q, %v", patch, err)
	}
	if removed, err := Sweep(env.Home); removed != 0 || err != nil {
		t.Errorf("one in use is swept: %d, %v", removed, err)
	}
	in := &place{t: t, dir: taken.Dir, env: p.env}
	in.write("a.txt", "one\n2\nthree\n")
	in.write("blob", "\x00\x01\x02")
	in.plain("add", ".")
	in.plain("commit", "-q", "-m", "kept")
	in.write("new/b.txt", "b\n")
	patch, err := taken.Patch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	to := newRepository(t)
	to.write("../change.patch", patch)
	to.plain("apply", "--index", "../change.patch")
	if got := to.plain("diff", "--cached", "--name-status"); got != "M\ta.txt\nA\tblob\nA\tnew/b.txt\n" {
		t.Errorf("the patch changes %q", got)
	}
	in.write("much", strings.Repeat("0123456789abcdefghijklmnopqrstuvwxyz\n", mostPatch/37+1))
	if patch, err := taken.Patch(t.Context()); patch != "" || err == nil || !strings.Contains(err.Error(), "collect the change: the patch is longer than the limit of 512 KB") {
		t.Errorf("a long one: %d bytes, %v", len(patch), err)
	}
	if err := taken.Close(); err != nil || len(checkouts(t, env.Home)) > 0 {
		t.Errorf("left are %q, %v", checkouts(t, env.Home), err)
	}
	toolstest.NothingOpen(t, env.Home, "a checkout")
	if _, err := os.Stat(env.Home + "/ran"); err == nil {
		t.Error("a hook of the other repository ran")
	}
	room := proc.Capped{Most: mostPatch}
	if n, err := room.Write(make([]byte, mostPatch)); n != mostPatch || err != nil {
		t.Errorf("as much as there may be: %d, %v", n, err)
	}
	if n, err := room.Write([]byte{0}); n != 0 || err == nil {
		t.Errorf("one byte more: %d, %v", n, err)
	}
}

// Whichever call of git fails, Borrow or Patch returns an error, and nothing remains of the
// checkout.
func TestBorrowedCheckoutFailures(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	from := newRepository(t)
	commit := strings.TrimSpace(from.plain("rev-parse", "HEAD"))
	told := map[string]int{}
	for number, most := 0, 1; number <= most; number++ {
		p := newPlace(t)
		p.env.Dir = ""
		fail, calls := p.stumbling()
		fail(number)
		taken, err := Borrow(t.Context(), p.env, from.dir, commit)
		patch := ""
		if err == nil {
			(&place{t: t, dir: taken.Dir, env: from.env}).write("a.txt", "new\n")
			patch, err = taken.Patch(t.Context())
			if closed := taken.Close(); closed != nil {
				t.Error(closed)
			}
		}
		if gone := checkouts(t, p.env.Home); len(gone) > 0 {
			t.Errorf("of call %d stays %q", number, gone)
		}
		if number == 0 {
			if most = len(calls()); err != nil || most < 5 || !strings.Contains(patch, "+new") {
				t.Fatalf("%q, %v after %d calls", patch, err, most)
			}
			continue
		}
		if err == nil || patch != "" || !strings.Contains(err.Error(), "broken on purpose") {
			t.Errorf("%q fails, and it says %q, %v", calls()[number-1], patch, err)
			continue
		}
		what, _, _ := strings.Cut(err.Error(), ":")
		told[strings.ReplaceAll(what, commit, "COMMIT")]++
	}
	for _, what := range []string{"fetch COMMIT", "check out COMMIT", "collect the change"} {
		if told[what] == 0 {
			t.Errorf("no failure says %q: %v", what, told)
		}
	}
	p := newPlace(t)
	for says, change := range map[string]func(*tools.Env, *string, *string){
		"there is no home directory in which a repository could be checked out": func(env *tools.Env, _, _ *string) { env.Home = "" },
		"make room for a checkout: ": func(env *tools.Env, _, _ *string) { env.Home = filepath.Join(from.dir, "a.txt") },
		"fetch 123: ":                func(_ *tools.Env, _, commit *string) { *commit = "123" },
		"fetch " + commit + ": ":     func(_ *tools.Env, address, _ *string) { *address = "ext::sh -c touch% x" },
	} {
		env, address, name := p.env, from.dir, commit
		change(&env, &address, &name)
		taken, err := Borrow(t.Context(), env, address, name)
		if taken != nil || err == nil || !strings.HasPrefix(err.Error(), says) {
			t.Errorf("%v, want %s", err, says)
		}
		if gone := checkouts(t, p.env.Home); len(gone) > 0 {
			t.Errorf("%s: there stays %q", says, gone)
		}
	}
	if removed, err := Sweep(from.dir); removed != 0 || err != nil {
		t.Errorf("where nothing is: %d, %v", removed, err)
	}
}
