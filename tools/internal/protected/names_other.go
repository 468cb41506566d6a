//go:build !unix

package protected

import "io/fs"

// severalNames returns true, because this system does not tell whether a file has more than one
// name.
func severalNames(fs.FileInfo) bool { return true }
