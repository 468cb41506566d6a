package usertimer

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marvin/persistence/disktest"
)

var service = Service{Prefix: "marvin-schedule", About: "Run a schedule", Program: "/bin/sh", Args: []string{"schedule", "fire"}, Env: []string{"HOME=/a \"b\" 100%"}}

var timers = []Timer{
	{Name: "s-1", Times: []string{"Mon,Tue *-*-* 8:5:00 Europe/Berlin", "2026-11-30 14:30:00 UTC"}},
	{Name: "--due", Times: []string{"*-*-* *:03/15:00"}, Begin: true},
}

func TestSystemdAcceptsTheUnits(t *testing.T) {
	program, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed")
	}
	units, err := service.units(timers)
	if err != nil {
		t.Fatal(err)
	}
	dir, all := t.TempDir(), []string{"verify", "--user"}
	for name, text := range units {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".timer") {
			all = append(all, filepath.Join(dir, name))
		}
	}
	verify := exec.Command(program, append(all, filepath.Join(dir, "marvin-schedule@s-1.service"))...)
	verify.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+dir, "SYSTEMD_UNIT_PATH="+dir+":/usr/lib/systemd/user")
	if said, err := verify.CombinedOutput(); err != nil || strings.Contains(string(said), "marvin") {
		t.Errorf("%v: %s", err, said)
	}
}

// systemctl is a program that records its calls and reads one directory of units.
const systemctl = `#!/bin/sh
shift 3
echo "$@" >> "$SEEN"
[ "$1" = show ] && echo "UnitPath=/etc/systemd/user $READS"
exit 0
`

func fixture(t *testing.T) (table Table, dir, seen string) {
	t.Helper()
	home := t.TempDir()
	if err := disktest.WriteProgram(filepath.Join(home, "systemctl"), []byte(systemctl), 0o755); err != nil {
		t.Fatal(err)
	}
	dir, seen = filepath.Join(home, ".config", "systemd", "user"), filepath.Join(home, "seen")
	free := func() (func() error, error) { return func() error { return nil }, nil }
	return Table{Environ: []string{"PATH=" + home + ":/usr/bin:/bin", "SEEN=" + seen, "READS=" + dir, "MARVIN_PASS_ENV=SEEN,READS"}, Home: home, Lock: free}, dir, seen
}

func TestTheTimersComeAndGoAndUnitsOfTheUserStay(t *testing.T) {
	table, dir, seen := fixture(t)
	own := filepath.Join(dir, "marvin-schedule-mine.timer")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own, []byte("[Timer]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if why := table.NoTimers(t.Context()); why != "" {
		t.Fatal(why)
	}
	for _, row := range []struct {
		timers       []Timer
		files, calls string
	}{
		{timers, "marvin-schedule---due.timer marvin-schedule-mine.timer marvin-schedule-s-1.timer marvin-schedule@.service", "daemon-reload|enable marvin-schedule---due.timer marvin-schedule-s-1.timer|restart marvin-schedule---due.timer marvin-schedule-s-1.timer|"},
		{timers, "marvin-schedule---due.timer marvin-schedule-mine.timer marvin-schedule-s-1.timer marvin-schedule@.service", ""},
		{timers[1:], "marvin-schedule---due.timer marvin-schedule-mine.timer marvin-schedule@.service", "disable --now marvin-schedule-s-1.timer|daemon-reload|"},
		{nil, "marvin-schedule-mine.timer", "disable --now marvin-schedule---due.timer|daemon-reload|"},
	} {
		if err := os.WriteFile(seen, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := table.Set(t.Context(), service, row.timers); err != nil {
			t.Error(err)
		}
		entries, _ := os.ReadDir(dir)
		var names []string
		for _, entry := range entries {
			names = append(names, entry.Name())
		}
		calls, _ := os.ReadFile(seen)
		if files, said := strings.Join(names, " "), strings.ReplaceAll(string(calls), "\n", "|"); files != row.files || said != row.calls {
			t.Errorf("files %s\nwant  %s\ncalls %s\nwant  %s", files, row.files, said, row.calls)
		}
	}
	if text, _ := os.ReadFile(own); string(text) != "[Timer]\n" {
		t.Errorf("a unit of the user is now %q", text)
	}
}

func TestASystemdThatDoesNotReadTheDirectoryStartsNothing(t *testing.T) {
	table, _, _ := fixture(t)
	table.Environ = append(table.Environ, "XDG_CONFIG_HOME=/elsewhere")
	if why := table.NoTimers(t.Context()); !strings.Contains(why, "does not read /elsewhere/systemd/user") {
		t.Error(why)
	}
}
