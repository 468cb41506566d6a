package gitwatch

import (
	"path/filepath"
	"slices"
	"strings"

	"marvin/tools/internal/jail/internal/disk"
)

// An interrupted rebase or cherry-pick stores its merge strategy. To continue, git runs the program
// git-merge-STRATEGY. If the strategy's name contains a slash, this program is in the working tree.

// strategies contains the names of git's own merge strategies.
var strategies = []string{"ort", "recursive", "resolve", "octopus", "ours", "subtree"}

// foreignStrategies returns the files that name a strategy not in [strategies].
func foreignStrategies(git string) (paths []string) {
	for _, name := range []string{"rebase-merge/strategy", "rebase-apply/strategy", "sequencer/opts"} {
		path := filepath.Join(git, filepath.FromSlash(name))
		if !disk.Exists(path) {
			continue
		}
		text := string(disk.Beginning(path, mostShot+1))
		own := slices.Contains(strategies, strings.TrimSpace(text))
		if name == "sequencer/opts" {
			own = ownOptions(text)
		}
		if !own || len(text) > mostShot {
			paths = append(paths, path)
		}
	}
	return paths
}

// ownOptions reports whether [strategies] contains every merge strategy in a sequencer/opts file.
func ownOptions(text string) bool {
	for line := range strings.Lines(strings.ToLower(text)) {
		line = strings.TrimSpace(line)
		if !strings.Contains(line, "strategy") || strings.HasPrefix(line, "strategy-option") {
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		if strings.TrimSpace(key) != "strategy" || !slices.Contains(strategies, strings.TrimSpace(value)) {
			return false
		}
	}
	return true
}
