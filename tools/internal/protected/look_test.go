package protected

import (
	"os"
	"path/filepath"
	"testing"
)

// A file tool looks up the places at each write.
func BenchmarkLook(b *testing.B) {
	home := b.TempDir()
	for _, dir := range []string{".config/nvim", ".local/share", ".ssh", "src/project"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o755); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if _, ok := (Locations{Home: home}).Look().PlaceOf(filepath.Join(home, "src/project/main.go")); ok {
			b.Fatal("an ordinary file is protected")
		}
	}
}
