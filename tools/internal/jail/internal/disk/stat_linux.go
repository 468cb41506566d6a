package disk

import (
	"io/fs"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Stat identifies one state of a file or a directory. A command can set every timestamp of a file
// except the ctime.
type Stat struct {
	Device, Inode uint64
	Size          int64
	Changed       int64 // the ctime, in nanoseconds
}

// Of returns the state of a file. A symbolic link is not followed.
func Of(path string) (Stat, bool) {
	var info unix.Stat_t
	if unix.Lstat(path, &info) != nil {
		return Stat{}, false
	}
	return Stat{Device: uint64(info.Dev), Inode: info.Ino, Size: info.Size, Changed: info.Ctim.Nano()}, true
}

// ChangedSince reports whether the file may have changed after readAt. A change shortly before
// readAt counts, because a later change can have the same ctime.
func (s Stat) ChangedSince(readAt time.Time) bool {
	return s.Changed > readAt.Add(-CtimeDelay).UnixNano()
}

// ChangedIn reports whether the ctime is between begin and end, give or take one [Tick].
func (s Stat) ChangedIn(begin, end time.Time) bool {
	return s.Changed >= begin.Add(-Tick).UnixNano() && s.Changed <= end.Add(Tick).UnixNano()
}

// InodeOf returns the inode number of a file.
func InodeOf(info fs.FileInfo) uint64 {
	stat, _ := info.Sys().(*syscall.Stat_t)
	if stat == nil {
		return 0
	}
	return stat.Ino
}

// NamesOf returns the number of hard links of a file.
func NamesOf(info fs.FileInfo) uint64 {
	stat, _ := info.Sys().(*syscall.Stat_t)
	if stat == nil {
		return 1
	}
	return uint64(stat.Nlink)
}
