package notify

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"go.uber.org/goleak"

	"marvin/persistence/disktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// bus starts a private message bus and returns its address.
func bus(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("dbus-daemon"); err != nil {
		t.Skip("no dbus-daemon on this machine")
	}
	daemon := exec.Command("dbus-daemon", "--session", "--nofork", "--print-address")
	out, err := daemon.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = daemon.Process.Kill(); _ = daemon.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

type shown struct {
	title, body string
	hints       map[string]dbus.Variant
}

// desktop acts as a notification service.
type desktop chan shown

func (d desktop) Notify(_ string, _ uint32, _, title, body string, _ []string, hints map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	d <- shown{title, body, hints}
	return 7, nil
}

func TestADesktopOnTheBusShowsIt(t *testing.T) {
	where := bus(t)
	connection, err := dbus.Connect(where)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	screen := make(desktop, 1)
	if err := connection.Export(screen, "/org/freedesktop/Notifications", "org.freedesktop.Notifications"); err != nil {
		t.Fatal(err)
	}
	if _, err := connection.RequestName("org.freedesktop.Notifications", dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	err = Send(t.Context(), []string{"DBUS_SESSION_BUS_ADDRESS=" + where, "PATH=/nowhere"}, "⏰ tea\x1b", "a <b>bold</b> & \xff")
	if err != nil {
		t.Fatal(err)
	}
	got := <-screen
	if got.title != "⏰ tea" || got.body != "a &lt;b&gt;bold&lt;/b&gt; &amp; �" || got.hints["urgency"].Value() != byte(2) {
		t.Errorf("%+v", got)
	}
}

func TestNotifySendIsTheSecondWay(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\nprintf '%s|' \"$@\" > \"$SEEN\"\n"
	if err := disktest.WriteProgram(filepath.Join(dir, "notify-send"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	seen := filepath.Join(dir, "seen")
	environ := []string{"PATH=" + dir, "SEEN=" + seen, "MARVIN_PASS_ENV=SEEN", "XDG_RUNTIME_DIR=" + dir}
	if err := Send(t.Context(), environ, "-u", "--icon=x"); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(seen); err != nil || string(got) != "-u|critical|-a|Marvin|--|-u|--icon=x|" {
		t.Errorf("%q, %v", got, err)
	}
}

// A program gets the bus address if Marvin knows it, and only as much text as a desktop shows.
func TestNotifierEnvironment(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\nprintf '%s|' \"$7\" \"${DBUS_SESSION_BUS_ADDRESS-none}\" > \"$SEEN\"\n"
	if err := disktest.WriteProgram(filepath.Join(dir, "notify-send"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	seen := filepath.Join(dir, "seen")
	environ := []string{"PATH=" + dir, "SEEN=" + seen, "MARVIN_PASS_ENV=SEEN", "XDG_RUNTIME_DIR=" + dir}
	long := strings.Repeat("é", 500)
	for _, test := range []struct{ body, want string }{{"a\x7f\tb\nc", "ab\nc|none|"}, {long, long + "|none|"}, {long + "é", long + "…|unix:path=" + dir + "/bus|"}} {
		if strings.Contains(test.want, "unix:") {
			if err := os.WriteFile(filepath.Join(dir, "bus"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := Send(t.Context(), environ, "title", test.body); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(seen); err != nil || string(got) != test.want {
			t.Errorf("%q, %v", got, err)
		}
	}
}

func TestMacOSShowsItByAScript(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\nprintf '%s|' \"$@\" > \"$SEEN\"\n"
	if err := disktest.WriteProgram(filepath.Join(dir, "osascript"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	seen := filepath.Join(dir, "seen")
	environ := []string{"PATH=" + dir, "SEEN=" + seen, "MARVIN_PASS_ENV=SEEN", "XDG_RUNTIME_DIR=" + dir}
	if !Possible(environ) {
		t.Error("it is said to be impossible")
	}
	if err := Send(t.Context(), environ, "-e beep", `" & (do shell script "x")`); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(seen)
	if _, texts, _ := strings.Cut(string(got), "|end run|"); err != nil || texts != `--|-e beep|" & (do shell script "x")|` {
		t.Errorf("%q, %v", got, err)
	}
}

func TestWithoutADesktopItSaysSo(t *testing.T) {
	dir := t.TempDir()
	for _, environ := range [][]string{
		{"PATH=" + dir, "XDG_RUNTIME_DIR=" + dir},
		{"PATH=" + dir, "DBUS_SESSION_BUS_ADDRESS=unix:path=" + dir + "/none"},
	} {
		if err := Send(t.Context(), environ, "a", "b"); !errors.Is(err, ErrNoDesktop) {
			t.Errorf("%v: %v", environ, err)
		}
	}
	begun := time.Now()
	if where := bus(t); !errors.Is(Send(t.Context(), []string{"PATH=" + dir, "DBUS_SESSION_BUS_ADDRESS=" + where}, "a", "b"), ErrNoDesktop) || time.Since(begun) > patience {
		t.Error("a bus without a desktop")
	}
}
