package gitdir

import (
	"path/filepath"
	"slices"
	"strings"
)

// largestConfig is how much of a repository's configuration is read.
const largestConfig = 256 << 10

// Remote is where a repository is fetched from.
type Remote struct{ Name, URL string }

// Remotes are those of the repository of a directory, the one first that work is proposed to:
// upstream, then origin, then the others as they are listed. It runs nothing. What another
// file says that the configuration includes is not known, nor what url.*.insteadOf makes of it.
func Remotes(dir string) (all []Remote) {
	repository := Discover(dir)
	if repository.Dir == "" {
		return nil
	}
	name := ""
	for line := range strings.Lines(first(filepath.Join(repository.Common, "config"), largestConfig)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			name = ""
			if rest, ok := strings.CutPrefix(line, `[remote "`); ok {
				name, _, _ = strings.Cut(rest, `"]`)
			}
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if name == "" || !ok || !strings.EqualFold(strings.TrimSpace(key), "url") {
			continue
		}
		value = strings.Trim(strings.TrimSpace(value), `"`)
		if !slices.ContainsFunc(all, func(one Remote) bool { return one.Name == name }) {
			all = append(all, Remote{Name: name, URL: value})
		}
	}
	rank := func(name string) int {
		if at := slices.Index([]string{"upstream", "origin"}, name); at >= 0 {
			return at
		}
		return 2
	}
	slices.SortStableFunc(all, func(a, b Remote) int { return rank(a.Name) - rank(b.Name) })
	return all
}
