package words

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Mention is a file or directory that a prompt mentions with @.
type Mention struct {
	Path        string // slash-separated path relative to the conversation's directory
	Dir         bool
	Size        int64 // in bytes
	First, Last int   // line range, as in @main.go:10-20; 0 for the whole file
}

// Mentions finds paths such as "@main.go" in a prompt, but not in code. It returns at most twenty
// different mentions of files and directories that exist below dir.
func Mentions(text, dir string) (found []Mention) {
	var fence fence
	for line := range strings.Lines(text) {
		if fence.holds(line) {
			continue
		}
		for _, token := range mentionedPaths(line) {
			one, ok := findMention(token, dir)
			if ok && !slices.Contains(found, one) && len(found) < mostParts {
				found = append(found, one)
			}
		}
	}
	return found
}

// OutsideMentions returns the mentioned paths that lead out of dir, exactly as they appear in the
// prompt. Examples are "/etc/hosts", "~/notes.md" and "../main.go". It ignores missing files.
func OutsideMentions(text, dir, home string) (names []string) {
	var fence fence
	for line := range strings.Lines(text) {
		if fence.holds(line) {
			continue
		}
		for _, token := range mentionedPaths(line) {
			place := token
			if rest, ok := strings.CutPrefix(token, "~/"); ok && home != "" {
				place = filepath.Join(home, rest)
			} else if !filepath.IsAbs(token) {
				place = filepath.Join(dir, token)
			}
			inside, err := filepath.Rel(dir, place)
			if err == nil && filepath.IsLocal(inside) || slices.Contains(names, token) || len(names) == mostParts {
				continue
			}
			if _, err := os.Stat(place); err == nil {
				names = append(names, token)
			}
		}
	}
	return names
}

// findMention looks up a file or directory. token is the text after the @. A file name may end in
// text that looks like a line range, so findMention tries the whole token first.
func findMention(token, dir string) (Mention, bool) {
	one := Mention{Path: path.Clean(token)}
	info, ok := statBelow(dir, one.Path)
	if !ok {
		for _, lines := range Ranges(token) {
			one = Mention{Path: path.Clean(lines.Name), First: lines.First, Last: lines.Last}
			if info, ok = statBelow(dir, one.Path); ok && info.Mode().IsRegular() {
				one.Size = info.Size()
				return one, true
			}
		}
		return Mention{}, false
	}
	if one.Dir = info.IsDir(); !one.Dir {
		one.Size = info.Size()
	}
	return one, one.Dir || info.Mode().IsRegular()
}

func statBelow(dir, name string) (fs.FileInfo, bool) {
	if dir == "" || !fs.ValidPath(name) {
		return nil, false
	}
	info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
	return info, err == nil
}
