//go:build !unix

package oldplace

// readOnly reports errors of read-only directories, which need no message.
func readOnly(error) bool { return false }
