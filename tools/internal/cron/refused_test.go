package cron

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func TestATableThatRefuses(t *testing.T) {
	const none = `[ "$1" = -l ] && { echo "no crontab for tester" >&2; exit 1; }; `
	broken := errors.New("the lock is broken")
	for _, row := range []struct {
		what, script string
		lock, unlock error
		line         Line
		lines, says  string
	}{
		{"the program is gone", "", nil, nil, Line{"1 1 1 1 *", "x", "a"}, "crontab", "crontab"},
		{"it refuses", "#!/bin/sh\n" + none + "cat >/dev/null; printf 'bad\\n minute' >&2; exit 2\n", nil, nil, Line{"99 1 1 1 *", "x", "a"}, "", "crontab refused the change with exit code 2: bad minute; the old crontab is still there"},
		{"nobody may", "#!/bin/sh\necho 'not allowed' >&2; exit 3\n", nil, nil, Line{"1 1 1 1 *", "x", "a"}, "crontab -l failed with exit code 3: not allowed; nothing was changed\nAsk the user to run \"crontab -l\" and fix the error that it reports.", "crontab -l failed with exit code 3: not allowed; nothing was changed\nAsk the user to run \"crontab -l\" and fix the error that it reports."},
		{"it is locked", program, broken, nil, Line{"1 1 1 1 *", "x", "a"}, "", "the lock is broken"},
		{"the lock stays", program, nil, broken, Line{"1 1 1 1 *", "x", "a"}, "", "the lock is broken"},
		{"a line that is none", program, nil, nil, Line{"1 1 1 1 *", "x\ny", "a"}, "", "\"x\\ny\" is not allowed in a crontab"},
		{"a marker of others", program, nil, nil, Line{"1 1 1 1 *", "x", "a%b"}, "", "\"x\" is not allowed in a crontab"},
		{"it is not text", "#!/bin/sh\nprintf 'a\\0b'\n", nil, nil, Line{"1 1 1 1 *", "x", "a"}, "the crontab is too large or not text", "the crontab is too large or not text, so Marvin does not change it\nAsk the user to look at it with crontab -e."},
	} {
		script := row.script
		if script == "" {
			script = program
		}
		table, _ := fixture(t, script, "")
		if row.script == "" {
			table.Environ = []string{"PATH=" + t.TempDir()}
		}
		freed := false
		table.Lock = func() (func() error, error) { return func() error { freed = true; return row.unlock }, row.lock }
		lines, err := table.Lines(t.Context())
		if (err == nil) != (row.lines == "") || err != nil && !strings.Contains(err.Error(), row.lines) || len(lines) != 0 {
			t.Errorf("%s: lines %v, %v", row.what, lines, err)
		}
		removed, err := table.Change(t.Context(), marked("a"), row.line)
		if err == nil || !strings.Contains(err.Error(), row.says) || len(removed) != 0 || freed != (row.lock == nil) {
			t.Errorf("%s: %v, removed %v, freed %v", row.what, err, removed, freed)
		}
		if zones := table.Zones(t.Context(), time.UTC); len(zones) != 2 {
			t.Errorf("%s: zones %v", row.what, zones)
		}
	}
	table, _ := fixture(t, program, "")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := table.Lines(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("when nobody waits: %v", err)
	}
}

func TestCronLineMarkers(t *testing.T) {
	for raw, want := range map[string]Line{
		"1 2 3 4 5 go # a\n":                {"1 2 3 4 5", "go", "a"},
		" \t1\t2  3 4 5 \t go on # b #  c ": {"1 2 3 4 5", "go on # b", "c"},
		"1 2 3 4 5 echo 100\\% # a":         {"1 2 3 4 5", "echo 100%", "a"},
		"*/5 1-3,5 * jan mon go # a":        {"*/5 1-3,5 * jan mon", "go", "a"},
		"1 2 3 4 go # a":                    {},
		"1 2 3 4 5 # a":                     {},
		"# 1 2 3 4 5 go # a":                {},
		"A=1 2 3 4 5 go # a":                {},
		"1 2 3 4 'x go # a":                 {},
		"1 2 3 4 \"x go # a":                {},
		"1 2 3 4 5 go #a":                   {},
		"1 2 3 4 5 go":                      {},
		"1\u00a02 3 4 5 go # a":             {},
		"":                                  {},
	} {
		if got, ok := parse(raw); got != want || ok != (want != Line{}) {
			t.Errorf("%q: %+v, %v", raw, got, ok)
		}
	}
	for said, want := range map[string]bool{"no crontab for me": true, "NO CRONTAB FOR me": true, "no crontab for me\nand more": false, "can't open 'x': No such file or directory": true, "can't open 'x': Permission denied": false, "": false} {
		if isNone(said) != want {
			t.Errorf("%q says that there is none: %v", said, !want)
		}
	}
	for word, want := range map[string]string{"": "''", "aZ09_-./:,@+": "aZ09_-./:,@+", "a b": "'a b'", "it's": `'it'\''s'`, "ä": "'ä'", "a=b": "'a=b'"} {
		if got := Quote(word); got != want {
			t.Errorf("%q is written %s", word, got)
		}
	}
}

// Works reports whether lines would run on this machine.
func TestCronAvailability(t *testing.T) {
	table, _ := fixture(t, program, "")
	if !Installed(table.Environ) || Installed([]string{"PATH=/nowhere"}) {
		t.Error("it is not known whether there is a crontab")
	}
	want := ""
	if !daemonIn("/proc") && !hidden("/run/crond.pid") {
		want = "no cron daemon is running"
	}
	if got := Works(table.Environ); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	dir := t.TempDir()
	if daemonIn(dir+"/none") || daemonIn(dir) || hidden(dir+"/none") {
		t.Error("a daemon is found in nothing")
	}
	gone := exec.Command(os.Args[0], "-test.run=^$")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	for _, number := range []int{gone.Process.Pid, os.Getpid(), 0, -1} { // a dead process, and one that is not cron
		if err := os.WriteFile(dir+"/pid", fmt.Appendln(nil, number), 0o600); err != nil || hidden(dir+"/pid") {
			t.Errorf("process %d is a cron: %v", number, err)
		}
	}
	for name, text := range map[string]string{"self/comm": "cron", "1/other": "cron", "2/comm": "crond\n"} {
		if err := errors.Join(os.MkdirAll(dir+"/"+name[:strings.IndexByte(name, '/')], 0o755), os.WriteFile(dir+"/"+name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(dir + "/2/comm"); daemonIn(dir) != (err == nil) {
			t.Errorf("behind %s", name)
		}
	}
}
