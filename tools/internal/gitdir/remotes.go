package gitdir

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
)

// largestConfig is the maximum number of bytes that are read from a repository's configuration.
const largestConfig = 256 << 10

// Remote is a remote in a repository's configuration.
type Remote struct{ Name, URL string }

// Remotes returns the remotes of the repository to which dir belongs. The remote "upstream", which
// receives contributions, comes first, and "origin" comes second. Remotes runs no process, and
// ignores include directives and url.*.insteadOf.
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

// PushURL returns a remote's push URL, or "" if there is none. If name is "", PushURL uses the
// remote to which git pushes the current branch. It reads the configuration as [Remotes] does.
func PushURL(dir, name string) string {
	repository := Discover(dir)
	if repository.Dir == "" {
		return ""
	}
	settings, section := map[string]string{}, ""
	for line := range strings.Lines(first(filepath.Join(repository.Common, "config"), largestConfig)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			title, rest, _ := strings.Cut(line[1:], "]")
			kind, of, sub := strings.Cut(title, ` "`)
			if section = strings.ToLower(strings.TrimSpace(kind)); sub {
				section += "." + strings.TrimSuffix(of, `"`)
			}
			line = strings.TrimSpace(rest)
		}
		if key, value, ok := strings.Cut(line, "="); ok {
			settings[section+"."+strings.ToLower(strings.TrimSpace(key))] = strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	branch := "branch." + Branch(dir)
	name = cmp.Or(name, settings[branch+".pushremote"], settings["remote.pushdefault"], settings[branch+".remote"], "origin")
	return cmp.Or(settings["remote."+name+".pushurl"], settings["remote."+name+".url"])
}
