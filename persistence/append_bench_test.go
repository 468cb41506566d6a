package persistence

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// What a turn costs in the log beyond waiting for the disk: in memory, where that takes
// no time.
func BenchmarkAppendTurn(b *testing.B) {
	for _, size := range []int{0, 64 << 10, 256 << 10, 1 << 20, 3 << 20, 16 << 20} {
		b.Run(fmt.Sprint(size>>10, "KB"), func(b *testing.B) {
			root, err := os.MkdirTemp("/dev/shm", "bench")
			if err != nil {
				root = b.TempDir()
			}
			b.Cleanup(func() { os.RemoveAll(root) })
			profile := Open(root, now).Profile("default")
			turn := []ChatEntry{{Role: "you", Text: "what changed?"}, {Role: "assistant", Text: strings.Repeat("a word ", 200)}}
			long := make([]ChatEntry, size/2000)
			for i := range long {
				long[i] = ChatEntry{Role: "you", Text: strings.Repeat("a word ", 270)}
			}
			if err := profile.Chat().Append(long...); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if err := profile.Chat().Append(turn...); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
