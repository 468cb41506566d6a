//go:build !unix

package private

import "io/fs"

func severalNames(fs.FileInfo) bool { return false }
