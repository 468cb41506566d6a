package jail

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marvin/tools/internal/jail/internal/disk"
	"marvin/tools/internal/protected"
)

// Settings is a snapshot of the project's files that control programs other than Marvin, such as
// .vscode and .mcp.json. Commands in the sandbox can write these files, because package managers
// and checkouts do so. Marvin reports the changes after the command.
type Settings map[string]disk.Stat

// mostSettings is the maximum number of files in [Settings]. In the root and in each dot directory,
// [SettingsOf] examines only the first mostSettings entries.
const mostSettings = 2000

// SettingsOf finds the settings at the top of a project and directly inside its dot directories.
func SettingsOf(root string) Settings {
	all, names := Settings{}, protected.Locations{}.Names()
	settles := func(path string) bool {
		place, ok := names.PlaceOf(path)
		return ok && place.Anywhere
	}
	var look func(dir string, deep bool)
	look = func(dir string, deep bool) {
		entries, _ := os.ReadDir(dir)
		for _, entry := range entries[:min(len(entries), mostSettings)] {
			path := filepath.Join(dir, entry.Name())
			switch {
			case settles(path):
				_ = filepath.WalkDir(path, func(at string, one fs.DirEntry, err error) error {
					if len(all) >= mostSettings {
						return fs.SkipAll
					}
					if err == nil && !one.IsDir() && settles(at) {
						all[at], _ = disk.Of(at)
					}
					return nil
				})
			case deep && entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && entry.Name() != ".git":
				look(path, false)
			}
		}
	}
	look(root, true)
	return all
}

// Changed lists the files that were added, changed or removed since the earlier snapshot, as paths
// relative to root.
func (s Settings) Changed(before Settings, root string) (names []string) {
	all := maps.Clone(before)
	maps.Copy(all, s)
	for path := range all {
		was, had := before[path]
		if now, has := s[path]; had != has || was != now {
			names = append(names, strings.TrimPrefix(path, root+string(filepath.Separator)))
		}
	}
	slices.Sort(names)
	if more := len(names) - mostNamed; more > 0 {
		names = append(names[:mostNamed], "and more")
	}
	return names
}
