//go:build !linux

package typeahead

// waiting returns 0. On these systems, Enter keys typed early are not corrected.
func waiting(int) int { return 0 }
