package disk

import (
	"io/fs"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Stat tells whether a file or a directory is the one that it was, unchanged. A command
// can set every time of a file but the ctime.
type Stat struct {
	Device, Inode uint64
	Size          int64
	Changed       int64 // its ctime, in nanoseconds
}

// Of returns the state of what a path names, without following a link.
func Of(path string) (Stat, bool) {
	var info unix.Stat_t
	if unix.Lstat(path, &info) != nil {
		return Stat{}, false
	}
	return Stat{Device: uint64(info.Dev), Inode: info.Ino, Size: info.Size, Changed: info.Ctim.Nano()}, true
}

// ChangedSince says that it may have changed after it was looked at, at that time, although
// its ctime says nothing of it.
func (s Stat) ChangedSince(looked time.Time) bool {
	return s.Changed > looked.Add(-Freshly).UnixNano()
}

// InodeOf is the number of a file in its file system.
func InodeOf(info fs.FileInfo) uint64 {
	stat, _ := info.Sys().(*syscall.Stat_t)
	if stat == nil {
		return 0
	}
	return stat.Ino
}

// NamesOf is how many names a file has.
func NamesOf(info fs.FileInfo) uint64 {
	stat, _ := info.Sys().(*syscall.Stat_t)
	if stat == nil {
		return 1
	}
	return uint64(stat.Nlink)
}
