package shell_test

import (
	"strings"
	"testing"
	"time"

	"marvin/tools/shell"
)

// A program that needs a terminal does not block the user's next command.
func TestAnEditorBehindAnExclamationMarkIsEnded(t *testing.T) {
	began := time.Now()
	output, err := shell.RunOwn(t.Context(), `exec -a vim sleep 1000`, t.TempDir(), []string{"PATH=/usr/bin:/bin", "HOME=" + t.TempDir()}, nil)
	if err == nil || !strings.Contains(err.Error(), "needs a terminal; run it in /shell") || time.Since(began) > 10*time.Second {
		t.Errorf("after %s: %q, %v", time.Since(began), output, err)
	}
}
