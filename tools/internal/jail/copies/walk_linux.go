package copies

import (
	"io/fs"
	"os"
	"path"

	"golang.org/x/sys/unix"

	"marvin/tools/internal/jail/internal/disk"
)

// CopiesFiles is true if Marvin copies files on this system.
const CopiesFiles = true

// walk visits the regular files below the root, breadth first. It skips directories for which
// [Skipped] returns true, and directories that contain a CACHEDIR.TAG file.
func (b *Before) walk(root *os.Root, visit func(name string, stat disk.Stat, mode fs.FileMode, changed int64)) error {
	top, err := root.Open(".")
	if err != nil {
		return err
	}
	defer func() { _ = top.Close() }()
	count := 0
	for pending := []string{"."}; len(pending) > 0; {
		dir := pending[0]
		pending = pending[1:]
		// If a command replaces a parent directory with a symbolic link, the walk can see names and
		// sizes of files outside the root. File contents are read only below the root.
		file, err := unix.Openat(int(top.Fd()), dir, unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if err != nil {
			continue // the directory was removed or is unreadable
		}
		open := os.NewFile(uintptr(file), dir)
		names, _ := open.Readdirnames(-1)
		if tagged(file) {
			names = nil
		}
		for _, name := range names {
			if count++; count > mostBeforeFiles {
				b.more = true
				_ = open.Close()
				return nil
			}
			var info unix.Stat_t
			if unix.Fstatat(file, name, &info, unix.AT_SYMLINK_NOFOLLOW) != nil {
				continue
			}
			switch info.Mode & unix.S_IFMT {
			case unix.S_IFDIR:
				if !Skipped(name) {
					pending = append(pending, path.Join(dir, name))
				}
			case unix.S_IFREG:
				stat := disk.Stat{Device: uint64(info.Dev), Inode: info.Ino, Size: info.Size, Changed: info.Ctim.Nano()}
				visit(path.Join(dir, name), stat, fs.FileMode(info.Mode&0o777), info.Mtim.Nano())
			}
		}
		_ = open.Close()
	}
	return nil
}

func tagged(dir int) bool {
	var info unix.Stat_t
	return unix.Fstatat(dir, "CACHEDIR.TAG", &info, unix.AT_SYMLINK_NOFOLLOW) == nil
}
