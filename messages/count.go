package messages

import "fmt"

// Counted returns a count with its noun, whose plural must end with s: 1 tool, 2 tools.
func Counted[N int | int64](count N, what string) string {
	if count != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", count, what)
}
