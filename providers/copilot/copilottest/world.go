package copilottest

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"marvin/providers/copilot"
)

// Path is where the CLI is. A test without it is skipped, with the reason.
func Path(tb testing.TB) string {
	tb.Helper()
	path, err := copilot.Find(os.Environ())
	if err != nil {
		tb.Skip("not run against the real Copilot CLI: ", err)
	}
	return path
}

// Environ is the environment of a CLI that has a home and asks no GitHub.
func Environ(home string, more ...string) []string {
	Unpacked(home)
	return append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + os.TempDir(), "COPILOT_OFFLINE=true"}, more...)
}

// Asking are the variables by which the CLI asks the model server at an address.
func Asking(address string) []string {
	return []string{"COPILOT_PROVIDER_BASE_URL=" + address + "/v1", "COPILOT_PROVIDER_API_KEY=k"}
}

// Unpacked lets the CLI unpack itself into the user's cache instead of each test home: that saves
// 237 MB and 1.3 s of CPU each time. The CLI renames the unpacked directory into place as a whole,
// so several programs may do it at once. Everything else the CLI keeps stays in the test home. If
// the cache is not writable, the CLI unpacks into the home as well.
func Unpacked(home string) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return
	}
	unpacked, own := filepath.Join(cache, "copilot", "pkg"), filepath.Join(home, ".cache", "copilot")
	if errors.Join(os.MkdirAll(unpacked, 0o700), os.MkdirAll(own, 0o700)) != nil {
		return
	}
	if probe, err := os.MkdirTemp(unpacked, ".marvin-"); err == nil && os.Remove(probe) == nil {
		_ = os.Symlink(unpacked, filepath.Join(own, "pkg"))
	}
}
