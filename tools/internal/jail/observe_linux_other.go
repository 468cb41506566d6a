//go:build linux && !amd64

package jail

// openCall says that there is no older way to open.
const openCall = -1

func observedToo() []int { return nil }
