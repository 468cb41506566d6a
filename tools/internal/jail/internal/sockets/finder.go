package sockets

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"marvin/tools/internal/jail/internal/mountinfo"
)

// These limits apply to one walk, which takes about 15 ms if no directories are cached.
const (
	mostDirs    = 1500
	mostEntries = 30_000
)

// Finder finds sockets that the kernel's table does not list by their paths. It is safe for
// concurrent use.
type Finder struct {
	mu     sync.Mutex
	walked bool
	strays map[string]bool // entries of [Table.Strays] that have already caused a walk
	found  []string
}

// Unlisted contains the sockets that a [Table] does not list.
type Unlisted struct {
	Mounted []string // mounted sockets, such as /x after "docker run -v /run/docker.sock:/x"
	Found   []string // sockets that [Finder.walk] found
	mounts  []mountinfo.Mount
}

// FindUnlisted finds the sockets that the table does not list. It always reads the list of mounts,
// but walks the directories only on the first call and when [Table.Strays] has a new entry. The
// walk skips directories for which skip returns true.
func (f *Finder) FindUnlisted(table Table, skip func(dir string) bool) (all Unlisted) {
	text, _ := os.ReadFile("/proc/self/mountinfo") // text is empty if the file does not exist
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

// OtherPaths returns the other paths of the given files. A file has several paths if its file
// system has several mount points.
func (e *Unlisted) OtherPaths(paths []string) (others []string) {
	byDevice := map[string][]mountinfo.Mount{}
	for _, mount := range e.mounts {
		byDevice[mount.Device] = append(byDevice[mount.Device], mount)
	}
	for _, path := range paths {
		own := mountOf(e.mounts, path)
		if len(byDevice[own.Device]) < 2 {
			continue
		}
		rest, _ := pathBelow(path, own.Point)
		inside := filepath.Join(own.Root, rest) // the path within the file system
		for _, mount := range byDevice[own.Device] {
			if rest, ok := pathBelow(inside, mount.Root); ok && mount.Point != own.Point {
				others = append(others, filepath.Join(mount.Point, rest))
			}
		}
	}
	return others
}

// mountOf returns the mount that contains a path. It is the mount with the longest matching mount
// point. If there are several mounts at that point, it is the last one.
func mountOf(mounts []mountinfo.Mount, path string) (own mountinfo.Mount) {
	for _, mount := range mounts {
		if _, ok := pathBelow(path, mount.Point); ok && len(mount.Point) >= len(own.Point) {
			own = mount
		}
	}
	return own
}

// pathBelow returns the part of a path after dir. ok is false if the path is not in dir.
func pathBelow(path, dir string) (rest string, ok bool) {
	if dir == "/" || path == dir {
		return strings.TrimPrefix(path, dir), true
	}
	rest, ok = strings.CutPrefix(path, dir+"/")
	return rest, ok
}

// walk examines the top levels of all local file systems to find sockets.
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

// These file system types can contain sockets, and need no network.
var local = []string{"tmpfs", "devtmpfs", "ramfs", "overlay", "ext4", "ext3", "ext2", "xfs", "btrfs", "zfs", "f2fs", "bcachefs"}

// breadthFirst searches directories for sockets, up to the limits. It begins with all mount points,
// so that deep mounts are read as early as the others.
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
			continue // this user cannot open the path
		}
		dirs++
		for entries < mostEntries {
			list, err := file.ReadDir(500)
			entries += len(list)
			for _, entry := range list {
				path := strings.TrimSuffix(dir, "/") + "/" + entry.Name() // filepath.Join would take a fifth of the search time
				switch {
				case entry.Type()&os.ModeSocket != 0:
					found = append(found, path)
				case entry.IsDir() && !points[path] && !quiet(entry.Name()):
					queue = append(queue, path)
				}
			}
			if err != nil {
				break // the end of the directory, or an error
			}
		}
		_ = file.Close()
	}
	return found
}

// quiet recognizes names of directories that rarely contain listening sockets.
func quiet(name string) bool {
	return name == "node_modules" || name == ".git" || name == "__pycache__" || name == "site-packages"
}
