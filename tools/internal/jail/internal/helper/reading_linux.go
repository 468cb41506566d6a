package helper

import (
	"errors"
	"path"
	"syscall"
)

// grantReading lets a command read everything except hidden paths. If p.Held is true, the command
// can read only the system's files and the paths in its profile.
//
// Landlock grants only whole trees. If a directory contains a hidden path, the visible entries are
// granted one by one, so files that are created there later are unreadable.
func (p *Plan) grantReading(rules int) error {
	hidden, above := map[string]bool{}, map[string]bool{}
	for _, place := range p.Hide {
		real, err := resolved(place)
		if err != nil {
			continue
		}
		var info syscall.Stat_t
		if err := syscall.Stat(real, &info); err != nil || kind(info) == syscall.S_IFSOCK {
			continue // sockets cannot be read
		}
		hidden[real] = true
		for dir := path.Dir(real); !above[dir]; dir = path.Dir(dir) {
			above[dir] = true
		}
	}
	if p.Held {
		return p.grantHeld(rules, hidden, above)
	}
	if len(hidden) == 0 {
		return grant(rules, "/", readTree)
	}
	err := errors.Join(grant(rules, "/", readDir), grantAround("/", rules, hidden, above))
	for _, place := range p.Show {
		err = errors.Join(err, grant(rules, place, readTree))
	}
	return err
}

// grantAround lets a command read the entries of a directory, except hidden paths and symbolic
// links.
func grantAround(dir string, rules int, hidden, above map[string]bool) (err error) {
	for _, name := range namesIn(dir) {
		place := path.Join(dir, name)
		var info syscall.Stat_t
		switch {
		case hidden[place] || syscall.Lstat(place, &info) == nil && kind(info) == syscall.S_IFLNK:
		case above[place]:
			err = errors.Join(err, grantAround(place, rules, hidden, above))
		default:
			if failed := grant(rules, place, readTree); !denied(failed) {
				err = errors.Join(err, failed)
			}
		}
	}
	return err
}

// grantHeld lets a program read systemTrees and p.Read, but no hidden path in these trees.
func (p *Plan) grantHeld(rules int, hidden, above map[string]bool) (err error) {
	if p.Home != "" && IsSystemPath(path.Dir(p.Home), "") {
		hidden[p.Home] = true
		for dir := path.Dir(p.Home); !above[dir]; dir = path.Dir(dir) {
			above[dir] = true
		}
	}
	for _, tree := range append(systemTrees[:], p.Read...) {
		switch {
		case hidden[tree] && tree != p.Home:
		case above[tree]:
			err = errors.Join(err, grantAround(tree, rules, hidden, above))
		default:
			if failed := grant(rules, tree, readTree); !denied(failed) {
				err = errors.Join(err, failed)
			}
		}
	}
	return err
}
