package jail

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
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
	if len(hidden) == 0 {
		return grant(rules, "/", readTree)
	}
	err := errors.Join(grant(rules, "/", unix.LANDLOCK_ACCESS_FS_READ_DIR), grantAround("/", rules, hidden, above))
	for _, path := range p.Show {
		err = errors.Join(err, grant(rules, path, readTree))
	}
	return err
}

// grantAround grants the entries of a directory, but for what is hidden in it.
func grantAround(dir string, rules int, hidden, above map[string]bool) (err error) {
	entries, _ := os.ReadDir(dir) // what cannot be listed is not read either
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		switch {
		case hidden[path] || entry.Type()&os.ModeSymlink != 0: // guard: the smaller sandbox hides keys
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
