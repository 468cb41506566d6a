package storetest

import (
	"os/exec"
	"testing"

	"marvin/persistence/disktest"
)

// InOwnMounts runs cmd as root in a mount namespace of its own. It skips the test if this machine
// has no user namespaces.
func InOwnMounts(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	cmd.SysProcAttr = disktest.OwnMounts()
	output, err := cmd.CombinedOutput()
	if disktest.NoMounts(err) {
		t.Skipf("user namespaces are not available on this machine: %v", err)
	}
	if err != nil {
		t.Errorf("%v: %s", err, output)
	}
}

func ErrorText(err error) string {
	if err == nil {
		return "nothing"
	}
	return err.Error()
}
