package jail

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marvin/tools/internal/envvar"
)

// mostSockets limits the sockets hidden one by one: a desktop has some hundred, most in directories
// that are hidden whole or not accessible to this user.
const mostSockets = 1000

// sockets hides the sockets of outside programs, except those commands need: in known places, in
// variables, and wherever the kernel lists a listener now. It misses sockets that are made later,
// bound by a relative path, or in another network.
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
	for _, path := range append(h.jail.keeper.named(), listening()...) {
		if len(h.paths) < mostSockets && !h.jail.hasSocket(path) && writable(path) {
			h.addSocket(path)
		}
	}
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

// hasSocket reports whether a socket belongs to the jail: it is where commands write, or in /tmp.
func (j *Jail) hasSocket(path string) bool {
	ofRoot := slices.ContainsFunc(j.plan.Write, func(tree string) bool { return within(path, tree) })
	return ofRoot || within(path, j.plan.Temp) || within(path, "/tmp") && !within(j.plan.Root, "/tmp/"+topOf(path))
}

// topOf is the first name below /tmp.
func topOf(path string) string {
	top, _, _ := strings.Cut(strings.TrimPrefix(path, "/tmp/"), "/")
	return top
}

// named are the sockets that variables name, such as DOCKER_HOST=unix:///…, with whatever
// is around them, as they were when they were first asked for.
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

// listening returns the paths of listening sockets, from the kernel's table: "number: references
// protocol flags type state inode path".
func listening() (paths []string) {
	table, err := os.ReadFile("/proc/net/unix")
	if err != nil {
		return nil
	}
	for line := range bytes.Lines(table) {
		_, path, ok := bytes.Cut(line, []byte(" /"))
		if !ok {
			continue // abstract, unnamed or relative
		}
		if path := "/" + string(bytes.TrimSuffix(path, []byte("\n"))); !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}
