package alarms

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"marvin/persistence"
	"marvin/persistence/disktest"
	"marvin/persistence/personal"
	"marvin/tools"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fixture is a Marvin with a crontab(1) that stores a file, a notify-send that records its
// arguments, and an ntfy server.
type fixture struct {
	*Service
	t       *testing.T
	dir     string
	environ []string
	home    *persistence.Home
	pushed  atomic.Pointer[string]
	now     time.Time
}

// Crontab lines use the machine's zone; tests fix it to UTC.
func init() { time.Local = time.UTC }

const crontab = `#!/bin/sh
case "$1" in
-l) [ -f "$SPOOL" ] || { echo "no crontab for tester" >&2; exit 1; }; exec cat "$SPOOL" ;;
-) exec cat > "$SPOOL" ;;
esac
`

func newFixture(t *testing.T, noCron string) *fixture {
	t.Helper()
	d := &fixture{t: t, dir: t.TempDir(), now: time.Date(2026, 11, 20, 14, 0, 0, 0, time.Local)}
	d.write("bin/crontab", crontab)
	d.write("bin/notify-send", "#!/bin/sh\nshift 5\nprintf '%s\\n' \"$@\" >> \"$SEEN\"\n")
	d.environ = []string{"PATH=" + d.dir + "/bin:/usr/bin:/bin", "SPOOL=" + d.dir + "/spool", "SEEN=" + d.dir + "/seen", "XDG_RUNTIME_DIR=" + d.dir, "MARVIN_PASS_ENV=SPOOL,SEEN"}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		content, _ := io.ReadAll(r.Body)
		text := r.URL.Path + " " + string(content)
		d.pushed.Store(&text)
		_, _ = io.WriteString(w, `{"id":"sPs71M8A2T","time":1643935928,"event":"message","topic":"t","message":"x"}`)
	}))
	client := tools.NewHTTPClient(map[string]string{"ntfy.sh": server.URL})
	t.Cleanup(func() { client.CloseIdleConnections(); server.Close() })
	d.home = persistence.Open(d.dir+"/it's home", func() time.Time { return d.now })
	d.Service = New(d.home, client, "/opt/my marvin/marvin")
	d.ringer.NoCron, d.ringer.SystemZone = func([]string) string { return noCron }, d.dir+"/no zone"
	d.watch.Ringer = d.ringer
	return d
}

func (d *fixture) write(name, content string) {
	d.t.Helper()
	path := filepath.Join(d.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := disktest.WriteProgram(path, []byte(content), 0o755); err != nil {
		d.t.Fatal(err)
	}
}

// file returns the content of a file, or "".
func (d *fixture) file(name string) string {
	content, _ := os.ReadFile(filepath.Join(d.dir, name))
	return string(content)
}

func (d *fixture) call(name, args string) string {
	d.t.Helper()
	for _, tool := range d.Tools() {
		if tool.Name != name {
			continue
		}
		call, err := tool.Decode(json.RawMessage(args))
		if err != nil {
			return err.Error()
		}
		output, err := call.Run(d.t.Context(), tools.Env{Environ: d.environ, Profile: d.home.Profile("default").Dir})
		if err != nil {
			return err.Error()
		}
		return output.Text
	}
	d.t.Fatalf("no tool %s", name)
	return ""
}

func expect(t *testing.T, got, want string) {
	t.Helper()
	if !strings.Contains(got, want) {
		t.Errorf("got %q, want %q in it", got, want)
	}
}

func TestAnAlarmIsADataFileAndALineOfTheCrontab(t *testing.T) {
	d := newFixture(t, "")
	d.write("spool", "0 5 * * * backup # tea and more\n")
	got := d.call("set_alarm", `{"time": "14:30", "message": "Pour\n$(rm -rf /) 'it' %", "label": "tea"}`)
	if got != "Alarm \"tea\" is set for Fri Nov 20 2026 14:30 (in 30m): Pour $(rm -rf /) 'it' %.\nIt rings on the desktop, and in Marvin if it is open." {
		t.Errorf("got %s", got)
	}
	want := "0 5 * * * backup # tea and more\n30 14 20 11 * HOME='" + d.dir + `/it'\''s home' '/opt/my marvin/marvin' ring-alarm tea # tea` + "\n"
	if got := d.file("spool"); got != want {
		t.Errorf("the crontab is %s", got)
	}
	expect(t, d.call("list_alarms", `{}`), "1. tea: Fri Nov 20 2026 14:30\n   Pour $(rm -rf /) 'it' %")
	expect(t, d.call("set_alarm", `{"time": "15:00", "label": "tea"}`), `"tea" is already set`)
	expect(t, d.call("cancel_alarm", `{"alarm_id": "te"}`), "There is: tea")
	expect(t, d.call("cancel_alarm", `{"label": "tea"}`), `"tea" is cancelled; it would have rung at Fri Nov 20 14:30`)
	if got := d.file("spool"); got != "0 5 * * * backup # tea and more\n" {
		t.Errorf("left in the crontab: %s", got)
	}
	expect(t, d.call("list_alarms", `{}`), "No alarms are set.")
}

// The Python Marvin dropped every line that contained the label somewhere.
func TestAShortLabelDoesNotWipeTheCrontab(t *testing.T) {
	d := newFixture(t, "")
	const lines = "0 5 * * * backup # a\n@daily cat a # a\n1 1 1 1 * /x/ring a # a\n"
	d.write("spool", lines)
	d.call("set_alarm", `{"time": "30m", "label": "a"}`)
	expect(t, d.call("cancel_alarm", `{"label": "a"}`), "cancelled")
	if got := d.file("spool"); got != lines {
		t.Errorf("the crontab is %s", got)
	}
}

func TestTheDefaultLabelNeverOverwritesAnEarlierAlarm(t *testing.T) {
	d := newFixture(t, "")
	d.call("set_alarm", `{"time": "30m"}`)
	expect(t, d.call("set_alarm", `{"time": "40m"}`), `"alarm-2"`)
	expect(t, d.call("list_alarms", `{}`), "2. alarm-2")
}

func TestLabelsAreWords(t *testing.T) {
	d := newFixture(t, "")
	for _, label := range []string{"../../etc/x", "a/b", "a;b", "$(id)", "a%b", "-n", ".x", "calremind_1_60", strings.Repeat("x", 60)} {
		args, _ := json.Marshal(map[string]string{"time": "30m", "label": label})
		expect(t, d.call("set_alarm", string(args)), "cannot be a label")
		args, _ = json.Marshal(map[string]string{"label": label})
		expect(t, d.call("cancel_alarm", string(args)), "there is no alarm")
	}
	expect(t, d.call("set_alarm", `{"time": "30m", "label": "grüner tee"}`), `"grüner-tee"`)
}

func TestWithoutCronItSaysThatItRingsInARunningMarvinOnly(t *testing.T) {
	d := newFixture(t, "no cron daemon is running")
	expect(t, d.call("set_alarm", `{"seconds": 90, "label": "egg"}`), "No cron daemon is running, so the alarm rings only while Marvin is open, in its window and on the desktop.")
	if d.file("spool") != "" {
		t.Error("the crontab was touched")
	}
	if !strings.Contains(d.call("list_alarms", `{}`), "egg") {
		t.Error("it is not listed")
	}
}

func TestABrokenCrontabIsLeftAloneAndTheAlarmStillRingsHere(t *testing.T) {
	d := newFixture(t, "")
	d.write("bin/crontab", "#!/bin/sh\n[ \"$1\" = -l ] && { echo 'cannot open spool' >&2; exit 1; }\ncat > \"$SPOOL\"\n")
	expect(t, d.call("set_alarm", `{"time": "30m", "label": "egg"}`), "The crontab could not be changed (crontab -l failed with exit code 1: cannot open spool; nothing was changed), so the alarm rings only while")
	if d.file("spool") != "" {
		t.Error("the crontab was replaced")
	}
	expect(t, d.call("list_alarms", `{}`), "Warning: crontab -l failed")
}

func TestAlarmsOfThePythonMarvinAreListedAndCancelled(t *testing.T) {
	d := newFixture(t, "")
	script := filepath.Join(d.home.User, ".config", "local-finder", "alarms", "old.sh") // a script of an older Marvin
	d.write("it's home/.config/marvin/alarms/old.sh", "#!/bin/bash\n")
	d.write("spool", "30 14 20 11 * "+script+" # old\n*/30 * * * * /x/ntfy_watcher.sh # local-finder-ntfy-watcher\n")
	got := d.call("list_alarms", `{}`)
	expect(t, got, `1. old: crontab "30 14 20 11 *", set by an earlier Marvin version`)
	if strings.Contains(got, "watcher") {
		t.Errorf("the watcher is no alarm: %s", got)
	}
	expect(t, d.call("cancel_alarm", `{"label": "old"}`), "cancelled")
	if _, err := os.Stat(script); err == nil || strings.Contains(d.file("spool"), "old") {
		t.Errorf("script or line left: %s", d.file("spool"))
	}
}

func TestCronAlarmRingsOnce(t *testing.T) {
	d := newFixture(t, "")
	profile := d.home.Profile("default")
	for _, topic := range []personal.Subscription{{Topic: "public-news"}, {Topic: "my-secret", Label: "Reminders"}} {
		if _, err := personal.TopicsOf(profile).Subscribe(topic); err != nil {
			t.Fatal(err)
		}
	}
	expect(t, d.call("set_alarm", `{"time": "2026-11-20 14:30", "message": "Pour", "label": "tea"}`), "on the desktop and through ntfy (Reminders), and in Marvin if it is open")
	d.now = d.now.Add(30 * time.Minute)
	for range 2 {
		if err := d.Ring(t.Context(), d.environ, "tea"); err != nil {
			t.Fatal(err)
		}
	}
	if got := d.file("seen"); got != "⏰ tea\nPour\n" {
		t.Errorf("the desktop showed %q", got)
	}
	if got := d.pushed.Load(); got == nil || *got != "/my-secret Pour" {
		t.Errorf("ntfy got %v", got)
	}
	if topics, err := personal.TopicsOf(profile).All(); err != nil || len(topics[1].Sent) != 1 || len(topics[0].Sent) != 0 {
		t.Errorf("an own message will be shown as news: %+v, %v", topics, err)
	}
	if d.file("spool") != "" || !strings.Contains(d.call("list_alarms", `{}`), "No alarms") {
		t.Errorf("left: %s", d.file("spool"))
	}
}

// Crontab lines have no year.
func TestAnAlarmOfNextYearDoesNotRingThisYear(t *testing.T) {
	d := newFixture(t, "")
	d.call("set_alarm", `{"time": "2027-11-20 14:30", "label": "tea"}`)
	if err := d.Ring(t.Context(), d.environ, "tea"); err != nil || d.file("seen") != "" {
		t.Errorf("%v, %q", err, d.file("seen"))
	}
	expect(t, d.call("list_alarms", `{}`), "2027")
	d.now = d.now.AddDate(2, 0, 0) // it does not ring late either: it is shown as missed
	if err := d.Ring(t.Context(), d.environ, "tea"); err != nil || d.file("seen") != "" || d.file("spool") != "" {
		t.Errorf("%v, %q, %q", err, d.file("seen"), d.file("spool"))
	}
	if lines, err := d.Next(t.Context(), d.environ); err != nil || len(lines) != 1 || !strings.HasPrefix(lines[0], "⏰ Missed tea") {
		t.Errorf("%q, %v", lines, err)
	}
}

func TestUnheardAlarmIsShownAtNextStart(t *testing.T) {
	d := newFixture(t, "")
	if err := os.Remove(filepath.Join(d.dir, "bin/notify-send")); err != nil {
		t.Fatal(err)
	}
	d.environ[0] = "PATH=" + d.dir + "/bin"
	if err := os.Symlink("/bin/cat", filepath.Join(d.dir, "bin/cat")); err != nil {
		t.Fatal(err)
	}
	expect(t, d.call("set_alarm", `{"time": "14:30", "label": "tea"}`), "no desktop here and no ntfy topic for alarms, so the alarm is shown only if Marvin is open at that time")
	d.now = d.now.Add(30 * time.Minute)
	if err := d.Ring(t.Context(), d.environ, "tea"); err == nil || !strings.Contains(err.Error(), "no desktop") {
		t.Errorf("cron's mail says %v", err)
	}
	d.now = d.now.Add(time.Hour)
	if lines, err := d.Next(t.Context(), d.environ); err != nil || len(lines) != 1 || lines[0] != "⏰ Missed tea (was due Fri Nov 20 14:30)" {
		t.Errorf("%q, %v", lines, err)
	}
}

func TestARunningMarvinShowsAnAlarmAndRingsIt(t *testing.T) {
	d := newFixture(t, "no cron daemon is running")
	d.call("set_alarm", `{"time": "14:01", "message": "Pour", "label": "tea"}`)
	d.now = d.now.Add(time.Minute)
	lines, err := d.Next(t.Context(), d.environ)
	if err != nil || len(lines) != 1 || lines[0] != "⏰ tea: Pour (14:01)" {
		t.Fatalf("%q, %v", lines, err)
	}
	d.call("set_alarm", `{"time": "14:30", "label": "late"}`)
	d.now = d.now.Add(time.Hour)
	if lines, err = d.Next(t.Context(), d.environ); err != nil || len(lines) != 1 || lines[0] != "⏰ Missed late (was due Fri Nov 20 14:30)" {
		t.Errorf("%q, %v", lines, err)
	}
	if got := d.file("seen"); got != "⏰ tea\nPour\n" {
		t.Errorf("the desktop showed %q", got)
	}
}

// The watch runs in virtual time. It wakes up for the alarm, for a new alarm, and if cron rang
// first.
func TestAWatchWakesForWhatIsDue(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		home := persistence.Open(dir, time.Now)
		service := New(home, http.DefaultClient, "")
		set := func(label string, in time.Duration) {
			if err := personal.AlarmsOf(home).Save(personal.Alarm{Label: label, Time: time.Now().Add(in)}); err != nil {
				t.Error(err)
			}
			service.watch.Wake()
		}
		environ := []string{"PATH=" + dir, "XDG_RUNTIME_DIR=" + dir}
		next := func() string {
			lines, err := service.Next(t.Context(), environ)
			if err != nil {
				t.Fatal(err)
			}
			return strings.Join(lines, "+")
		}
		begin := time.Now()
		set("far", time.Hour)
		time.AfterFunc(10*time.Second, func() { set("near", 5*time.Second) })
		if got := next(); !strings.HasPrefix(got, "⏰ near") || time.Since(begin) != 15*time.Second {
			t.Errorf("%q after %s", got, time.Since(begin))
		}
		time.AfterFunc(time.Hour-16*time.Second, func() { _, _ = personal.AlarmsOf(home).Take("far") }) // cron takes the alarm a second early
		if got := next(); !strings.HasPrefix(got, "⏰ far") || time.Since(begin) != time.Hour {
			t.Errorf("%q after %s", got, time.Since(begin))
		}
		set("gone", time.Minute)
		time.AfterFunc(20*time.Second, func() { _, _ = personal.AlarmsOf(home).Take("gone"); service.watch.Forget("gone") })
		set("last", 2*time.Minute)
		if got := next(); !strings.HasPrefix(got, "⏰ last") {
			t.Errorf("a cancelled alarm rang: %q", got)
		}
	})
}

func TestTimes(t *testing.T) {
	now := time.Date(2026, 11, 20, 14, 0, 30, 0, time.UTC)
	for text, want := range map[string]string{
		"14:30": "2026-11-20 14:30:00", "07:30": "2026-11-21 07:30:00", "14:00": "2026-11-21 14:00:00", "7pm": "2026-11-20 19:00:00", "7:15 AM": "2026-11-21 07:15:00", "7": "2026-11-21 07:00:00",
		"2026-12-24 18:00": "2026-12-24 18:00:00", "2026-12-24T18:00:05": "2026-12-24 18:00:05", "2026-11-20T16:00:00+01:00": "2026-11-20 15:00:00",
		"30m": "2026-11-20 14:30:30", "1h30m": "2026-11-20 15:30:30", "90 seconds": "2026-11-20 14:02:00", "in 2 hours and 5 minutes": "2026-11-20 16:05:30", "1.5 h": "2026-11-20 15:30:30", "2d": "2026-11-22 14:00:30",
	} {
		if got, _, err := parseTime(text, now); err != nil || got.Format("2006-01-02 15:04:05") != want {
			t.Errorf("%q: %s, %v, want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"2020-01-01 10:00": "is past", "2026-11-20 14:00": "is past", "2026-02-30 10:00": "no such day", "25:00": "not a time", "soon": "not a time", "": "no time was given",
		"-5m": "not a time", "NaN": "not a time", "5ms": "is past", "9999999h": "not a time", "5m30": "not a time", "1e300h": "not a time", "90": "not a time of day", "in 5": "needs a unit",
		"tomorrow": "has no time of day", "2h ago": "is past", "today at 7": "19:00 today, or 07:00 tomorrow", "2040-01-01 10:00": "too far in the future", "3/4 at 7": "3 April or 4 March",
	} {
		if got, _, err := parseTime(text, now); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %s, %v, want %s", text, got, err, want)
		}
	}
}

// An earlier Marvin rang `set_alarm time=7` after seven seconds.
func TestSevenIsSevenOClock(t *testing.T) {
	d := newFixture(t, "no cron daemon is running")
	for i, time := range []string{`"7"`, `7`, `"at 7"`, `"7am"`, `"half past seven"`, `"um halb acht"`} {
		got := d.call("set_alarm", fmt.Sprintf(`{"time": %s, "label": "a%d"}`, time, i))
		if !strings.Contains(got, "is set for Sat Nov 21 2026 07:") || !strings.Contains(got, "has passed today, so it means tomorrow") {
			t.Errorf("%s: %s", time, got)
		}
	}
	expect(t, d.call("set_alarm", `{"time": "90"}`), "such as 90 minutes")
	expect(t, d.call("set_alarm", `{"duration_seconds": "90", "label": "s"}`), "14:01:30 (in 2m)")
	expect(t, d.call("set_alarm", `{"duration": 90, "label": "d"}`), "90 minutes")
}

// An alarm that cannot be stored is an error, and reminders of the calendar are not listed as
// alarms.
func TestUnsavedAlarmIsReported(t *testing.T) {
	d := newFixture(t, "no cron daemon is running")
	if err := personal.AlarmsOf(d.home).Save(personal.Alarm{Label: "calremind_1_60", Message: "Dentist", Time: d.now.Add(time.Hour), Reminder: true}); err != nil {
		t.Fatal(err)
	}
	expect(t, d.call("list_alarms", `{}`), "No alarms are set.")
	expect(t, d.call("cancel_alarm", `{"label": "tea"}`), "No alarms are set.")
	d.write("it's home/.config/marvin/alarms", "a file where the directory should be")
	expect(t, d.call("set_alarm", `{"time": "14:30", "label": "tea"}`), "set the alarm: ")
	if _, err := d.RingAt(t.Context(), tools.Env{Environ: d.environ, Profile: d.home.Profile("default").Dir}, "timer-tea", "x", d.now.Add(time.Hour)); err == nil {
		t.Error("a timer that is not stored rings nowhere")
	}
}
