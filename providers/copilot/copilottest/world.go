package copilottest

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"marvin/providers/copilot"
)

// Path returns the path of the CLI, or skips the test if no CLI is installed.
func Path(tb testing.TB) string {
	tb.Helper()
	path, err := copilot.Find(os.Environ())
	if err != nil {
		tb.Skip("not run against the real Copilot CLI: ", err)
	}
	return path
}

// Environ returns an environment in which the CLI uses the given home directory and does not
// contact GitHub.
func Environ(home string, more ...string) []string {
	ShareCache(home)
	return append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + os.TempDir(), "COPILOT_OFFLINE=true"}, more...)
}

// Asking returns environment variables that direct the CLI to the model server at the given
// address.
func Asking(address string) []string {
	return []string{"COPILOT_PROVIDER_BASE_URL=" + address + "/v1", "COPILOT_PROVIDER_API_KEY=k"}
}

// ShareCache makes the CLI unpack into the user's cache. Unpacking into a test home would take 237
// MB and 1.3 s of CPU time per home. Several CLIs can unpack at once, because each CLI moves its
// directory into place in one step. If the cache is not writable, the CLI unpacks into the test
// home.
func ShareCache(home string) {
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
