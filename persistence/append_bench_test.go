package persistence

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"marvin/persistence/chat"
	"marvin/persistence/internal/storetest"
)

func BenchmarkAppendTurn(b *testing.B) {
	for _, size := range []int{0, 64 << 10, 256 << 10, 1 << 20, 3 << 20, 16 << 20} {
		b.Run(fmt.Sprint(size>>10, "KB"), func(b *testing.B) {
			root, err := os.MkdirTemp("/dev/shm", "bench")
			if err != nil {
				root = b.TempDir()
			}
			b.Cleanup(func() { os.RemoveAll(root) })
			profile := Open(root, storetest.Now).Profile("default")
			turn := []chat.Entry{{Role: "you", Text: "what changed?"}, {Role: "assistant", Text: strings.Repeat("a word ", 200)}}
			long := make([]chat.Entry, size/2000)
			for i := range long {
				long[i] = chat.Entry{Role: "you", Text: strings.Repeat("a word ", 270)}
			}
			if err := chat.New(profile).Append(long...); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if err := chat.New(profile).Append(turn...); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
