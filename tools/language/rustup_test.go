//go:build unix

package language

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// rustup installs a link to itself for every program that a toolchain can contain
// (https://rust-lang.github.io/rustup/concepts/proxies.html). The link alone is not a language
// server.
func TestALinkOfRustupIsNoServer(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "bin/rustup"), "#!/bin/sh\n")
	if err := os.Symlink("rustup", filepath.Join(dir, "bin/rust-analyzer")); err != nil {
		t.Fatal(err)
	}
	environ := []string{"PATH=" + filepath.Join(dir, "bin"), "HOME=" + dir}
	server := Server{Name: "rust-analyzer", Command: []string{"rust-analyzer"}}
	write(t, filepath.Join(dir, ".rustup/toolchains/stable/bin/rustc"), "")
	if path, err := (&Set{Now: time.Now}).Program(server, environ); err == nil || !strings.Contains(err.Error(), "is a rustup link, but its component is not installed") {
		t.Errorf("%q, %v", path, err)
	}
	write(t, filepath.Join(dir, ".rustup/toolchains/nightly/bin/rust-analyzer"), "")
	if path, err := (&Set{Now: time.Now}).Program(server, environ); err != nil || path != filepath.Join(dir, "bin/rust-analyzer") {
		t.Errorf("%q, %v", path, err)
	}
}
