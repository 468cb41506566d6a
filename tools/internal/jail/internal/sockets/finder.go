package sockets

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"marvin/tools/internal/jail/internal/mountinfo"
)

// What one walk reads at most: some 15 ms where nothing is cached.
const (
	mostDirs    = 1500
	mostEntries = 30_000
)

// Finder finds sockets that the kernel's table does not name by their paths. It is safe for
// concurrent use.
type Finder struct {
	mu     sync.Mutex
	walked bool
	strays map[string]bool // those that a walk was made for
	found  []string
}

// Elsewhere has the paths of sockets that the table does not name.
type Elsewhere struct {
	Mounted []string // each is a mount point, as with docker run -v /run/docker.sock:/x
	Found   []string // a walk over the directories came across them
	mounts  []mountinfo.Mount
}

// Elsewhere looks at the mounts as they are now. It walks over the directories the first time, and
// again when a socket begins to listen that is not where the table says. It reads no directory for
// which skip is true, nor those below.
func (f *Finder) Elsewhere(table Table, skip func(dir string) bool) (all Elsewhere) {
	text, _ := os.ReadFile("/proc/self/mountinfo") // without it there are no mounts to look at
	mounts := mountinfo.Parse(text)
	for _, mount := range mounts {
		if mount.Root == "/" {
			continue // a directory
		}
		if info, err := os.Lstat(mount.Point); err == nil && info.Mode()&os.ModeSocket != 0 {
			all.Mounted = append(all.Mounted, mount.Point)
		}
	}
	all.mounts = mounts
	all.Found = f.walk(table.Strays, mounts, skip)
	return all
}

// Views are the paths at which other mounts of the same file systems show what these paths name.
func (e *Elsewhere) Views(paths []string) (others []string) {
	byDevice := map[string][]mountinfo.Mount{}
	for _, mount := range e.mounts {
		byDevice[mount.Device] = append(byDevice[mount.Device], mount)
	}
	for _, path := range paths {
		own := mountOf(e.mounts, path)
		if len(byDevice[own.Device]) < 2 {
			continue
		}
		rest, _ := below(path, own.Point)
		inside := filepath.Join(own.Root, rest) // the path within the file system
		for _, mount := range byDevice[own.Device] {
			if rest, ok := below(inside, mount.Root); ok && mount.Point != own.Point {
				others = append(others, filepath.Join(mount.Point, rest))
			}
		}
	}
	return others
}

// mountOf is the mount in which a path lies: the last one at the longest mount point.
func mountOf(mounts []mountinfo.Mount, path string) (own mountinfo.Mount) {
	for _, mount := range mounts {
		if _, ok := below(path, mount.Point); ok && len(mount.Point) >= len(own.Point) {
			own = mount
		}
	}
	return own
}

// below is the rest of a path in a directory.
func below(path, dir string) (rest string, ok bool) {
	if dir == "/" || path == dir {
		return strings.TrimPrefix(path, dir), true
	}
	rest, ok = strings.CutPrefix(path, dir+"/")
	return rest, ok
}

// walk returns the sockets in the first levels of all local file systems.
func (f *Finder) walk(strays []string, mounts []mountinfo.Mount, skip func(dir string) bool) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	fresh := !f.walked
	f.walked = true
	if f.strays == nil {
		f.strays = map[string]bool{}
	}
	for _, number := range strays {
		fresh = fresh || !f.strays[number]
		f.strays[number] = true
	}
	if fresh {
		for _, path := range breadthFirst(mounts, skip) {
			if !slices.Contains(f.found, path) {
				f.found = append(f.found, path)
			}
		}
	}
	return slices.Clone(f.found)
}

// local are file systems that hold sockets and answer at once, also when a network is down.
var local = []string{"tmpfs", "devtmpfs", "ramfs", "overlay", "ext4", "ext3", "ext2", "xfs", "btrfs", "zfs", "f2fs", "bcachefs"}

// breadthFirst begins at each mount point, so that a mount deep in the tree is read as early as one
// at the top.
func breadthFirst(mounts []mountinfo.Mount, skip func(dir string) bool) (found []string) {
	points := map[string]bool{}
	var queue []string
	for _, mount := range mounts {
		if !points[mount.Point] && slices.Contains(local, mountOf(mounts, mount.Point).Type) {
			queue = append(queue, mount.Point)
		}
		points[mount.Point] = true
	}
	dirs, entries := 0, 0
	for at := 0; at < len(queue) && dirs < mostDirs && entries < mostEntries; at++ {
		dir := queue[at]
		if skip(dir) {
			continue
		}
		file, err := os.Open(dir)
		if err != nil {
			continue // no directory, or not this user's
		}
		dirs++
		for entries < mostEntries {
			list, err := file.ReadDir(500)
			entries += len(list)
			for _, entry := range list {
				path := filepath.Join(dir, entry.Name())
				switch {
				case entry.Type()&os.ModeSocket != 0:
					found = append(found, path)
				case entry.IsDir() && !points[path] && !quiet(entry.Name()):
					queue = append(queue, path)
				}
			}
			if err != nil {
				break // the end, or unreadable
			}
		}
		_ = file.Close()
	}
	return found
}

// quiet says that nothing listens in directories of this name, and that there are many of them.
func quiet(name string) bool {
	return name == "node_modules" || name == ".git" || name == "__pycache__" || name == "site-packages"
}
