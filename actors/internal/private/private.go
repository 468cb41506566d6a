package private

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Rule limits a directory tree to some providers. An empty list means that no model may see it.
type Rule struct {
	Dir  string   // absolute, without links
	Said string   // as the person wrote it
	To   []string // names of providers
	// Is is what Dir was when Marvin started, nil for nothing. The directory stays private
	// under the name that it gets later.
	Is fs.FileInfo
}

// Rules are all of them. The zero value binds nothing.
type Rules []Rule

// ErrBound means that words may not go to a provider.
var ErrBound = errors.New("bound by private: in config.yaml")

// Error says what may not go where, and where it may.
type Error struct {
	Rule     Rule
	Provider string
	Model    string
}

// Is makes it [ErrBound].
func (e *Error) Is(target error) bool { return target == ErrBound }

func (e *Error) Error() string {
	if slices.Contains(e.Rule.To, e.Provider) {
		return fmt.Sprintf("nothing was sent: %s of %s runs on other machines, and this conversation holds data from %s (private: in config.yaml); choose a model that runs here (/model), or start a new conversation without it (/clear)", e.Model, e.Provider, e.Rule.Said)
	}
	next := "no model may see that data; start a new conversation without it (/clear)"
	if len(e.Rule.To) > 0 {
		next = fmt.Sprintf("that data may go only to %s: choose it (/model, --provider), or start a new conversation without it (/clear)", strings.Join(e.Rule.To, ", "))
	}
	return fmt.Sprintf("nothing was sent to %s: this conversation holds data from %s (private: in config.yaml); %s", e.Provider, e.Rule.Said, next)
}

// Within are the directories of rules that hold one of the places, each once.
func (r Rules) Within(places []string) (dirs []string) {
	for _, rule := range r {
		if slices.ContainsFunc(places, func(place string) bool { return below(place, rule.Dir) }) {
			dirs = append(dirs, rule.Dir)
		}
	}
	return dirs
}

// Renamed are the directories of rules that hold one of the paths under another name, because
// the directory was renamed or the file has a second name (a hard link). It looks at the disk.
func (r Rules) Renamed(paths []string) (dirs []string) {
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && severalNames(info) {
			for _, rule := range r {
				if !slices.Contains(dirs, rule.Dir) && holds(rule.Dir, info) {
					dirs = append(dirs, rule.Dir)
				}
			}
		}
		for at := filepath.Clean(path); filepath.IsAbs(at); at = filepath.Dir(at) {
			info, err := os.Stat(at)
			for _, rule := range r {
				if err == nil && rule.Is != nil && os.SameFile(rule.Is, info) && !slices.Contains(dirs, rule.Dir) {
					dirs = append(dirs, rule.Dir)
				}
			}
			if at == filepath.Dir(at) {
				break
			}
		}
	}
	return dirs
}

// mostCompared bounds how many files of a directory are compared with a file of several names.
const mostCompared = 20000

// holds says whether a directory has a file under any name.
func holds(dir string, file fs.FileInfo) (found bool) {
	left := mostCompared
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if left--; left < 0 || found {
			return fs.SkipAll
		}
		if err == nil && entry.Type().IsRegular() {
			info, err := entry.Info()
			found = err == nil && os.SameFile(info, file)
		}
		return nil // what cannot be read is passed over
	})
	return found
}

// Mentioned returns the directories of rules that are below one of the places and are named in a
// text: a tool that searches a tree names the private files it read.
func (r Rules) Mentioned(places []string, texts ...string) (dirs []string) {
	for _, rule := range r {
		for _, place := range places {
			rest, err := filepath.Rel(place, rule.Dir)
			if err != nil || rest == "." || strings.HasPrefix(rest, "..") {
				continue
			}
			if slices.ContainsFunc(texts, func(text string) bool {
				return strings.Contains(text, rest) || strings.Contains(text, rule.Said) || strings.Contains(text, rule.Dir)
			}) {
				dirs = append(dirs, rule.Dir)
				break
			}
		}
	}
	return dirs
}

// Check says whether words from places may go to a model of a provider; the error is an
// [Error]. Ollama passes models whose names end in cloud on to its own servers.
func (r Rules) Check(provider, model string, places []string) error {
	for _, rule := range r {
		if !slices.ContainsFunc(places, func(place string) bool { return below(place, rule.Dir) }) {
			continue
		}
		if !slices.Contains(rule.To, provider) || strings.HasSuffix(model, ":cloud") || strings.HasSuffix(model, "-cloud") {
			return &Error{Rule: rule, Provider: provider, Model: model}
		}
	}
	return nil
}

// below says whether a place is dir or in it.
func below(place, dir string) bool {
	rest, found := strings.CutPrefix(filepath.Clean(place), strings.TrimSuffix(dir, string(filepath.Separator)))
	return found && (rest == "" || rest[0] == filepath.Separator)
}
