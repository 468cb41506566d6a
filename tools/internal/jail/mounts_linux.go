package jail

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"marvin/tools/internal/jail/internal/disk"
)

// mount arranges the files as the command sees them.
func (p *plan) mount(trees []opened) error {
	if err := p.seal(trees); err != nil {
		return err
	}
	shown, err := p.openShown()
	if err != nil {
		return err
	}
	if err := p.hide(shown); err != nil { // first: a socket may be below /tmp
		return err
	}
	if p.Network {
		if err := p.namesHere(); err != nil {
			return fmt.Errorf("look up names through Marvin: %w", err)
		}
	}
	if !disk.Within("/tmp", p.Root) {
		if err := p.privateTemp(trees); err != nil {
			return err
		}
	}
	if disk.Exists("/dev/shm") {
		if err := unix.Mount("tmpfs", "/dev/shm", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777"); err != nil {
			return fmt.Errorf("a shared memory of its own: %w", err)
		}
	}
	if disk.Exists("/dev/pts") { // or the user's terminals could be written to
		if err := unix.Mount("devpts", "/dev/pts", "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0600"); err != nil {
			return fmt.Errorf("terminals of its own: %w", err)
		}
	}
	for _, path := range p.Pin {
		if err := bind(path, path); err != nil {
			return err
		}
	}
	for _, path := range p.Closed {
		if err := setReadOnly(path, 0); err != nil {
			return err
		}
	}
	for _, path := range p.Links {
		if err := holdLink(path); err != nil {
			return fmt.Errorf("hold the symbolic link %s (make it a directory or a file, if this kernel cannot): %w", path, err)
		}
	}
	for _, path := range p.Protect {
		if !disk.Exists(path) && unix.Access(filepath.Dir(path), unix.W_OK) != nil {
			continue // nothing can create it: see holds
		}
		if err := errors.Join(bind(path, path), readOnly(path)); err != nil {
			return fmt.Errorf("protect %s: %w", path, err)
		}
	}
	return nil
}

// openShown opens the directories to show inside hidden ones, read-only like everything else.
func (p *plan) openShown() (shown []opened, err error) {
	for _, path := range p.Show {
		tree, err := unix.OpenTree(unix.AT_FDCWD, path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			continue // it went, or this user does not get there
		}
		if err != nil {
			return nil, fmt.Errorf("show %s: %w", path, err)
		}
		shown = append(shown, opened{path, tree})
	}
	return shown, nil
}

// hide covers directories with an empty one, in which there is only what is shown, and
// files with nothing. It covers a directory with two names once: a second cover would hide what is
// shown in the first.
func (p *plan) hide(shown []opened) error {
	covered := map[string]bool{}
	for _, path := range p.Hide {
		info, err := os.Stat(path)
		real, unresolved := filepath.EvalSymlinks(path)
		if unresolved != nil {
			real = path
		}
		switch {
		case err != nil || covered[real]:
			continue // it is gone, or what this user cannot even see, which is hidden already
		case info.IsDir():
			covered[real] = true
			err = cover(path, within(path, shown))
		default:
			err = bind("/dev/null", path)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("hide %s: %w", path, err)
		}
	}
	return nil
}

// within returns what is shown in a directory, at the paths there.
func within(dir string, shown []opened) (inside []opened) {
	for _, one := range shown {
		spelled := spellings(one.path)
		if at := slices.IndexFunc(spelled, func(path string) bool { return disk.Within(path, dir) }); at >= 0 {
			inside = append(inside, opened{spelled[at], one.file})
		}
	}
	return inside
}

// cover puts an empty directory over one, and in it, at their places, what is shown.
func cover(path string, shown []opened) error {
	if len(shown) == 0 {
		return unix.Mount("tmpfs", path, "tmpfs", unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "size=4k,mode=0555")
	}
	if err := unix.Mount("tmpfs", path, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "size=4k,mode=0755"); err != nil {
		return err
	}
	for _, one := range shown {
		if err := os.MkdirAll(one.path, 0o755); err != nil {
			return err
		}
		if err := unix.MoveMount(one.file, "", unix.AT_FDCWD, one.path, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
			return fmt.Errorf("show %s: %w", one.path, err)
		}
	}
	return readOnly(path)
}

// privateTemp mounts the private directory over /tmp. A root below /tmp stays at its path; its
// parents show only what leads to it, read-only.
func (p *plan) privateTemp(trees []opened) error {
	var top string
	if rest, ok := strings.CutPrefix(p.Root, "/tmp/"); ok {
		top, _, _ = strings.Cut(rest, "/")
		if err := p.keep(filepath.Join("/tmp", top)); err != nil {
			return err
		}
		if err := readOnly(filepath.Join(p.Temp, top)); err != nil {
			return err
		}
		for _, each := range trees {
			if disk.Within(each.path, filepath.Join("/tmp", top)) {
				if err := showAt(each.file, filepath.Join(p.Temp, strings.TrimPrefix(each.path, "/tmp"))); err != nil {
					return err
				}
			}
		}
	}
	for _, path := range p.Show {
		if path = unseen(path, top); path != "" {
			if err := p.keep(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return bind(p.Temp, "/tmp")
}

// unseen follows the symbolic links of a path that a command sees, and returns the first place on
// the way that its private /tmp does not have; "" if it has all. It has top, a directory of /tmp,
// if top is not empty.
func unseen(path, top string) string {
	for _, path := range spellings(path) {
		if disk.Within(path, "/tmp") && (top == "" || !disk.Within(path, filepath.Join("/tmp", top))) {
			return path
		}
	}
	return ""
}

// spellings are a path and what it becomes with each symbolic link that is followed.
func spellings(path string) []string {
	paths := []string{path}
	for range mostLinks {
		next := followed(path)
		if next == path {
			break
		}
		path = next
		paths = append(paths, path)
	}
	return paths
}

// followed is a path with its first symbolic link replaced by what the link names.
func followed(path string) string {
	for at := 1; at <= len(path); at++ {
		if at < len(path) && path[at] != '/' {
			continue
		}
		if to, err := os.Readlink(path[:at]); err == nil {
			if !filepath.IsAbs(to) {
				to = filepath.Join(filepath.Dir(path[:at]), to)
			}
			return filepath.Join(to, path[at:])
		}
	}
	return path
}

// keep shows a path of /tmp at its place in the private one.
func (p *plan) keep(path string) error {
	at := filepath.Join(p.Temp, strings.TrimPrefix(path, "/tmp"))
	if err := os.MkdirAll(at, 0o700); err != nil {
		return err
	}
	return bind(path, at)
}

// showAt mounts a tree at a second place.
func showAt(file int, at string) error {
	tree, err := unix.OpenTree(file, "", unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE|unix.AT_EMPTY_PATH)
	if err == nil {
		err = unix.MoveMount(tree, "", unix.AT_FDCWD, at, unix.MOVE_MOUNT_F_EMPTY_PATH)
		_ = unix.Close(tree)
	}
	if err != nil {
		return fmt.Errorf("show it at %s: %w", at, err)
	}
	return nil
}

func bind(from, to string) error {
	if err := unix.Mount(from, to, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("mount %s on %s: %w", from, to, err)
	}
	return nil
}

// holdLink mounts a symbolic link over itself: it leads where it did, and is neither
// renamed nor removed.
func holdLink(path string) error {
	link, err := unix.OpenTree(unix.AT_FDCWD, path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_SYMLINK_NOFOLLOW)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(link) }()
	return unix.MoveMount(link, "", unix.AT_FDCWD, path, unix.MOVE_MOUNT_F_EMPTY_PATH)
}

// readOnly makes a mount and those below it read-only.
func readOnly(path string) error { return setReadOnly(path, unix.AT_RECURSIVE) }

// setReadOnly changes nothing else of a mount: in a user namespace its other flags are locked.
func setReadOnly(path string, flags uint) error {
	err := unix.MountSetattr(unix.AT_FDCWD, path, flags, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY})
	if err != nil {
		return fmt.Errorf("make %s read-only: %w", path, err)
	}
	return nil
}

// loopbackUp starts the only network that an offline command has: with itself.
func loopbackUp() error {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(socket) }()
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, request)
}
