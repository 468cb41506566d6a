//go:build !unix

package oldplace

// readOnly reports whether an error comes from a read-only directory; such errors need no message.
func readOnly(error) bool { return false }
