package jail

import (
	"errors"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"marvin/tools/internal/jail/internal/disk"
)

// grantReading lets a command read everything but what is hidden from it. Landlock only
// grants whole trees: of each directory on the way to something hidden all other entries
// are granted one by one, as they are now. What is made there later is not read by this
// command. Names are listed everywhere.
func (p *plan) grantReading(rules int) error {
	hidden, above := map[string]bool{}, map[string]bool{}
	for _, path := range p.Hide {
		resolved, err := filepath.EvalSymlinks(path)
		if err != nil {
			continue
		}
		if info, err := os.Stat(resolved); err != nil || info.Mode()&os.ModeSocket != 0 {
			continue // to speak to is not to read
		}
		hidden[resolved] = true
		for dir := filepath.Dir(resolved); !above[dir]; dir = filepath.Dir(dir) {
			above[dir] = true
		}
	}
	if p.Held {
		return p.grantHeld(rules, hidden, above)
	}
	if len(hidden) == 0 {
		return grant(rules, "/", readTree)
	}
	err := errors.Join(grant(rules, "/", unix.LANDLOCK_ACCESS_FS_READ_DIR), grantAround("/", rules, hidden, above))
	for _, path := range p.Show {
		err = errors.Join(err, grant(rules, path, readTree))
	}
	return err
}

// grantAround grants the entries of a directory except hidden ones.
func grantAround(dir string, rules int, hidden, above map[string]bool) (err error) {
	entries, _ := os.ReadDir(dir) // what cannot be listed is not read either
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		switch {
		case hidden[path] || entry.Type()&os.ModeSymlink != 0:
		case above[path]:
			err = errors.Join(err, grantAround(path, rules, hidden, above))
		default:
			if failed := grant(rules, path, readTree); !errors.Is(failed, os.ErrPermission) {
				err = errors.Join(err, failed)
			}
		}
	}
	return err
}

// systemTrees are read by every program: where programs, their libraries and settings are.
var systemTrees = [...]string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix", "/gnu", "/snap",
	"/proc", "/sys", "/dev", "/run", "/var/lib", "/var/cache", "/mnt/wsl",
}

// ofSystem reports whether every program may read a path. A home directory inside a system tree is
// private.
func ofSystem(path, home string) bool {
	return !(home != "" && disk.Within(path, home)) && slices.ContainsFunc(systemTrees[:], func(tree string) bool { return disk.Within(path, tree) })
}

// grantHeld lets a program read the system and its profile, except hidden paths.
func (p *plan) grantHeld(rules int, hidden, above map[string]bool) (err error) {
	if p.Home != "" && ofSystem(filepath.Dir(p.Home), "") {
		hidden[p.Home] = true
		for dir := filepath.Dir(p.Home); !above[dir]; dir = filepath.Dir(dir) {
			above[dir] = true
		}
	}
	for _, tree := range append(systemTrees[:], p.Read...) {
		switch {
		case hidden[tree] && tree != p.Home:
		case above[tree]:
			err = errors.Join(err, grantAround(tree, rules, hidden, above))
		default:
			if failed := grant(rules, tree, readTree); !errors.Is(failed, os.ErrPermission) {
				err = errors.Join(err, failed)
			}
		}
	}
	return err
}
