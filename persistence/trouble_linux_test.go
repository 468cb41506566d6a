package persistence

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
)

// What may be wrong with a file.
var troubles = []struct {
	name string
	make func(path string) error
}{
	{"as it is", func(string) error { return nil }},
	{"gone", os.RemoveAll},
	{"empty", func(path string) error { return instead(path, "") }},
	{"broken", func(path string) error { return instead(path, `{"broken": [`) }},
	{"a directory", func(path string) error {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
		return os.MkdirAll(path, 0o700)
	}},
	{"below a file", func(path string) error { return instead(filepath.Dir(path), "a file") }},
}

func instead(path, text string) error {
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o600)
}

// Each deed, with its file as it is and in each trouble: what it gives and says, and which files
// it writes, is written down.
func TestWhatComesOfFilesInTrouble(t *testing.T) {
	root := inMemory(t)
	from, at := filepath.Join(root, "settled"), filepath.Join(root, "tried")
	id, err := settled(at)
	must(t, err)
	must(t, os.Rename(at, from))
	must(t, os.CopyFS(at, os.DirFS(from)))
	whole := tree(t, at, contents(t, at))
	var all strings.Builder
	for _, deed := range slices.Concat(documentDeeds, keptDeeds, partDeeds) {
		fmt.Fprintf(&all, "\n%s (%s)\n", deed.name, deed.file)
		usual := ""
		for _, trouble := range troubles {
			path := filepath.Join(at, filepath.FromSlash(strings.ReplaceAll(deed.file, "%", id)))
			if strings.HasSuffix(deed.file, "sessions/%") {
				path = conversationFile(t, at, id)
			}
			must(t, trouble.make(path))
			told, left := tried(t, at, func() (any, error) { return deed.do(workAt(at), id) })
			told = strings.NewReplacer(id, "ID", at+"/", "", stateFiles, "CONFIG/", dataFiles, "DATA/").Replace(told)
			mend(t, from, at, whole, tree(t, at, left))
			if trouble.name == "as it is" {
				usual = told
			} else if told == usual {
				told = " the same"
			}
			fmt.Fprintf(&all, "  %s:%s\n", trouble.name, told)
		}
	}
	goldentest.Hold(t, "trouble.golden", all.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

// mend brings back what is not as it was. To copy all of it for each row, and to remove it, was half
// of the processor time of the test.
func mend(t *testing.T, from, at string, whole, found map[string]standing) {
	t.Helper()
	if info, err := os.Lstat(at); err != nil || !info.IsDir() {
		bringBack(t, from, at)
		return
	}
	paths := slices.Sorted(maps.Keys(found))
	for path := range whole {
		if _, there := found[path]; !there {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	copied := "" // the directory that was copied last: what is below it is whole
	for _, path := range paths {
		if was, there := whole[path]; there && found[path] == was || copied != "" && strings.HasPrefix(path, copied+"/") {
			continue
		}
		bringBack(t, filepath.Join(from, path), filepath.Join(at, path))
		copied = path
	}
}

// bringBack puts a file or a directory, with all below it, in the place of what is there. What is
// not there to be copied is gone.
func bringBack(t *testing.T, from, to string) {
	t.Helper()
	must(t, os.RemoveAll(to))
	info, err := os.Lstat(from)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err == nil && info.Mode().IsRegular():
		data, err := os.ReadFile(from)
		must(t, errors.Join(err, os.WriteFile(to, data, 0o666|info.Mode()))) // as os.CopyFS makes it
	default:
		must(t, errors.Join(err, os.CopyFS(to, os.DirFS(from))))
	}
}

// standing is all that tells a file or a directory from another at the same path.
type standing struct {
	mode fs.FileMode
	text string // of a file
}

// tree is all below a directory whose files hold these texts.
func tree(t *testing.T, root string, texts map[string]string) map[string]standing {
	t.Helper()
	all := map[string]standing{}
	must(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			name := strings.TrimPrefix(path, root+"/")
			all[name] = standing{info.Mode(), texts[name]}
		}
		return err
	}))
	return all
}

// conversationFile is where a conversation is kept.
func conversationFile(t *testing.T, root, id string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dataFiles), "sessions", "*", "*"+id+"*.jsonl"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	return found[0]
}

var changing = regexp.MustCompile(`[0-9a-f]{16,}|20260214-123015-[0-9a-z]{6}|(?:command|project)-[0-9a-z]{5,8}|\.new-[0-9]+|[0-9A-Z]{26}|[0-9]{6,}\.tmp|"size":[0-9]{3,}`)

// tried is what a deed gives, what it says, and which files it leaves otherwise than they were;
// and what all files hold then.
func tried(t *testing.T, root string, do func() (any, error)) (told string, left map[string]string) {
	t.Helper()
	before := contents(t, root)
	given, err := gives(do)
	must(t, err)
	left = contents(t, root)
	return given + changed(before, left), left
}

// openFiles are what this process has open, besides the list of them itself.
func openFiles() []string {
	entries, _ := os.ReadDir("/proc/self/fd") // none where there is no such list
	var open []string
	for _, entry := range entries {
		if path, err := os.Readlink("/proc/self/fd/" + entry.Name()); err == nil {
			open = append(open, path)
		}
	}
	slices.Sort(open)
	return open
}

// gives is what a deed gives and says, and how many files it leaves open.
func gives(do func() (any, error)) (told string, err error) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which would close what nobody has any more
	before := len(openFiles())
	value, failed := do()
	left := len(openFiles()) - before
	encoded, err := json.Marshal(value)
	if told = " " + string(encoded); string(encoded) == "null" {
		told = ""
	}
	if failed != nil {
		told += " error: " + strings.ReplaceAll(failed.Error(), "\n", " // ")
	}
	if left != 0 {
		told += fmt.Sprintf(" and leaves %d files open", left)
	}
	return changing.ReplaceAllString(told, "N"), err
}

// changed are the files that came, went or hold something else.
func changed(before, after map[string]string) (told string) {
	var names []string
	for name, text := range after {
		if was, there := before[name]; !there {
			names = append(names, " +"+name+held(name, text))
		} else if was != text {
			names = append(names, " ~"+name+held(name, text))
		}
	}
	for name := range before {
		if _, there := after[name]; !there {
			names = append(names, " -"+name)
		}
	}
	slices.Sort(names)
	return changing.ReplaceAllString(strings.Join(names, ""), "N")
}

// held is what a short file holds, in a line.
func held(name, text string) string {
	if strings.HasSuffix(name, ".lock") || len(text) > 300 { // a lock names a process
		return ""
	}
	return " {{" + strings.Join(strings.Fields(text), " ") + "}}"
}

// contents are the files below a directory, and what they hold.
func contents(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	must(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		all[strings.TrimPrefix(path, root+"/")] = string(content)
		return err
	}))
	return all
}
