//go:build !unix

package protected

import "io/fs"

// severalNames says whether a file has more than one name, which is not known here.
func severalNames(fs.FileInfo) bool { return true }
