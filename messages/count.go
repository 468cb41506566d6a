package messages

import "fmt"

// Counted formats a number with a noun, such as "1 tool" or "2 tools". The plural ends in "s".
func Counted[N int | int64](count N, noun string) string {
	if count != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", count, noun)
}

// Bytes returns a size in readable form.
func Bytes[N int | int64](size N) string {
	switch {
	case size < 10_000:
		return Counted(size, "byte")
	case size < 10_000_000:
		return fmt.Sprintf("%d KB", size/1000)
	}
	return fmt.Sprintf("%d MB", size/1_000_000)
}
