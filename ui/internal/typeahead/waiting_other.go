//go:build !linux

package typeahead

// waiting returns 0, because the number is unknown on these systems. The user has to press Enter
// again.
func waiting(int) int { return 0 }
