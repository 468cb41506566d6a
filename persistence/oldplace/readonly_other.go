//go:build !unix

package oldplace

func readOnly(error) bool { return false }
