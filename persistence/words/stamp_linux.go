package words

import (
	"io/fs"
	"syscall"
	"time"
)

// changed is the ctime of a file: unlike the mtime, a program cannot set it back.
func changed(info fs.FileInfo) time.Time {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(stat.Ctim.Unix())
	}
	return info.ModTime()
}
