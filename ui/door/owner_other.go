//go:build !unix

package door

import "io/fs"

// ownedByUser returns true, because these systems give each user a private directory.
func ownedByUser(fs.FileInfo) bool { return true }
