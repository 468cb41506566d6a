//go:build !unix

package door

import "io/fs"

// ownedByUser returns true: these systems give each user a private directory.
func ownedByUser(fs.FileInfo) bool { return true }
