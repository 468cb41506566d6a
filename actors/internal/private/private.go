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

// Rule restricts a directory tree to certain providers. A rule without providers excludes every
// model.
type Rule struct {
	Dir  string   // absolute, without links
	Said string   // the directory as the user wrote it
	To   []string // the providers that are allowed to receive text from Dir
	// The directory's identity when Marvin started, or nil if no such directory existed. The
	// identity survives a rename, so the directory stays private.
	Is fs.FileInfo
}

// Rules are all of the user's rules. The zero value restricts nothing.
type Rules []Rule

// ErrBound means that text must not go to a provider.
var ErrBound = errors.New("bound by \"private:\" in config.yaml")

// Error is the error that [Rules.Check] returns if a rule forbids sending text to a model.
type Error struct {
	Rule     Rule
	Provider string
	Model    string
}

// Is implements matching for [errors.Is]: every [Error] matches [ErrBound].
func (e *Error) Is(target error) bool { return target == ErrBound }

func (e *Error) Error() string {
	if slices.Contains(e.Rule.To, e.Provider) {
		return fmt.Sprintf("nothing was sent, because %s of %s runs on other machines and this conversation contains data from %s, which config.yaml marks as private; choose a model that runs on this machine (/model), or start a new conversation without that data (/clear)", e.Model, e.Provider, e.Rule.Said)
	}
	next := "no model may get that data; start a new conversation without that data (/clear)"
	if len(e.Rule.To) > 0 {
		next = fmt.Sprintf("only %s may get that data; choose one of them (/model, --provider), or start a new conversation without that data (/clear)", strings.Join(e.Rule.To, ", "))
	}
	return fmt.Sprintf("nothing was sent to %s, because this conversation contains data from %s, which config.yaml marks as private; %s", e.Provider, e.Rule.Said, next)
}

// Within returns the private directories that contain one of the places.
func (r Rules) Within(places []string) (dirs []string) {
	for _, rule := range r {
		if slices.ContainsFunc(places, func(place string) bool { return inDirectory(place, rule.Dir) }) {
			dirs = append(dirs, rule.Dir)
		}
	}
	return dirs
}

// RenamedDirs is like [Rules.Within], but compares file identities on disk. It therefore recognizes
// renamed directories and hard links.
func (r Rules) RenamedDirs(paths []string) (dirs []string) {
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

// mostCompared is the maximum number of entries per search of a directory tree.
const mostCompared = 20000

// holds determines whether a directory tree contains the file, even under another name.
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
		return nil // skip what cannot be read
	})
	return found
}

// MentionedDirs returns the private directories that are below one of the places and mentioned in
// the text. For example, the output of a search tool mentions the directories of matching files.
func (r Rules) MentionedDirs(places []string, texts ...string) (dirs []string) {
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

// Check returns an [Error] if a rule forbids the model to receive text from one of the places.
// Every rule forbids models whose names end in ":cloud" or "-cloud", because Ollama runs them on
// other machines.
func (r Rules) Check(provider, model string, places []string) error {
	for _, rule := range r {
		if !slices.ContainsFunc(places, func(place string) bool { return inDirectory(place, rule.Dir) }) {
			continue
		}
		if !slices.Contains(rule.To, provider) || strings.HasSuffix(model, ":cloud") || strings.HasSuffix(model, "-cloud") {
			return &Error{Rule: rule, Provider: provider, Model: model}
		}
	}
	return nil
}

// inDirectory reports whether a path is dir itself or a path below dir.
func inDirectory(place, dir string) bool {
	rest, found := strings.CutPrefix(filepath.Clean(place), strings.TrimSuffix(dir, string(filepath.Separator)))
	return found && (rest == "" || rest[0] == filepath.Separator)
}
