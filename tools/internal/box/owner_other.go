//go:build !unix

package box

import (
	"io/fs"
	"os"
)

// keepOwner does nothing: the directory decides who owns a file here.
func keepOwner(*os.File, fs.FileInfo) {}

// linked is not known here.
func linked(fs.FileInfo) bool { return false }

// keepAttributes does nothing: there are none here.
func keepAttributes(*os.File, *os.Root, string) {}
