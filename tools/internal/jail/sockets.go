package jail

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marvin/tools/internal/envvar"
	"marvin/tools/internal/jail/internal/disk"
	"marvin/tools/internal/jail/internal/sockets"
)

// mostSockets is the maximum number of sockets that are hidden one by one. A desktop has several
// hundred, most of them in directories that are hidden as a whole or not accessible to this user.
const mostSockets = 1000

// sockets hides each socket of a program outside the jail, except sockets that commands need. It
// looks at known paths, environment variables, the kernel's list of listeners, mounts and
// directories. It also hides other paths to these sockets. It misses sockets that are created
// later, and unlisted sockets deep in a directory tree.
func (h *hiding) sockets() {
	run, _ := os.Readlink("/var/run")
	h.oneRun = run == "/run" || run == "../run"
	for _, path := range socketPlaces {
		if !h.oneRun || !strings.HasPrefix(path, "/var/run/") {
			h.addSocket(path)
		}
	}
	for _, name := range []string{"XDG_RUNTIME_DIR", "TMUX_TMPDIR"} {
		if path := filepath.Clean(envvar.Lookup(h.jail.keeper.config.Environ, name)); filepath.IsAbs(path) && path != "/tmp" && path != "/" {
			h.addSocket(path)
		}
	}
	if h.home != "" {
		for _, name := range ownSocketPlaces {
			h.addSocket(filepath.Join(h.home, name))
		}
	}
	table := sockets.ReadTable()
	elsewhere := h.jail.keeper.finder.FindUnlisted(table, h.notSearched)
	// Commands cannot create mounts, so all mounted sockets come from outside the jail.
	for _, path := range elsewhere.Mounted {
		h.addSocket(path)
	}
	outside := table.Paths[:0:0]
	for _, path := range slices.Concat(h.jail.keeper.named(), table.Paths, elsewhere.Found) {
		if !h.jail.hasSocket(path) {
			outside = append(outside, path)
		}
	}
	for _, path := range slices.Concat(outside, elsewhere.OtherPaths(outside)) {
		if len(h.paths) < mostSockets && disk.Writable(path) {
			h.addSocket(path)
		}
	}
}

// notSearched reports whether the search for sockets skips a directory. It skips directories that
// are already hidden, the jail's own directories, and system directories.
func (h *hiding) notSearched(dir string) bool {
	return dir == "/usr" || dir == "/boot" || dir == "/nix" || dir != "/tmp" && h.jail.hasSocket(dir) ||
		slices.ContainsFunc(h.paths, func(hidden string) bool { return disk.Contains(dir, hidden) })
}

func (h *hiding) addSocket(path string) {
	if rest, ok := strings.CutPrefix(path, "/var/run/"); ok && h.oneRun {
		path = "/run/" + rest
	}
	if !h.jail.plan.Offline && slices.ContainsFunc(spokenTo[:], func(pattern string) bool {
		matches, _ := filepath.Match(pattern, path)
		return matches
	}) {
		return
	}
	h.add(path, true)
}

// hasSocket reports whether a socket is in /tmp or in a tree that commands can write to. Such a
// socket belongs to the jail.
func (j *Jail) hasSocket(path string) bool {
	ofRoot := slices.ContainsFunc(j.plan.Write, func(tree string) bool { return disk.Contains(path, tree) })
	return ofRoot || disk.Contains(path, j.plan.Temp) || disk.Contains(path, "/tmp") && !disk.Contains(j.plan.Root, "/tmp/"+topOf(path))
}

// topOf returns the first path component below /tmp.
func topOf(path string) string {
	top, _, _ := strings.Cut(strings.TrimPrefix(path, "/tmp/"), "/")
	return top
}

// named collects the paths of existing sockets from environment variables, for example from
// "DOCKER_HOST=unix:///…". It caches the result.
func (k *Keeper) named() []string {
	k.onceNamed.Do(func() {
		for _, entry := range k.config.Environ {
			_, value, _ := strings.Cut(entry, "=")
			for _, part := range strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune("=:,; ", r) }) {
				path := filepath.Clean(part)
				if info, err := os.Stat(path); filepath.IsAbs(path) && err == nil && info.Mode()&os.ModeSocket != 0 {
					k.namedSockets = append(k.namedSockets, path)
				}
			}
		}
	})
	return k.namedSockets
}
