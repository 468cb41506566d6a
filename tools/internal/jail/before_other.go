//go:build !linux

package jail

import (
	"io/fs"
	"os"
)

const noWait = 0

// walk visits nothing: where there is no sandbox, no command runs that nobody looked at.
func (b *Before) walk(*os.Root, func(string, fileStat, fs.FileMode, int64)) error { return nil }
