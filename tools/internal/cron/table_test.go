package cron

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/persistence/disktest"
)

// program is a crontab program that stores a file, as crontab(1) does in /var/spool.
const program = `#!/bin/sh
case "$1" in
-l) [ -f "$SPOOL" ] || { echo "no crontab for tester" >&2; exit 1; }; exec cat "$SPOOL" ;;
-) exec cat > "$SPOOL" ;;
esac
exit 2
`

// fixture returns a table that uses this program, and the path of its file.
func fixture(t *testing.T, script, content string) (Table, string) {
	t.Helper()
	dir := t.TempDir()
	if err := disktest.WriteProgram(filepath.Join(dir, "crontab"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	spool := filepath.Join(dir, "spool")
	if content != "" {
		if err := os.WriteFile(spool, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Table{Environ: []string{"PATH=" + dir + ":" + os.Getenv("PATH"), "SPOOL=" + spool, "MARVIN_PASS_ENV=SPOOL"}, Lock: free}, spool
}

func free() (func() error, error) { return func() error { return nil }, nil }

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func marked(marker string) func(Line) bool {
	return func(line Line) bool { return line.Marker == marker }
}

// others are existing crontab entries of the user; no byte of them may change.
const others = `# alarm a # a
MAILTO="a # a"
0 5 * * 1	/usr/bin/backup --all   # backup and a
@reboot  echo a # a
*/30 * * * * /x/ntfy_watcher.sh # local-finder-ntfy-watcher
30 14 20 11 * /home/u/alarms/tea.sh # tea
  1 1 1 1 * echo 100\% # aa`

func TestOnlyTheLineWithExactlyThatMarkerIsTouched(t *testing.T) {
	table, spool := fixture(t, program, others)
	added := Line{Schedule: At(time.Date(2026, 11, 20, 7, 5, 59, 0, time.UTC)), Command: "HOME='/a b' marvin ring a", Marker: "a"}
	if removed, err := table.Change(t.Context(), marked("a"), added); err != nil || len(removed) != 0 {
		t.Fatalf("%v, %v", removed, err)
	}
	want := others + "\n5 7 20 11 * HOME='/a b' marvin ring a # a\n"
	if got := read(t, spool); got != want {
		t.Fatalf("got %s", got)
	}
	removed, err := table.Change(t.Context(), marked("a"))
	if err != nil || len(removed) != 1 || removed[0] != added || read(t, spool) != others+"\n" {
		t.Errorf("%v, %v, %s", removed, err, read(t, spool))
	}
	lines, err := table.Lines(t.Context())
	if err != nil || len(lines) != 4 || lines[2] != (Line{"30 14 20 11 *", "/home/u/alarms/tea.sh", "tea"}) || lines[3].Command != "echo 100%" {
		t.Errorf("%q, %v", lines, err)
	}
}

func TestNothingIsWrittenWhenNothingChanges(t *testing.T) {
	table, spool := fixture(t, program, "")
	if removed, err := table.Change(t.Context(), marked("a")); err != nil || removed != nil {
		t.Errorf("%v, %v", removed, err)
	}
	if _, err := os.Stat(spool); err == nil {
		t.Error("an empty table was made")
	}
}

func TestATableThatCannotBeReadIsNeverReplaced(t *testing.T) {
	for name, script := range map[string]string{
		"not allowed": `[ "$1" = -l ] && { echo "You (tester) are not allowed to use this program (crontab)" >&2; exit 1; }; cat > "$SPOOL"`,
		"broken disk": `[ "$1" = -l ] && { echo "0 5 * * * half"; echo "crontab: read error: Input/output error" >&2; exit 1; }; cat > "$SPOOL"`,
		"two reasons": `[ "$1" = -l ] && { printf 'no crontab for tester\nbut the disk fails\n' >&2; exit 1; }; cat > "$SPOOL"`,
		"silent":      `[ "$1" = -l ] && exit 1; cat > "$SPOOL"`,
		"huge":        `[ "$1" = -l ] && exec head -c 5000000 /dev/zero; cat > "$SPOOL"`,
	} {
		table, spool := fixture(t, "#!/bin/sh\n"+script+"\n", "kept")
		_, err := table.Change(t.Context(), marked("a"), Line{"1 1 1 1 *", "x", "a"})
		if err == nil || read(t, spool) != "kept" {
			t.Errorf("%s: %v, table %q", name, err, read(t, spool))
		}
	}
}

// busybox has its own message.
func TestHavingNoTableIsAnEmptyOne(t *testing.T) {
	for _, said := range []string{"no crontab for root", "crontab: no crontab for u", "crontab: can't open 'root': No such file or directory"} {
		script := strings.Replace(program, "no crontab for tester", said, 1)
		table, spool := fixture(t, script, "")
		if _, err := table.Change(t.Context(), marked("a"), Line{"1 1 1 1 *", "x", "a"}); err != nil || read(t, spool) != "1 1 1 1 * x # a\n" {
			t.Errorf("%s: %v", said, err)
		}
	}
}

func TestACommandCannotBecomeAnotherLine(t *testing.T) {
	table, spool := fixture(t, program, "")
	for _, line := range []Line{{"1 1 1 1 *", "x\n* * * * * evil", "a"}, {"1 1 1 1 *", "x", "a\n* * * * * evil"}, {"1 1 1 1 *", "x", "a # b"}, {"1 1 1 1 *", "x\x00", "a"}} {
		if _, err := table.Change(t.Context(), marked("a"), line); err == nil {
			t.Errorf("%q was written: %s", line, read(t, spool))
		}
	}
}

func TestQuotedWordsReachTheProgramAsTheyAre(t *testing.T) {
	for _, word := range []string{"", "plain", "/a b/c", "it's", "$(id) `id` \"x\" \\", "ä%;&|<>*?"} {
		out, err := exec.Command("sh", "-c", "printf %s "+Quote(word)).Output()
		if err != nil || string(out) != word {
			t.Errorf("%q became %q, %v", word, out, err)
		}
	}
}

// The real program accepts a written line, and returns it unchanged.
func TestTheRealCrontab(t *testing.T) {
	if _, err := exec.LookPath("crontab"); err != nil {
		t.Skip("no crontab on this machine")
	}
	table := Table{Environ: os.Environ(), Lock: free}
	before, err := table.read(t.Context())
	if err != nil {
		t.Skip("the crontab of this user is not readable:", err)
	}
	t.Cleanup(func() {
		restore := exec.Command("crontab", "-r")
		if len(before) > 0 {
			restore = exec.Command("crontab", "-")
			restore.Stdin = strings.NewReader(string(before))
		}
		if err := restore.Run(); err != nil {
			t.Error(err)
		}
	})
	line := Line{Schedule: "30 14 29 2 *", Command: "HOME='/a b' true 'ä%'", Marker: "marvin-crontab-test"}
	if _, err := table.Change(t.Context(), marked(line.Marker), line); err != nil {
		t.Fatal(err)
	}
	lines, err := table.Lines(t.Context())
	if err != nil || len(lines) == 0 || lines[len(lines)-1] != line {
		t.Errorf("%q, %v", lines, err)
	}
	if _, err := table.Change(t.Context(), marked(line.Marker)); err != nil {
		t.Fatal(err)
	}
	if after, err := table.read(t.Context()); err != nil || string(after) != string(before) {
		t.Errorf("%q, %v", after, err)
	}
}

func TestADaemonIsKnownByItsName(t *testing.T) {
	for name, want := range map[string]bool{"cron": true, "crond": true, "crontab": false, "bash": false} {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, "412"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "412", "comm"), []byte(name+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := daemonIn(dir); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if why := Works([]string{"PATH=" + t.TempDir()}); why != "cron is not installed" {
		t.Errorf("got %q", why)
	}
}

// A line was once written for the shell's TZ, and cron, which uses the system's, rang hours off.
func TestCronHasAZoneOfItsOwn(t *testing.T) {
	table, spool := fixture(t, program, "CRON_TZ=Asia/Tokyo\n0 5 * * * backup\nCRON_TZ=\"America/New_York\"\n")
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	table.System = filepath.Join(filepath.Dir(spool), "localtime")
	due := time.Date(2026, 7, 1, 12, 30, 0, 0, time.UTC)
	if got := Schedules(due, table.Zones(t.Context(), time.UTC)...); strings.Join(got, "+") != "30 12 1 7 *+30 8 1 7 *" {
		t.Errorf("without a file it is UTC: %q", got)
	}
	data, err := os.ReadFile("/usr/share/zoneinfo/Europe/Berlin")
	if err != nil {
		t.Skip("no time zones on this machine")
	}
	if err := os.WriteFile(table.System, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := Schedules(due, table.Zones(t.Context(), time.UTC)...); strings.Join(got, "+") != "30 14 1 7 *+30 12 1 7 *+30 8 1 7 *" {
		t.Errorf("got %q", got)
	}
	if got := Schedules(due, table.Zones(t.Context(), zone)[:2]...); len(got) != 1 {
		t.Errorf("the same time twice: %q", got)
	}
}
