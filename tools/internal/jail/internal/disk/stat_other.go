//go:build !linux

package disk

import (
	"io/fs"
	"os"
	"time"
)

// Stat is always zero on this system.
type Stat struct {
	Inode uint64
	Size  int64
}

// Of returns a zero [Stat], and reports whether path exists.
func Of(path string) (Stat, bool) {
	_, err := os.Lstat(path)
	return Stat{}, err == nil
}

func (Stat) ChangedSince(time.Time) bool { return true }

func (Stat) ChangedIn(_, _ time.Time) bool { return true }

// InodeOf returns 0 on this system.
func InodeOf(fs.FileInfo) uint64 { return 0 }

func NamesOf(fs.FileInfo) uint64 { return 1 }
