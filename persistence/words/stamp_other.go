//go:build !linux

package words

import (
	"io/fs"
	"time"
)

// changed is when a file changed last.
func changed(info fs.FileInfo) time.Time { return info.ModTime() }
