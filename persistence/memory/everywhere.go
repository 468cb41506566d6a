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

// Swept is the result of [Store.Sweep].
type Swept struct {
	Files  []string // changed files
	Places int
	Left   []string // unchanged files that contain the facts and belong to the user

	dirs []string // the conversations' working directories, where Sweep looks for backups
}

// conversationPrefixes lists the name prefixes of files that contain text from conversations. In
// the state directory, a sweep erases facts only in these files and in .jsonl files. All other
// files there are the user's own, except derived files.
var conversationPrefixes = []string{"chat_log", "history", "running", "draft", "inputs", "marvin.log", "crash.log"}

// derivedNames contains the names of files that Marvin can rebuild from other files.
var derivedNames = []string{"index.words"}

// mostSwept is the maximum file size for a sweep, in bytes. Artifacts are smaller.
const mostSwept = 256 << 20

// Sweep removes facts from stored conversations, logs, artifacts and Marvin's other files. If
// dryRun is true, it changes nothing and only returns what it would change.
func (s *Store) Sweep(words Eraser, dryRun bool) (swept Swept, err error) {
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
				return fs.SkipDir // handled by [Store.Forget]
			case !entry.Type().IsRegular():
				return nil
			}
			err = errors.Join(err, s.sweep(&swept, root, path, words, dryRun))
			return nil
		})
		err = errors.Join(err, problem)
	}
	for _, path := range s.backups(swept.dirs) {
		err = errors.Join(err, s.sweep(&swept, "", path, words, dryRun))
	}
	return swept, err
}

// backups returns the paths of the context backups below dirs and below the working directories of
// the stored conversations.
func (s *Store) backups(dirs []string) (paths []string) {
	list, _ := sessions.New(s.home).List() // ignore unreadable conversations
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

// dirsIn returns the working directories in a conversation's log. There may be several, because /cd
// changes the directory.
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

func (s *Store) sweep(swept *Swept, root, path string, words Eraser, dryRun bool) error {
	name := filepath.Base(path)
	if slices.Contains(derivedNames, name) {
		if dryRun {
			return nil
		}
		return os.Remove(path)
	}
	for range 3 { // retry if another process changes the file
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
		case root == s.home.State && userWrites(path):
			swept.Left = append(swept.Left, path)
			return nil
		}
		done := dryRun
		if !dryRun {
			done, err = persistence.Overwrite(s.home, path, data, erased, isAppended(name))
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

// userWrites reports whether the user, not Marvin, writes a file below the state directory.
func userWrites(path string) bool {
	name := filepath.Base(path)
	return !strings.HasSuffix(name, ".jsonl") && !slices.ContainsFunc(conversationPrefixes, func(begins string) bool { return strings.HasPrefix(name, begins) })
}

// isAppended reports whether other Marvin processes can append to a file with the given name.
func isAppended(name string) bool {
	return strings.HasSuffix(name, ".jsonl") || strings.Contains(name, ".log") || name == "history"
}

func binary(data []byte) bool {
	return bytes.IndexByte(data[:min(len(data), 8<<10)], 0) >= 0
}
