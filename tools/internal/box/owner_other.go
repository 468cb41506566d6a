//go:build !unix

package box

import (
	"io/fs"
	"os"
)

// keepOwner does nothing: on this system the directory decides who owns a file.
func keepOwner(*os.File, fs.FileInfo) {}

// linked returns false, because the number of names is unknown on this system.
func linked(fs.FileInfo) bool { return false }

// keepAttributes does nothing: this system has no extended attributes.
func keepAttributes(*os.File, *os.Root, string) {}
