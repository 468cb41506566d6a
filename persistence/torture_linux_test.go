//go:build amd64 || arm64

package persistence

import (
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"marvin/persistence/chat"
	"marvin/persistence/disktest"
	"marvin/persistence/internal/storetest"
)

func init() {
	storetest.AtStart = disktest.Main
	storetest.Helpers["writings"] = func(root string) error { return doAll(workAt(root)) }
	storetest.Helpers["long log"] = func(root string) error {
		w := workAt(root)
		long := make([]chat.Entry, rewrittenLog/(16<<10)+1)
		for i := range long {
			long[i] = chat.Entry{Role: "you", Text: strings.Repeat("x", 16<<10)}
		}
		if err := chat.New(w.profile()).Append(long...); err != nil {
			return err
		}
		return doThese(w, slices.DeleteFunc(writings(), func(d writing) bool { return !strings.HasSuffix(d.name, " chat") }))
	}
	storetest.Helpers["writings for ever"] = func(root string) error {
		for round := 0; ; round++ {
			w := workAt(filepath.Join(root, fmt.Sprint(round)))
			if err := doAll(w); err != nil {
				return err
			}
			fmt.Fprintln(os.Stdout, "again", w.worksAgain())
		}
	}
}

func doAll(w workplace) error { return doThese(w, writings()) }

// doThese makes the writes and reports the result. Its output appears at once.
func doThese(w workplace, writings []writing) error {
	if err := os.MkdirAll(w.project(), 0o700); err != nil {
		return err
	}
	if err := os.MkdirAll(w.User, 0o700); err != nil {
		return err
	}
	fmt.Fprintln(os.Stdout, "begin", w.root)
	for _, writing := range writings {
		if err := writing.do(w); err != nil && !OnlyDamage(err) {
			fmt.Fprintf(os.Stdout, "failed %s: %v\n", writing.name, err)
			continue
		}
		fmt.Fprintln(os.Stdout, "did", writing.name)
	}
	fmt.Fprintln(os.Stdout, "end")
	return nil
}

// inMemory returns a directory in which writes do not wait for a disk.
func inMemory(t *testing.T) string {
	root, err := os.MkdirTemp("/dev/shm", "marvin")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(root); os.RemoveAll(root + ".left") })
	return root
}

// trial is one run of all writings with one fault.
type trial struct {
	nth, seen int
	full      bool // every write after the fault fails
	running   bool
	hit       disktest.Call
	acked     []string
}

// fault is an error that a call can return.
func fault(call disktest.Call) unix.Errno {
	switch call.Kind {
	case disktest.Open:
		return unix.EMFILE
	case disktest.Write, disktest.Mkdir, disktest.Copy:
		return unix.ENOSPC
	case disktest.Lock:
		return unix.ENOLCK
	case disktest.Chmod, disktest.Remove:
		return unix.EPERM
	}
	return unix.EIO
}

func (r *trial) judge(call disktest.Call) disktest.Verdict {
	if r.seen++; r.seen < r.nth {
		return disktest.Verdict{}
	}
	if r.seen == r.nth {
		if r.hit = call; call.Kind == disktest.Write && len(call.Data) > 1 {
			return disktest.Verdict{Half: true} // the rest of it finds the disk full
		}
		return disktest.Verdict{Fail: fault(call)}
	}
	if call.Kind == disktest.Write && (r.full || r.seen == r.nth+1 && r.hit.Kind == disktest.Write) ||
		r.full && (call.Kind == disktest.Mkdir || call.Kind == disktest.Open && call.Flags&unix.O_CREAT != 0) {
		return disktest.Verdict{Fail: unix.ENOSPC}
	}
	return disktest.Verdict{}
}

// check compares the content of the disk with the writings that were reported as made.
func (r *trial) check(t *testing.T, root string) {
	t.Helper()
	w := workAt(root)
	if err := w.reads(); err != nil {
		t.Errorf("with call %d (%s) failing: %v", r.nth, r.hit, err)
	}
	for _, writing := range writings() {
		if slices.Contains(r.acked, writing.name) && !writing.done(w) {
			t.Errorf("with call %d (%s) failing: %s was reported as done and is not there", r.nth, r.hit, writing.name)
		}
	}
	litter := 0
	if err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		switch {
		case err != nil:
			return err
		case strings.HasSuffix(path, ".tmp"):
			litter++
		case strings.Contains(path, ".damaged-") && !strings.Contains(path, "usage.journal."):
			t.Errorf("with call %d (%s) failing: %s was set aside though no one damaged it", r.nth, r.hit, path)
		case info.Mode().IsRegular() && info.Mode().Perm() != 0o600 && filepath.Base(path) != ".gitignore":
			t.Errorf("with call %d (%s) failing: %s has mode %s", r.nth, r.hit, path, info.Mode())
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
	if litter > 1 {
		t.Errorf("with call %d (%s) failing: %d temporary files are left", r.nth, r.hit, litter)
	}
}

// In one run each system call fails once, and in another run the disk is full from that call on,
// until a run ends without the fault. With TORTURE=1 every call fails in turn, otherwise every
// seventh, and with -short every 29th.
func TestEveryCallFailsOnce(t *testing.T) {
	for name, full := range map[string]bool{"that call alone": false, "a full disk from then on": true} {
		t.Run(name, func(t *testing.T) {
			root, stride := inMemory(t), 7
			if testing.Short() {
				stride = 29
			}
			if os.Getenv("TORTURE") != "" {
				stride = 1
			}
			tried, run, at, over := 0, trial{nth: 1, full: full}, "", errors.New("all calls have failed")
			stop := func() disktest.Verdict { return disktest.Verdict{Fail: unix.EPIPE} }
			err := disktest.Watch(storetest.Helper(t, "writings for ever", root), root, func(call disktest.Call) disktest.Verdict {
				if !call.ToStdout() {
					if run.running {
						return run.judge(call)
					}
					return disktest.Verdict{}
				}
				line := strings.TrimSpace(string(call.Data))
				verb, rest, _ := strings.Cut(line, " ")
				switch verb {
				case "begin":
					at, run.running = rest, true
				case "did":
					run.acked = append(run.acked, rest)
				case "end":
					run.running = false
					run.check(t, at)
				case "again":
					if rest != "<nil>" {
						t.Errorf("behind call %d (%s) that failed: %s", run.nth, run.hit, rest)
					}
					storetest.Must(t, os.RemoveAll(at))
					if run.seen < run.nth || t.Failed() {
						over = nil
						return stop()
					}
					tried++
					run = trial{nth: run.nth + stride, full: full}
				}
				return disktest.Verdict{}
			})
			if errors.Is(err, disktest.ErrNotHere) {
				t.Skip(err)
			}
			if over != nil {
				t.Errorf("it ended with call %d: %v", run.nth, err)
			}
			t.Logf("%d calls failed, one after the other", tried)
		})
	}
}

// The power is cut at every call, with every kind of loss. The loss of half of the names is tested
// only with TORTURE=1.
func TestPowerCutAtEveryCall(t *testing.T) {
	for name, want := range map[string]struct {
		writings, states int
		torn             bool
	}{
		"writings": {len(writings()), 500, false},
		"long log": {2, 8, true}, // which is written in its place
	} {
		t.Run(name, func(t *testing.T) {
			root := inMemory(t)
			cut := powerCut{t: t, root: root, torn: want.torn, seen: map[uint64]bool{}, seed: maphash.MakeSeed()}
			err := disktest.Watch(storetest.Helper(t, name, root), root, func(call disktest.Call) disktest.Verdict {
				cut.before(call)
				return disktest.Verdict{}
			})
			if errors.Is(err, disktest.ErrNotHere) {
				t.Skip(err)
			}
			storetest.Must(t, err)
			if len(cut.acked) != want.writings || len(cut.seen) < want.states {
				t.Errorf("%d of %d writings were done, %d states seen", len(cut.acked), want.writings, len(cut.seen))
			}
			t.Logf("%d states of the disk", len(cut.seen))
		})
	}
}

type powerCut struct {
	t     *testing.T
	torn  bool // the end of the log may be damaged, with every entry that was reported still in it
	root  string
	disk  *powerDisk
	acked []string
	seen  map[uint64]bool
	seed  maphash.Seed
	cuts  int
}

func (p *powerCut) before(call disktest.Call) {
	if call.ToStdout() {
		verb, rest, _ := strings.Cut(strings.TrimSpace(string(call.Data)), " ")
		switch verb {
		case "begin":
			disk, err := newDisk(p.root)
			storetest.Must(p.t, err)
			p.disk = disk
		case "did":
			p.acked = append(p.acked, rest)
			p.cut(call)
		case "failed":
			p.t.Error(rest)
		}
		return
	}
	if p.disk != nil && (call.ChangesDisk() || call.Kind == disktest.Sync) {
		p.disk.apply(call)
		p.cut(call)
	}
}

// cut checks the files that a power cut would leave now. The current writing may be there or not,
// and earlier reported writings must be there.
func (p *powerCut) cut(call disktest.Call) {
	names, contents := []fate{lostNothing, lostAll}, []fate{lostAll, lostHalf, zeroed, lostNothing}
	if testing.Short() { // two kinds of loss by turns
		p.cuts++
		contents = contents[p.cuts%2*2:][:2]
	}
	if os.Getenv("TORTURE") != "" {
		names = append(names, lostHalf)
	}
	if p.torn { // no name changes where a file is written in its place
		names = names[:1]
	}
	for _, names := range names {
		for _, contents := range contents {
			left := p.disk.after(names, contents)
			if key := p.key(left); !p.seen[key] && !p.t.Failed() {
				p.seen[key] = true
				p.check(call, left, fmt.Sprintf("at %q, names %d, contents %d", call, names, contents))
			}
		}
	}
}

func (p *powerCut) key(left map[string][]byte) uint64 {
	var hash maphash.Hash
	hash.SetSeed(p.seed)
	for _, path := range slices.Sorted(maps.Keys(left)) {
		hash.WriteString(path)
		hash.WriteByte(0)
		hash.Write(left[path])
		hash.WriteByte(0)
	}
	hash.WriteByte(byte(len(p.acked)))
	return hash.Sum64()
}

func (p *powerCut) check(call disktest.Call, left map[string][]byte, when string) {
	root := p.root + ".left"
	defer os.RemoveAll(root)
	for _, path := range slices.Sorted(maps.Keys(left)) {
		inside := filepath.Join(root, strings.TrimPrefix(path, p.root))
		if content := left[path]; content == nil {
			storetest.Must(p.t, os.MkdirAll(inside, 0o700))
		} else {
			storetest.Must(p.t, os.WriteFile(inside, content, 0o600))
		}
	}
	w := workAt(root)
	if damaged := (*DamagedError)(nil); !p.torn || !errors.As(w.reads(), &damaged) {
		if err := w.reads(); err != nil {
			p.t.Errorf("%s: %v", when, err)
		}
	}
	for _, writing := range writings() {
		if writing.lasting && slices.Contains(p.acked, writing.name) && !writing.done(w) {
			p.t.Errorf("%s: %s was reported as done and is not there", when, writing.name)
		}
	}
	if err := w.worksAgain(); err != nil && !OnlyDamage(err) {
		p.t.Errorf("%s, afterwards: %v", when, err)
	}
}
