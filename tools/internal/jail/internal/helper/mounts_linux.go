package helper

import (
	"errors"
	"path"
	"slices"
	"strings"
	"syscall"
)

// mount establishes the command's view of the file system.
func (p *Plan) mount(trees []opened) error {
	if err := p.seal(trees); err != nil {
		return err
	}
	shown, err := p.openShown()
	if err != nil {
		return err
	}
	// p.hide must precede p.privateTemp, because /tmp can contain hidden paths.
	if err := p.hide(shown); err != nil {
		return err
	}
	if p.Network {
		if err := p.namesHere(); err != nil {
			return wrap("resolve host names through Marvin", err)
		}
	}
	if !inside("/tmp", p.Root) {
		if err := p.privateTemp(trees); err != nil {
			return err
		}
	}
	if exists("/dev/shm") {
		if err := syscall.Mount("tmpfs", "/dev/shm", "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV, "mode=1777"); err != nil {
			return wrap("give the command its own /dev/shm", err)
		}
	}
	if exists("/dev/pts") { // the command must not write to the user's terminals
		if err := syscall.Mount("devpts", "/dev/pts", "devpts", syscall.MS_NOSUID|syscall.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0600"); err != nil {
			return wrap("give the command its own terminals", err)
		}
	}
	for _, place := range p.Pin {
		if err := bind(place, place); err != nil {
			return err
		}
	}
	for _, place := range p.Closed {
		if err := setReadOnly(place, 0); err != nil {
			return err
		}
	}
	for _, place := range p.Links {
		if err := holdLink(place); err != nil {
			return wrap("protect the symbolic link "+place+" (if this kernel does not support that, replace the link with a directory or a file)", err)
		}
	}
	for _, place := range p.Protect {
		if !exists(place) && syscall.Access(path.Dir(place), writable) != nil {
			continue // the command cannot create this path
		}
		if err := errors.Join(bind(place, place), readOnly(place)); err != nil {
			return wrap("protect "+place, err)
		}
	}
	return nil
}

// openShown opens the directories in p.Show, so that [hideDirectory] can mount them read-only.
func (p *Plan) openShown() (shown []opened, err error) {
	for _, place := range p.Show {
		tree, err := openTree(atWorkingDir, place, atRecursive)
		if missing(err) || denied(err) {
			continue // the directory no longer exists or is inaccessible
		}
		if err != nil {
			return nil, wrap("show "+place, err)
		}
		shown = append(shown, opened{place, tree})
	}
	return shown, nil
}

// hide makes the files and directories in p.Hide appear empty. A directory with two paths is
// covered only once, because a second mount would also cover the directories that are shown inside
// it.
func (p *Plan) hide(shown []opened) error {
	covered := map[string]bool{}
	for _, place := range p.Hide {
		var info syscall.Stat_t
		err := syscall.Stat(place, &info)
		real, unresolved := resolved(place)
		if unresolved != nil {
			real = place
		}
		switch {
		case err != nil || covered[real]:
			continue // removed, inaccessible to this user, or already covered
		case kind(info) == syscall.S_IFDIR:
			covered[real] = true
			err = hideDirectory(place, shownInside(place, shown))
		default:
			err = bind("/dev/null", place)
		}
		if err != nil && !missing(err) {
			return wrap("hide "+place, err)
		}
	}
	return nil
}

// shownInside returns the shown directories inside dir. A path that leads into dir through symbolic
// links is replaced with its path inside dir.
func shownInside(dir string, shown []opened) (there []opened) {
	for _, one := range shown {
		spelled := spellings(one.path)
		if at := slices.IndexFunc(spelled, func(place string) bool { return inside(place, dir) }); at >= 0 {
			there = append(there, opened{spelled[at], one.file})
		}
	}
	return there
}

// hideDirectory mounts an empty file system over a directory. The shown directories stay visible at
// the same paths.
func hideDirectory(place string, shown []opened) error {
	if len(shown) == 0 {
		return syscall.Mount("tmpfs", place, "tmpfs", syscall.MS_RDONLY|syscall.MS_NOSUID|syscall.MS_NODEV|syscall.MS_NOEXEC, "size=4k,mode=0555")
	}
	if err := syscall.Mount("tmpfs", place, "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV|syscall.MS_NOEXEC, "size=4k,mode=0755"); err != nil {
		return err
	}
	for _, one := range shown {
		if err := makeDirs(one.path, 0o755); err != nil {
			return err
		}
		if err := moveMount(one.file, atWorkingDir, one.path); err != nil {
			return wrap("show "+one.path, err)
		}
	}
	return readOnly(place)
}

// privateTemp mounts the private directory over /tmp. For a root such as /tmp/a/b, the directory
// /tmp/a stays visible, and is read-only except for the writable trees.
func (p *Plan) privateTemp(trees []opened) error {
	var top string
	if rest, ok := strings.CutPrefix(p.Root, "/tmp/"); ok {
		top, _, _ = strings.Cut(rest, "/")
		if err := p.keep(path.Join("/tmp", top)); err != nil {
			return err
		}
		if err := readOnly(path.Join(p.Temp, top)); err != nil {
			return err
		}
		for _, each := range trees {
			if inside(each.path, path.Join("/tmp", top)) {
				if err := showAt(each.file, path.Join(p.Temp, strings.TrimPrefix(each.path, "/tmp"))); err != nil {
					return err
				}
			}
		}
	}
	for _, place := range p.Show {
		if place = firstUnseen(place, top); place != "" {
			if err := p.keep(place); err != nil && !missing(err) {
				return err
			}
		}
	}
	return bind(p.Temp, "/tmp")
}

// firstUnseen tests the [spellings] of a path. It returns the first that the private /tmp hides, or
// "" if there is none. The private /tmp shows only /tmp/top, or nothing if top is empty.
func firstUnseen(place, top string) string {
	for _, place := range spellings(place) {
		if inside(place, "/tmp") && (top == "" || !inside(place, path.Join("/tmp", top))) {
			return place
		}
	}
	return ""
}

// keep makes a path below /tmp visible in the private /tmp.
func (p *Plan) keep(place string) error {
	at := path.Join(p.Temp, strings.TrimPrefix(place, "/tmp"))
	if err := makeDirs(at, 0o700); err != nil {
		return err
	}
	return bind(place, at)
}

// showAt mounts a copy of an open tree at an additional path.
func showAt(file int, at string) error {
	tree, err := openTree(file, "", atRecursive|atEmptyPath)
	if err == nil {
		err = moveMount(tree, atWorkingDir, at)
		_ = syscall.Close(tree)
	}
	return wrap("show it at "+at, err)
}

func bind(from, to string) error {
	return wrap("mount "+from+" on "+to, syscall.Mount(from, to, "", syscall.MS_BIND|syscall.MS_REC, ""))
}

// holdLink mounts a symbolic link over itself, so that nothing can rename or remove it.
func holdLink(place string) error {
	link, err := openTree(atWorkingDir, place, atSymlinkNoFollow)
	if err != nil {
		return err
	}
	defer func() { _ = syscall.Close(link) }()
	return moveMount(link, atWorkingDir, place)
}

// readOnly makes a mount and all mounts below it read-only.
func readOnly(place string) error { return setReadOnly(place, atRecursive) }

// setReadOnly changes only the read-only flag of a mount, because the other flags are locked in a
// user namespace.
func setReadOnly(place string, flags uintptr) error {
	return wrap("make "+place+" read-only", setMount(place, flags, attrReadOnly))
}
