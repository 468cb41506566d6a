//go:build amd64 || arm64

package persistence

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"marvin/persistence/disktest"
	"marvin/persistence/goldentest"
)

func init() {
	helpers["deeds"] = func(root string) error {
		id, err := os.ReadFile(filepath.Join(root, "id"))
		for _, deed := range slices.Concat(documentDeeds, keptDeeds, partDeeds) {
			for again := error(nil); again == nil && err == nil; { // until the parent refuses to hear more of it
				fmt.Fprintln(os.Stdout, "begin", deed.name)
				var told string
				told, err = gives(func() (any, error) { return deed.do(workAt(filepath.Join(root, "tried")), string(id)) })
				_, again = fmt.Fprintln(os.Stdout, "end", told)
			}
		}
		return err
	}
}

// refusal is one deed, of which one call after the other is refused. Calls are known by what they
// do to which file for how many times: some deeds read several files at once.
type refusal struct {
	t        *testing.T
	root, id string
	settled  map[string]string
	running  bool
	dirty    []string       // what may have been changed
	made     map[string]int // how often each call was made
	calls    []string       // those of the deed; nil until it was watched once
	at       int            // in calls
	usual    string
	outcomes []string
	refused  map[string][]string // by the outcome
	all      strings.Builder
}

// Each deed, with each call of the kernel refused that it makes: what it gives and says, and
// which files it leaves otherwise, is written down. Nothing that fails is passed over in silence
// but where the file says so.
func TestWhatComesOfEachCallThatIsRefused(t *testing.T) {
	root := inMemory(t)
	r := refusal{t: t, root: root}
	from, at := filepath.Join(root, "settled"), filepath.Join(root, "tried")
	var err error
	r.id, err = settled(at)
	must(t, err)
	must(t, os.Rename(at, from))
	must(t, os.WriteFile(filepath.Join(root, "id"), []byte(r.id), 0o600))
	r.settled = contents(t, from)
	r.dirty = []string{at}
	err = disktest.Watch(helper(t, "deeds", root), root, func(call disktest.Call) disktest.Verdict {
		switch {
		case call.Said():
			return r.hear(strings.TrimSpace(string(call.Data)))
		case r.running && strings.HasPrefix(call.Path+call.To, at):
			return r.judge(call)
		}
		return disktest.Verdict{}
	})
	if errors.Is(err, disktest.ErrNotHere) {
		t.Skip("calls of the kernel cannot be refused here:", err)
	}
	must(t, err)
	goldentest.Hold(t, "refused.golden", r.all.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

// hear is told where the process is. What it says of a deed is refused once every call of it was.
func (r *refusal) hear(line string) disktest.Verdict {
	verb, rest, _ := strings.Cut(line, " ")
	at := filepath.Join(r.root, "tried")
	if verb == "begin" {
		r.settle(at)
		r.running, r.made = true, map[string]int{}
		if r.calls == nil {
			fmt.Fprintf(&r.all, "\n%s\n", rest)
		}
		return disktest.Verdict{}
	}
	r.running = false
	outcome := r.short(rest + heldWhole.ReplaceAllString(changed(r.settled, contents(r.t, at)), ""))
	if r.calls == nil {
		r.usual = outcome
		for call, times := range r.made {
			for n := range min(times, 2) { // all of them would take a fifth more time
				r.calls = append(r.calls, call+strings.Repeat("'", n))
			}
		}
		slices.Sort(r.calls)
		r.at, r.outcomes, r.refused = 0, nil, map[string][]string{}
		fmt.Fprintf(&r.all, "  nothing: %s\n", outcome)
	} else {
		if r.refused[outcome] == nil {
			r.outcomes = append(r.outcomes, outcome)
		}
		r.refused[outcome] = append(r.refused[outcome], r.calls[r.at])
		r.at++
	}
	if r.at < len(r.calls) {
		return disktest.Verdict{}
	}
	for _, one := range r.outcomes {
		told := one
		if one == r.usual {
			told = "the same"
		}
		fmt.Fprintf(&r.all, "  %s: %s\n", strings.Join(r.refused[one], ", "), told)
	}
	r.calls = nil
	return disktest.Verdict{Fail: unix.EIO}
}

// settle brings back what may have been changed, with files that others may read, whatever the umask.
func (r *refusal) settle(at string) {
	slices.Sort(r.dirty)
	for _, path := range slices.Compact(r.dirty) {
		bringBack(r.t, filepath.Join(r.root, "settled", strings.TrimPrefix(path, at)), path)
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		must(r.t, filepath.WalkDir(path, readable))
	}
	r.dirty = nil
}

// readable lets others read a file.
func readable(path string, entry fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	info, err := entry.Info()
	if err != nil {
		return err
	}
	return os.Chmod(path, info.Mode()&0o700|0o044)
}

// judge refuses the call whose turn it is. Of a file only the first reading is.
func (r *refusal) judge(call disktest.Call) disktest.Verdict {
	if call.Changes() {
		for _, path := range []string{call.Path, call.To} {
			if strings.HasPrefix(path, filepath.Join(r.root, "tried")) {
				r.dirty = append(r.dirty, path)
			}
		}
	}
	name := r.short(string(call.Kind) + " " + call.Path)
	if call.Kind == disktest.Read && r.made[name] > 0 {
		return disktest.Verdict{}
	}
	r.made[name]++
	if r.calls != nil && r.calls[r.at] == name+strings.Repeat("'", r.made[name]-1) {
		return disktest.Verdict{Fail: fault(call)}
	}
	return disktest.Verdict{}
}

var (
	heldWhole = regexp.MustCompile(` \{\{.*?\}\}+`)
	whichJob  = regexp.MustCompile(`"(first|second|third) completed"`) // their directories have names by chance
)

// short is a text without the names that each run has of its own.
func (r *refusal) short(text string) string {
	text = strings.NewReplacer(r.id, "ID", r.root+"/tried/", "", strings.ReplaceAll(r.root[1:], "/", "_"), "ROOT", stateFiles, "CONFIG/", dataFiles, "DATA/").Replace(text)
	return whichJob.ReplaceAllString(changing.ReplaceAllString(strings.TrimSpace(text), "N"), `"one completed"`)
}
