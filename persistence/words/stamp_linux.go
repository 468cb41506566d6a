package words

import (
	"io/fs"
	"syscall"
	"time"
)

// changed is when a file, or something about it, changed last: unlike the time of its
// content nobody can set it back.
func changed(info fs.FileInfo) time.Time {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(stat.Ctim.Unix())
	}
	return info.ModTime()
}
