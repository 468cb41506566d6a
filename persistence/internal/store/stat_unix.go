//go:build unix

package store

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// placeOf returns the inode number and the inode change time of a file.
func placeOf(path string) string {
	var stat unix.Stat_t
	err := error(unix.EINTR)
	for errors.Is(err, unix.EINTR) {
		err = unix.Stat(path, &stat)
	}
	if err != nil {
		return ""
	}
	return fmt.Sprint(stat.Ino, stat.Ctim.Nano())
}

// SizeIn returns the size of a regular file in an open directory. For ten thousand files, avoiding
// paths and [os.FileInfo] values saves 5 MB and half the time.
func SizeIn(dir *os.File, name string) (size int64, ok bool) {
	var stat unix.Stat_t
	err := error(unix.EINTR)
	for errors.Is(err, unix.EINTR) {
		err = unix.Fstatat(int(dir.Fd()), name, &stat, unix.AT_SYMLINK_NOFOLLOW)
	}
	return stat.Size, err == nil && stat.Mode&unix.S_IFMT == unix.S_IFREG
}
