package copilottest

import (
	"os"
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

// Environ is the environment of a CLI that starts in a home of its own and asks no GitHub.
func Environ(tb testing.TB, more ...string) []string {
	tb.Helper()
	home := tb.TempDir()
	environ := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + os.TempDir(), "COPILOT_OFFLINE=true", Unpacked(home)}
	return append(environ, more...)
}

// Asking are the variables by which the CLI asks the model server at an address.
func Asking(address string) []string {
	return []string{"COPILOT_PROVIDER_BASE_URL=" + address + "/v1", "COPILOT_PROVIDER_API_KEY=k"}
}

// Unpacked is the variable by which the CLI unpacks itself where it does for its user, and not
// in each home anew: 237 MB and 1.3 s of processor time. It renames what is there as a whole,
// so that programs may do so at once. Where it cannot write it would hang: then it is below home.
func Unpacked(home string) string {
	cache, err := os.UserCacheDir()
	if err == nil {
		err = os.MkdirAll(cache, 0o700)
	}
	if err == nil {
		var probe string
		if probe, err = os.MkdirTemp(cache, ".marvin-"); err == nil {
			err = os.Remove(probe)
		}
	}
	if err != nil {
		cache = home
	}
	return "XDG_CACHE_HOME=" + cache
}
