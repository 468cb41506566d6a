package jail

import (
	"io/fs"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// fileStat tells whether a file or a directory is the one that it was, unchanged. A command
// can set every time of a file but the ctime.
type fileStat struct {
	device, inode uint64
	size          int64
	changed       int64 // its ctime, in nanoseconds
}

func statOf(path string) (fileStat, bool) {
	var info unix.Stat_t
	if unix.Lstat(path, &info) != nil {
		return fileStat{}, false
	}
	return fileStat{device: uint64(info.Dev), inode: info.Ino, size: info.Size, changed: info.Ctim.Nano()}, true
}

// changedSince says that it may have changed after it was looked at, at that time, although
// its ctime says nothing of it.
func (s fileStat) changedSince(looked time.Time) bool {
	return s.changed > looked.Add(-freshly).UnixNano()
}

func inodeOf(info fs.FileInfo) uint64 {
	stat, _ := info.Sys().(*syscall.Stat_t)
	if stat == nil {
		return 0
	}
	return stat.Ino
}

// namesOf is how many names a file has.
func namesOf(info fs.FileInfo) uint64 {
	stat, _ := info.Sys().(*syscall.Stat_t)
	if stat == nil {
		return 1
	}
	return uint64(stat.Nlink)
}
