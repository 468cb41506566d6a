//go:build !linux

package typeahead

// waiting returns 0: the number is unknown on these systems, and the user has to press Enter again.
func waiting(int) int { return 0 }
