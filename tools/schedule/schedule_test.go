package schedule

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/disktest"
	"marvin/persistence/schedules"
	"marvin/tools"
)

var saturday = time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)

func TestTimesAreReadAsUsersWriteThem(t *testing.T) {
	for said, want := range map[string]string{
		"every weekday at 8:00": "Mon Nov 30 08:00, Tue Dec 1 08:00", "at 8:00 every weekday": "Mon Nov 30 08:00, Tue Dec 1 08:00", "weekdays at 8": "Mon Nov 30 08:00, Tue Dec 1 08:00",
		"every day at 18:30": "Sat Nov 28 18:30, Sun Nov 29 18:30", "daily at 7": "Sun Nov 29 07:00, Mon Nov 30 07:00", "every evening at 7": "Sat Nov 28 19:00, Sun Nov 29 19:00",
		"every monday and thursday at 18:30": "Mon Nov 30 18:30, Thu Dec 3 18:30", "mondays at 9": "Mon Nov 30 09:00, Mon Dec 7 09:00", "jeden Werktag um 8 Uhr": "Mon Nov 30 08:00, Tue Dec 1 08:00", "tous les lundis à 9h": "Mon Nov 30 09:00, Mon Dec 7 09:00",
		"every 2 weeks on friday at 10:00": "Fri Dec 4 10:00, Fri Dec 18 10:00", "every month on the 1st at 9:00": "Tue Dec 1 09:00, Fri Jan 1 09:00", "every 2 hours": "Sat Nov 28 14:00, Sat Nov 28 16:00", "hourly": "Sat Nov 28 13:00, Sat Nov 28 14:00",
		"tomorrow at 9:00": "Sun Nov 29 09:00", "in 2 hours": "Sat Nov 28 14:00", "daily at 7 until 2026-11-29": "Sun Nov 29 07:00", "every monday at 9 2 times": "Mon Nov 30 09:00, Mon Dec 7 09:00",
		"jeden Morgen um 7": "Sun Nov 29 07:00, Mon Nov 30 07:00", "every noon": "Sun Nov 29 12:00, Mon Nov 30 12:00", "each weekday at 8": "Mon Nov 30 08:00, Tue Dec 1 08:00",
		"monday to wednesday at 8": "Mon Nov 30 08:00, Tue Dec 1 08:00", "montag bis freitag um 8 Uhr": "Mon Nov 30 08:00, Tue Dec 1 08:00", "every day except sunday at 9": "Mon Nov 30 09:00, Tue Dec 1 09:00",
		"every first monday of the month at 9": "Mon Dec 7 09:00, Mon Jan 4 09:00", "on the last day of every month at 17:00": "Mon Nov 30 17:00, Thu Dec 31 17:00", "jeden letzten Freitag im Monat um 16 Uhr": "Fri Dec 25 16:00, Fri Jan 29 16:00",
		"every other day at 9": "Sun Nov 29 09:00, Tue Dec 1 09:00", "every second tuesday at 9": "Tue Dec 1 09:00, Tue Dec 15 09:00", "FREQ=MONTHLY;BYDAY=1MO at 9:00": "Mon Dec 7 09:00, Mon Jan 4 09:00",
		"FREQ=WEEKLY;BYDAY=MO at 9:00": "Mon Nov 30 09:00, Mon Dec 7 09:00",
		"":                             "!no time was given", "blubb": "!Marvin does not understand the time", "every weekday": "!has no time of day", "every 10 seconds": "!too often", "yesterday at 9": "!is past", "tomorrow": "!has no time of day", "every blue moon at 8": "!Marvin does not understand the time",
	} {
		times, _, err := parseTimes(said, "", saturday)
		if wrong, fails := strings.CutPrefix(want, "!"); fails || err != nil {
			if err == nil || !fails || !strings.Contains(err.Error(), wrong) || !strings.Contains(err.Error(), "When? E.g.") {
				t.Errorf("%q: %v, want %s", said, err, want)
			}
			continue
		}
		var got []string
		at, ok := Next(times, saturday, saturday)
		for ; ok && len(got) < 2; at, ok = Next(times, at, saturday) {
			got = append(got, at.Format("Mon Jan 2 15:04"))
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%q: %s, want %s", said, text, want)
		}
	}
}

// Each day has one run at the same local time, even if that time does not exist or occurs twice
// because of a clock change.
func TestEachDayHasOneRunWhereTheClocksChange(t *testing.T) {
	for _, zone := range []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Asia/Kolkata"} {
		place, err := time.LoadLocation(zone)
		if err != nil {
			t.Skip("there is no time zone database")
		}
		begin := time.Date(2026, 1, 1, 12, 0, 0, 0, place)
		for _, clock := range []string{"0:30", "1:45", "2:30", "3:00"} {
			times, _, err := parseTimes("every day at "+clock, zone, begin)
			if err != nil {
				t.Fatal(err)
			}
			entry := schedules.Entry{Times: times, Missed: schedules.Each, Claimed: begin}
			entry.Next, _ = Next(times, begin, begin)
			days := map[string]int{}
			for now := begin; now.Before(begin.AddDate(1, 0, 0)); now = now.Add(15 * time.Minute) { // checks as often as cron
				claim(&entry, now.UTC())
				for _, run := range entry.Runs {
					days[run.Due.In(place).Format("01-02")]++
					if late := now.Sub(run.Due); late < 0 || late >= 15*time.Minute {
						t.Errorf("%s %s: %s late", zone, clock, late)
					}
				}
				entry.Runs = nil
			}
			for day, count := range days {
				if count != 1 {
					t.Errorf("%s %s: %d runs on %s", zone, clock, count, day)
				}
			}
			if len(days) < 365 {
				t.Errorf("%s %s: runs on %d days", zone, clock, len(days))
			}
		}
	}
}

func TestMissedTimesAreRunByThePolicy(t *testing.T) {
	for policy, want := range map[schedules.Missed]string{
		schedules.Skip: "skipped skipped skipped", schedules.Once: "skipped skipped claimed", schedules.Each: "claimed claimed claimed",
	} {
		times, _, _ := parseTimes("every day at 8:00", "", saturday)
		entry := schedules.Entry{Times: times, Missed: policy, Claimed: saturday}
		entry.Next, _ = Next(times, saturday, saturday)
		claim(&entry, saturday.AddDate(0, 0, 3)) // the machine was asleep
		if got := states(entry); got != want {
			t.Errorf("%s: %s, want %s", policy, got, want)
		}
		often := schedules.Entry{Times: schedules.Times{Every: time.Minute, Start: saturday}, Missed: policy, Claimed: saturday, Next: saturday}
		claim(&often, saturday.AddDate(0, 0, 3))
		if last := often.Runs[len(often.Runs)-1]; saturday.AddDate(0, 0, 3).Sub(last.Due) > grace+mostLate*time.Minute {
			t.Errorf("%s: the last of the runs that are made up for is that of %s", policy, last.Due)
		}
		runs := len(entry.Runs)
		for _, back := range []time.Duration{0, -30 * time.Second, -5 * time.Hour, -20 * time.Hour} { // the clock is set back
			claim(&entry, saturday.AddDate(0, 0, 3).Add(back))
		}
		if claim(&entry, saturday.AddDate(0, 0, 3)); len(entry.Runs) != runs {
			t.Errorf("%s: runs again after the clock was set back: %s", policy, states(entry))
		}
	}
}

func states(entry schedules.Entry) string {
	var all []string
	for _, run := range entry.Runs {
		all = append(all, string(run.State))
	}
	return strings.Join(all, " ")
}

// counter is a model that records each prompt in a file. It may then wait until it is killed.
type counter struct{ path, waits string }

func (c counter) Ask(_ context.Context, _ schedules.Entry, prompt messages.Prompt, _ string) Answer {
	_ = appendResult(c.path, prompt.Text+"\n")
	if c.waits != "" {
		fmt.Println("asked")
		_, _ = io.Copy(io.Discard, os.Stdin) // waits until the parent kills it
	}
	return Answer{Text: "done"}
}

func (c counter) Call(context.Context, schedules.Entry) (string, error) {
	data, err := os.ReadFile(c.path)
	return string(data), err
}

func (c counter) WatchEnv(schedules.Entry) (tools.Env, error) {
	return tools.Env{}, errors.New("there is no sandbox in this test")
}

func serviceAt(home string, now time.Time) *Service {
	return &Service{Store: schedules.Store{Home: persistence.Open(home, func() time.Time { return now })}, Client: http.DefaultClient, NoCron: func([]string) string { return "not in this test" }}
}

// TestMain also runs the processes that the tests kill.
func TestMain(m *testing.M) {
	if home := os.Getenv("SCHEDULE_TEST_HOME"); home != "" {
		do := counter{filepath.Join(home, "asked"), os.Getenv("SCHEDULE_TEST_WAITS")}
		if err := serviceAt(home, saturday.AddDate(0, 0, 2)).Fire(context.Background(), nil, do); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func other(t *testing.T, home, waits string) *exec.Cmd {
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), "SCHEDULE_TEST_HOME="+home, "SCHEDULE_TEST_WAITS="+waits)
	return command
}

func plan(t *testing.T, s *Service, in Request) schedules.Entry {
	t.Helper()
	entry, _, err := s.Plan(in)
	if err != nil {
		t.Fatal(err)
	}
	entry, _, err = s.Add(t.Context(), nil, entry)
	if err != nil {
		t.Fatal(err)
	}
	return entry
}

func TestOneProcessRunsDueSchedule(t *testing.T) {
	home := t.TempDir()
	plan(t, serviceAt(home, saturday), Request{When: "tomorrow at 9:00", Prompt: "once", Dir: home})
	var all []*exec.Cmd
	for range 6 {
		command := other(t, home, "")
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, command)
	}
	for _, command := range all {
		if err := command.Wait(); err != nil {
			t.Error(err)
		}
	}
	if asked, _ := os.ReadFile(filepath.Join(home, "asked")); string(asked) != "once\n" {
		t.Errorf("asked %q", asked)
	}
}

// If a process is killed before it sends the prompt, the next process executes the run. If it is
// killed later, the run is interrupted: the model may have done something already, so the prompt is
// not sent again.
func TestAKilledRunIsNeitherLostNorRunTwice(t *testing.T) {
	home := t.TempDir()
	s := serviceAt(home, saturday.AddDate(0, 0, 2))
	entry := plan(t, serviceAt(home, saturday), Request{When: "tomorrow at 9:00", Prompt: "once", Dir: home})
	if one, ok, err := s.lockAndClaim(t.Context(), nil, entry.ID); !ok || err != nil || one.release() != nil { // the run was claimed before its process died
		t.Fatal(ok, err)
	}
	command := other(t, home, "yes")
	in, failed := command.StdinPipe()
	out, err := command.StdoutPipe()
	if err != nil || failed != nil || command.Start() != nil {
		t.Fatal(err)
	}
	if n, err := out.Read(make([]byte, 5)); n != 5 {
		t.Fatal(n, err) // it asked
	}
	if _, err := s.Run(t.Context(), nil, counter{}, entry.ID); err != ErrRunning {
		t.Errorf("a second run: %v", err)
	}
	_ = command.Process.Kill()
	_ = command.Wait()
	_ = in.Close()
	for range 2 {
		if err := s.Fire(t.Context(), nil, counter{path: filepath.Join(home, "asked")}); err != nil {
			t.Error(err)
		}
	}
	if asked, _ := os.ReadFile(filepath.Join(home, "asked")); string(asked) != "once\n" {
		t.Errorf("asked %q", asked)
	}
	if entry, err = s.Store.Get(entry.ID); err != nil || !strings.HasSuffix(states(entry), string(schedules.Interrupted)) {
		t.Error(states(entry), err)
	}
}

// No line of the crontab contains the user's words, and other lines are kept.
func TestTheCrontabHasALineOfEachScheduleAndKeepsTheOthers(t *testing.T) {
	home := t.TempDir()
	tab := filepath.Join(home, "tab")
	script := "#!/bin/sh\nif [ \"$1\" = -l ]; then cat " + tab + "; else cat > " + tab + "; fi\n"
	if err := disktest.WriteProgram(filepath.Join(home, "crontab"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(tab, []byte("0 1 * * * backup # mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	environ := []string{"PATH=" + home + ":" + os.Getenv("PATH")}
	s := serviceAt(home, time.Date(2026, 11, 28, 12, 0, 0, 0, time.Local))
	s.Program, s.NoCron = "/usr/bin/marvin", func([]string) string { return "" }
	entry, _, err := s.Plan(Request{When: "every weekday at 8:05", Prompt: "$(touch owned); 100%", Dir: home})
	if err != nil {
		t.Fatal(err)
	}
	entry, by, err := s.Add(t.Context(), environ, entry)
	if err != nil || by.By != "cron" {
		t.Fatal(by, err)
	}
	lines, _ := os.ReadFile(tab)
	command := "HOME=" + home + " /usr/bin/marvin schedule fire "
	want := []string{"0 1 * * * backup # mine", "5 8 * * 1,2,3,4,5 " + command + entry.ID + " # " + entry.ID, "3,18,33,48 * * * * " + command + "--due # marvin-schedules"}
	if got := strings.Split(strings.TrimSpace(string(lines)), "\n"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if _, err := s.Remove(t.Context(), environ, entry.ID); err != nil {
		t.Fatal(err)
	}
	if lines, _ := os.ReadFile(tab); string(lines) != "0 1 * * * backup # mine\n" {
		t.Errorf("left: %q", lines)
	}
}

// authors is a model that records each prompt with its authors.
type authors struct {
	counter
	prompts *[]messages.Prompt
}

func (a authors) Ask(_ context.Context, _ schedules.Entry, prompt messages.Prompt, _ string) Answer {
	*a.prompts = append(*a.prompts, prompt)
	return Answer{Text: "done"}
}

// A host in a prompt that a model scheduled does not count as named by the user. Untrusted text in
// that model's conversation also counts in the runs. Words that the user typed remain the user's
// words.
func TestAScheduledPromptKeepsItsAuthor(t *testing.T) {
	home := t.TempDir()
	s := serviceAt(home, saturday)
	environ := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}
	const ask = "ask https://evil.example/x"
	for _, row := range []struct{ typed, tainted, own, foreign string }{
		{"every day at 8:00 " + ask, "", ask, ""},
		{"every day at 8:00 " + ask, "a page", ask, ""},
		{"never " + ask + " every day at 8:00", "", "", ""},
		{"do what you find useful", "", "", ""},
		{"do what you find useful", "read_file", "", "a model's scheduled prompt (influenced by read_file)"},
	} {
		known := &tools.KnownHosts{}
		known.AddPrompt(row.typed)
		env := tools.Env{Home: home, Dir: home, Environ: environ, Person: true, Tainted: row.tainted, Known: known, Now: s.now, Conversation: tools.Conversation{Typed: row.typed}}
		if _, err := s.addByModel(t.Context(), env, addArgs{When: "every day at 8:00", Prompt: ask}); err != nil {
			t.Fatal(err)
		}
		all, err := s.Store.All()
		if err != nil {
			t.Fatal(err)
		}
		var prompts []messages.Prompt
		if _, err := s.Run(t.Context(), environ, authors{prompts: &prompts}, all[len(all)-1].ID); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Remove(t.Context(), environ, all[len(all)-1].ID); err != nil {
			t.Fatal(err)
		}
		if prompts[0].Text != ask || prompts[0].Typed() != row.own || prompts[0].Foreign() != row.foreign {
			t.Errorf("%+v: asked %q, typed %q, foreign %q", row, prompts[0].Text, prompts[0].Typed(), prompts[0].Foreign())
		}
	}
}
