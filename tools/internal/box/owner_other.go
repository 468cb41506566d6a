//go:build !unix

package box

import (
	"io/fs"
	"os"
)

// keepOwner does nothing, because on this system the directory determines the owner of a file.
func keepOwner(*os.File, fs.FileInfo) {}

// linked returns false, because the number of hard links is unknown on this system.
func linked(fs.FileInfo) bool { return false }

// keepAttributes does nothing, because this system has no extended attributes.
func keepAttributes(*os.File, *os.Root, string) {}
