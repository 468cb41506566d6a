//go:build !linux

package disk

import (
	"io/fs"
	"os"
	"time"
)

// Stat is what is known of a file where there is no sandbox, and so nothing to look for.
type Stat struct {
	Inode uint64
	Size  int64
}

// Of returns the state of what a path names, without following a link.
func Of(path string) (Stat, bool) {
	_, err := os.Lstat(path)
	return Stat{}, err == nil
}

func (Stat) ChangedSince(time.Time) bool { return true }

// InodeOf is the number of a file in its file system.
func InodeOf(fs.FileInfo) uint64 { return 0 }

func NamesOf(fs.FileInfo) uint64 { return 1 }
