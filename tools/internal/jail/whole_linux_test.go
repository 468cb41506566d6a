package jail_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"marvin/tools/internal/jail"
)

func TestTheSandboxIsAsWholeAsTheSystem(t *testing.T) {
	release, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil || release[0] < '6' || release[1] != '.' {
		t.Skip("an older kernel may lack more than is asked here")
	}
	mounts := exec.Command("unshare", "-Urmi", "sh", "-c", "mount -t tmpfs none /tmp && mount -o remount,bind,ro /tmp").Run() == nil
	if mounts {
		t.Setenv("MARVIN_JAIL_MUST", "1")
	}
	p := newPlaceIn(t, varTemp(t), jail.Workspace)
	result := p.run(t, true, "echo inside > made.txt; touch "+p.base+"/outside.txt 2>/dev/null || echo refused")
	if result.ExitCode != 0 || content(p.root+"/made.txt") != "inside\n" || !strings.Contains(result.Stdout.Text(), "refused") {
		t.Errorf("%d, %q, %q", result.ExitCode, result.Stdout.Text(), result.Stderr.Text())
	}
	lacks := p.keeper.Lacks()
	if mounts && strings.Contains(lacks, "not let Marvin make mounts") {
		t.Errorf("mounts can be made, and it is said: %s", lacks)
	}
	if modules, err := os.ReadFile("/sys/kernel/security/lsm"); err == nil && strings.Contains(string(modules), "landlock") && strings.Contains(lacks, "no Landlock") {
		t.Errorf("there is Landlock, and it is said: %s", lacks)
	}
}
