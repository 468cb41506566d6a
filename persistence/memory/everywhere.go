package memory

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marvin/persistence"
	"marvin/persistence/sessions"
)

// Swept is what came of taking words out of everything else that Marvin keeps.
type Swept struct {
	Files  []string // in which something was taken out
	Places int
	Left   []string // files of the user's own with the words, which stay as they are

	dirs []string // where the conversations were, with copies of them
}

// keeps are the beginnings of the names of files below the state directory in which Marvin keeps
// what was said. The user writes the others, and a sweep does not change them.
var keeps = []string{"chat_log", "history", "running", "draft", "inputs", "marvin.log", "crash.log"}

// derived are files that come again by themselves.
var derived = []string{"index.words"}

// mostSwept bounds a file that is read, in bytes: artifacts are smaller.
const mostSwept = 256 << 20

// Sweep takes words out of kept conversations, logs, artifacts and Marvin's other files. With look
// it only says where they are.
func (s *Store) Sweep(words Eraser, look bool) (swept Swept, err error) {
	if s.Dir() == "" || words.Empty() {
		return swept, nil
	}
	for _, root := range slices.Compact([]string{s.home.Data, s.home.State, s.home.Logs}) {
		if root == "" {
			continue
		}
		problem := filepath.WalkDir(root, func(path string, entry fs.DirEntry, problem error) error {
			switch {
			case errors.Is(problem, fs.ErrNotExist):
				return nil
			case problem != nil:
				return problem
			case path == s.Dir():
				return fs.SkipDir // facts are not swept: each is one that the user keeps
			case !entry.Type().IsRegular():
				return nil
			}
			err = errors.Join(err, s.sweep(&swept, root, path, words, look))
			return nil
		})
		err = errors.Join(err, problem)
	}
	for _, path := range s.backups(swept.dirs) {
		err = errors.Join(err, s.sweep(&swept, "", path, words, look))
	}
	return swept, err
}

// backups are the copies of conversations in directories where they were.
func (s *Store) backups(dirs []string) (paths []string) {
	list, _ := sessions.Of(s.home).List() // what cannot be read names no directory
	for _, info := range list {
		dirs = append(dirs, info.Dir)
	}
	for _, dir := range slices.Compact(slices.Sorted(slices.Values(dirs))) {
		if filepath.IsAbs(dir) {
			found, _ := filepath.Glob(filepath.Join(dir, ".marvin", "logs", "context-backup-*.jsonl"))
			paths = append(paths, found...)
		}
	}
	return paths
}

// dirsIn are the working directories in a log of a conversation, which may change it by /cd.
func dirsIn(data []byte) (dirs []string) {
	const key = `"dir":`
	for {
		at := bytes.Index(data, []byte(key))
		if at < 0 {
			return dirs
		}
		data = data[at+len(key):]
		var dir string
		if json.NewDecoder(bytes.NewReader(data)).Decode(&dir) == nil && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
}

// sweep takes the words out of one file.
func (s *Store) sweep(swept *Swept, root, path string, words Eraser, look bool) error {
	name := filepath.Base(path)
	if slices.Contains(derived, name) {
		if look {
			return nil
		}
		return os.Remove(path)
	}
	for range 3 { // another process may write to it meanwhile
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && (info.Size() == 0 || info.Size() > mostSwept) {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if binary(data) {
			return nil
		}
		if root == s.home.Data && strings.HasSuffix(name, ".jsonl") {
			swept.dirs = append(swept.dirs, dirsIn(data)...)
		}
		erased, places := words.Erase(data)
		switch {
		case places == 0:
			return nil
		case root == s.home.State && users(path):
			swept.Left = append(swept.Left, path)
			return nil
		}
		done := look
		if !look {
			done, err = persistence.Overwrite(s.home, path, data, erased, appended(name))
		}
		if err != nil {
			return err
		}
		if done {
			swept.Files, swept.Places = append(swept.Files, path), swept.Places+places
			return nil
		}
	}
	return fmt.Errorf("%s keeps changing; stop the program that writes to it and try again", path)
}

// users says whether the user writes a file below the state directory.
func users(path string) bool {
	name := filepath.Base(path)
	return !strings.HasSuffix(name, ".jsonl") && !slices.ContainsFunc(keeps, func(begins string) bool { return strings.HasPrefix(name, begins) })
}

// appended says whether running Marvins only add to a file of a name.
func appended(name string) bool {
	return strings.HasSuffix(name, ".jsonl") || strings.Contains(name, ".log") || name == "history"
}

func binary(data []byte) bool {
	return bytes.IndexByte(data[:min(len(data), 8<<10)], 0) >= 0
}
