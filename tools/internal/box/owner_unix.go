//go:build unix

package box

import (
	"io/fs"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// keepOwner gives a new file the owner of the replaced file. Only root can change owners, so
// keepOwner does nothing for other users.
func keepOwner(file *os.File, old fs.FileInfo) {
	if stat, ok := old.Sys().(*syscall.Stat_t); ok && os.Geteuid() == 0 {
		_ = file.Chown(int(stat.Uid), int(stat.Gid))
	}
}

// linked returns true if a file has more than one hard link.
func linked(info fs.FileInfo) bool {
	if info == nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Nlink > 1
}

// keepAttributes copies the extended attributes of the replaced file to the new one, and skips
// those that cannot be copied. It does not copy capabilities, because they were granted to the old
// content.
func keepAttributes(file *os.File, parent *os.Root, old string) {
	from, err := parent.OpenFile(old, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer func() { _ = from.Close() }()
	names := make([]byte, 64<<10)
	size, err := unix.Flistxattr(int(from.Fd()), names)
	if err != nil || size == 0 {
		return
	}
	value := make([]byte, 64<<10)
	for name := range strings.SplitSeq(strings.TrimSuffix(string(names[:size]), "\x00"), "\x00") {
		if name == "security.capability" {
			continue
		}
		if n, err := unix.Fgetxattr(int(from.Fd()), name, value); err == nil {
			_ = unix.Fsetxattr(int(file.Fd()), name, value[:n], 0)
		}
	}
}
