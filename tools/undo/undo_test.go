package undo_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/undolog"
	"marvin/tools"
	"marvin/tools/files"
	"marvin/tools/undo"
)

// project is a directory in which the real tools write, and what is kept of that.
type project struct {
	testing.TB
	env     tools.Env
	home    *persistence.Home
	journal *undolog.Journal
	turn    int
}

func begin(t testing.TB) *project {
	t.Helper()
	env := tools.Env{Home: t.TempDir(), Now: time.Now, Room: 100_000, Seen: &tools.Stamps{}, Progress: func(string) {}}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	env.Dir, env.Root, env.Coding = dir, dir, true
	p := &project{TB: t, env: env, home: persistence.Open(t.TempDir(), time.Now)}
	p.again()
	return p
}

// again reads the journal from the disk, as another process does.
func (p *project) again() { p.journal = undolog.Of(p.home, "one") }

func (p *project) call(name string, args map[string]any) error {
	p.Helper()
	text, err := json.Marshal(args)
	if err != nil {
		p.Fatal(err)
	}
	all := files.Tools()
	at := slices.IndexFunc(all, func(tool tools.Tool) bool { return tool.Name == name })
	call, err := all[at].Decode(text)
	if err != nil {
		p.Fatal(err)
	}
	env := p.env
	env.Undo = &undo.Keeper{
		Journal: func() *undolog.Journal { return p.journal }, Turn: fmt.Sprint("t", p.turn), Call: "c", Tool: name,
		Problem: func(err error) { p.Error(err) },
	}
	_, err = call.Run(context.Background(), env)
	return err
}

func (p *project) must(name string, args map[string]any) {
	p.Helper()
	if err := p.call(name, args); err != nil {
		p.Fatal(err)
	}
}

func (p *project) write(name, content string) {
	p.Helper()
	path := filepath.Join(p.env.Dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		p.Fatal(err)
	}
}

// tree is every file and directory with its mode and content.
func (p *project) tree() map[string]string {
	p.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(p.env.Dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		content := []byte{}
		if info.Mode().IsRegular() {
			content, err = os.ReadFile(path)
		}
		all[path] = fmt.Sprint(info.Mode(), " ", string(content))
		return err
	})
	if err != nil {
		p.Fatal(err)
	}
	return all
}

func (p *project) same(want map[string]string, when string) {
	p.Helper()
	got := p.tree()
	for path := range want {
		if got[path] != want[path] {
			p.Errorf("%s: %s is %q, not %q", when, path, got[path], want[path])
		}
	}
	for path := range got {
		if _, known := want[path]; !known {
			p.Errorf("%s: %s is there", when, path)
		}
	}
}

// sameFiles takes no notice of directories: one that was left empty is not made again.
func (p *project) sameFiles(want map[string]string, when string) {
	p.Helper()
	got := p.tree()
	for _, tree := range []map[string]string{got, want} {
		maps.DeleteFunc(tree, func(_, is string) bool { return is[0] == 'd' })
	}
	if !maps.Equal(got, want) {
		p.Errorf("%s: there is %q, not %q", when, got, want)
	}
}

// take carries a wish out and returns the report.
func (p *project) take(wish undo.Request) string {
	p.Helper()
	plan, err := undo.Make(p.journal, p.env, wish)
	if err != nil {
		p.Fatal(err)
	}
	if err := plan.Apply(context.Background(), p.journal, p.env); err != nil {
		p.Fatal(err)
	}
	return plan.Report()
}

func patchArgs(lines ...string) map[string]any {
	return map[string]any{"patch": "*** Begin Patch\n" + strings.Join(lines, "\n") + "\n*** End Patch"}
}

// Random turns of the real tools are taken back one after the other, and done again: the
// tree is each time what it was, other files among it.
func TestUndoAndRedoRestoreTree(t *testing.T) {
	seeds := uint64(20)
	if testing.Short() {
		seeds = 6
	}
	for seed := range seeds {
		p, r := begin(t), rand.New(rand.NewPCG(seed, 15))
		p.write("mine/other.txt", "nobody's business\n")
		p.write("run.sh", "echo one\n")
		if err := os.Chmod(filepath.Join(p.env.Dir, "run.sh"), 0o750); err != nil {
			t.Fatal(err)
		}
		states := []map[string]string{p.tree()}
		for p.turn = 1; p.turn <= 5; p.turn++ {
			before := len(p.records())
			for range 6 {
				p.random(r)
			}
			if len(p.records()) == before {
				p.must("create_file", map[string]any{"path": fmt.Sprint("extra", p.turn), "content": ""})
			}
			states = append(states, p.tree())
		}
		for turn := 5; turn >= 1; turn-- {
			p.again()
			p.take(undo.Request{})
			p.same(states[turn-1], fmt.Sprintf("seed %d, turn %d taken back", seed, turn))
		}
		for turn := 1; turn <= 5; turn++ {
			p.again()
			p.take(undo.Request{Redo: true})
			p.sameFiles(states[turn], fmt.Sprintf("seed %d, turn %d done again", seed, turn))
		}
		if t.Failed() {
			return
		}
	}
}

func (p *project) records() []undolog.Record {
	p.Helper()
	records, err := p.journal.Records()
	if err != nil {
		p.Fatal(err)
	}
	return records
}

// random makes one call that may fail.
func (p *project) random(r *rand.Rand) {
	names := []string{"a.txt", "b/c.txt", "b/d/e.txt", "f/g.txt", "run.sh"}
	name, other := names[r.IntN(len(names))], names[r.IntN(len(names))]
	switch r.IntN(5) {
	case 0:
		_ = p.call("create_file", map[string]any{"path": name, "content": fmt.Sprintln("line", r.IntN(1000))})
	case 1:
		_ = p.call("append_file", map[string]any{"path": name, "content": fmt.Sprintln("more", r.IntN(1000))})
	case 2:
		_ = p.call("apply_patch", patchArgs("*** Delete File: "+name))
	case 3:
		_ = p.call("apply_patch", patchArgs("*** Update File: "+name, "*** Move to: "+other))
	case 4:
		_ = p.call("apply_patch", patchArgs("*** Delete File: "+name, "*** Add File: "+other, "+new"))
	}
}

func TestFileChangedSinceStays(t *testing.T) {
	p := begin(t)
	p.turn = 1
	p.write("a.txt", "a\n")
	p.write("b.txt", "b\n")
	p.write("c.txt", "c\n")
	for _, name := range []string{"a.txt", "b.txt", "c.txt"} {
		p.must("append_file", map[string]any{"path": name, "content": "marvin\n"})
	}
	p.must("create_file", map[string]any{"path": "new.txt", "content": "marvin\n"})
	p.write("a.txt", "somebody\n")
	if err := os.Remove(filepath.Join(p.env.Dir, "c.txt")); err != nil {
		t.Fatal(err)
	}
	want := p.tree()
	maps.DeleteFunc(want, func(path, _ string) bool { return strings.HasSuffix(path, "new.txt") })
	want[filepath.Join(p.env.Dir, "b.txt")] = "-rw-r--r-- b\n"
	report := p.take(undo.Request{})
	p.same(want, "taken back")
	for _, says := range []string{"Undone: 2 file changes in turn t1; 2 files stay", "a.txt: it was changed since", "c.txt: it was removed since"} {
		if !strings.Contains(report, says) {
			t.Errorf("it does not say %q:\n%s", says, report)
		}
	}
	report = p.take(undo.Request{})
	p.same(want, "taken back twice")
	if !strings.HasPrefix(report, "Undone: nothing in turn t1; 2 files stay as they are:") {
		t.Errorf("the second time says %s", report)
	}
}

func TestLinksAreNotFollowed(t *testing.T) {
	p, outside := begin(t), t.TempDir()
	p.turn = 1
	p.write("dir/a.txt", "a\n")
	p.write("b.txt", "b\n")
	p.must("append_file", map[string]any{"path": "dir/a.txt", "content": "marvin\n"})
	p.must("append_file", map[string]any{"path": "b.txt", "content": "marvin\n"})
	if err := os.Rename(filepath.Join(p.env.Dir, "dir"), filepath.Join(p.env.Dir, "real")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(p.env.Dir, "b.txt"), filepath.Join(outside, "b.txt")); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"dir": "real", "b.txt": filepath.Join(outside, "b.txt")} {
		if err := os.Symlink(to, filepath.Join(p.env.Dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	want := p.tree()
	report := p.take(undo.Request{})
	p.same(want, "taken back")
	if content, err := os.ReadFile(filepath.Join(outside, "b.txt")); err != nil || string(content) != "b\nmarvin\n" {
		t.Errorf("outside it is %q, %v", content, err)
	}
	if !strings.Contains(report, "nothing in turn t1; 2 files stay") || !strings.Contains(report, "a.txt: its path, or a part of the path, is now a symbolic link") {
		t.Error(report)
	}
}

func TestInterruptedUndoIsFinished(t *testing.T) {
	p := begin(t)
	p.turn = 1
	for _, name := range []string{"a.txt", "b.txt", "c.txt"} {
		p.write(name, name)
	}
	want := p.tree()
	for _, name := range []string{"a.txt", "b.txt", "c.txt"} {
		p.must("append_file", map[string]any{"path": name, "content": "\nmarvin\n"})
	}
	p.take(undo.Request{Path: "a.txt"})
	if err := p.journal.Store([]byte("b.txt\nmarvin\n")); err != nil { // as Apply does first
		t.Fatal(err)
	}
	p.write("b.txt", "b.txt") // written back, and not yet in the journal
	p.again()
	if report := p.take(undo.Request{}); !strings.Contains(report, "2 file changes in turn t1") {
		t.Error(report)
	}
	p.same(want, "finished")
	if _, err := undo.Make(p.journal, p.env, undo.Request{}); err == nil {
		t.Error("there is something left to take back")
	}
	p.take(undo.Request{Redo: true})
	if content, _ := os.ReadFile(filepath.Join(p.env.Dir, "b.txt")); string(content) != "b.txt\nmarvin\n" {
		t.Errorf("done again it is %q", content)
	}
}

func TestLastingChangesAreNamed(t *testing.T) {
	p := begin(t)
	keeper := &undo.Keeper{Journal: func() *undolog.Journal { return p.journal }, Turn: "t1", Tool: "run_command"}
	keeper.RecordCall("run_command make", nil)
	if _, err := undo.Make(p.journal, p.env, undo.Request{Turn: "t1"}); err == nil || !strings.Contains(err.Error(), "run_command make") {
		t.Errorf("it says %v", err)
	}
	p.turn = 1
	p.must("create_file", map[string]any{"path": "a", "content": "a"})
	if report := p.take(undo.Request{}); !strings.Contains(report, "Not undone:\n  run_command make") {
		t.Error(report)
	}
}

// The time does not depend on the tree: only files that Marvin wrote are looked at.
func BenchmarkUndoAmong100000Files(b *testing.B) {
	p := begin(b)
	for i := range 100_000 {
		if i%1000 == 0 {
			if err := os.Mkdir(filepath.Join(p.env.Dir, fmt.Sprint(i/1000)), 0o755); err != nil {
				b.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(p.env.Dir, fmt.Sprint(i/1000), fmt.Sprint(i)), nil, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		b.StopTimer()
		p.turn++
		p.must("create_file", map[string]any{"path": "7/marvin", "content": "x\n"})
		b.StartTimer()
		p.take(undo.Request{})
	}
}

func BenchmarkKeepSmallFile(b *testing.B) {
	p := begin(b)
	keeper := &undo.Keeper{Journal: func() *undolog.Journal { return p.journal }, Turn: "t1", Tool: "append_file"}
	for n := 0; b.Loop(); n++ {
		keeper.Keep([]tools.FileChange{{Dir: p.env.Dir, Name: "a", Before: fmt.Appendf(make([]byte, 2000), "%d", n), After: []byte("after")}})
	}
}
