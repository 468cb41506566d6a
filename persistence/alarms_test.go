package persistence

import (
	"errors"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestAlarmsOfTheTypeScriptMarvinAndOwnOnes(t *testing.T) {
	h := Open(t.TempDir(), now)
	if alarms, err := h.Alarms().All(); err != nil || len(alarms) != 0 {
		t.Fatalf("a fresh home has %v, %v", alarms, err)
	}
	put(t, h.path("alarms", "tea.json"), `{"label":"tea","message":"Pour","time":"2026-02-14T13:30:05.120Z"}`)
	put(t, h.path("alarms", "tea.sh"), "#!/bin/bash\n")
	must(t, h.Alarms().Save(Alarm{Label: "calremind_3f0c1234_60", Message: "Dinner & <wine>", Time: noon.Truncate(time.Second), Profile: "main", Reminder: true}))
	want := `{
  "label": "calremind_3f0c1234_60",
  "message": "Dinner & <wine>",
  "time": "2026-02-14T12:30:15Z",
  "profile": "main"
}`
	if got := get(t, h.path("calendar_reminders", "calremind_3f0c1234_60.json")); got != want {
		t.Errorf("got %s", got)
	}
	alarms, err := h.Alarms().All()
	if err != nil || len(alarms) != 2 || !alarms[0].Reminder || alarms[0].Profile != "main" || alarms[1].Label != "tea" || alarms[1].Message != "Pour" {
		t.Errorf("got %+v, %v", alarms, err)
	}
	if err := h.Alarms().Save(Alarm{Label: "tea", Time: noon}); !errors.Is(err, ErrAlarmTaken) {
		t.Errorf("a taken label: %v", err)
	}
	put(t, h.path("alarms", "torn.json"), `{"label":`)
	put(t, h.path("alarms", "when.json"), `{"label":"when","time":"soon"}`)
	alarms, err = h.Alarms().All()
	if len(alarms) != 2 || err == nil || !strings.Contains(err.Error(), "torn.json") || !strings.Contains(err.Error(), "when.json") {
		t.Errorf("damage: %+v, %v", alarms, err)
	}
}

func TestOnlyOneTakesAnAlarm(t *testing.T) {
	h := Open(t.TempDir(), now)
	must(t, h.Alarms().Save(Alarm{Label: "egg", Time: noon}))
	var took atomic.Int32
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if _, err := h.Alarms().Take("egg"); err == nil {
				took.Add(1)
			} else if !errors.Is(err, ErrNoAlarm) {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if took.Load() != 1 {
		t.Errorf("%d took it", took.Load())
	}
}

func TestALabelNeverLeadsOutOfTheDirectory(t *testing.T) {
	h := Open(t.TempDir(), now)
	put(t, h.path("victim.json"), `{"label":"victim","message":"","time":"2026-02-14T13:30:05Z"}`)
	for _, label := range []string{"../victim", "..", "", "/etc/passwd", ".hidden", `a\b`} {
		if err := h.Alarms().Save(Alarm{Label: label, Time: noon}); err == nil {
			t.Errorf("%q was saved", label)
		}
		if _, err := h.Alarms().Take(label); err == nil {
			t.Errorf("%q was taken", label)
		}
	}
	put(t, h.path("alarms", "tea.sh"), "")
	must(t, h.Alarms().RemoveScript(h.path("alarms", "tea.sh")))
	if h.Alarms().RemoveScript(h.path("config.sh")) == nil || h.Alarms().RemoveScript(h.path("alarms", "tea.json")) == nil {
		t.Error("another file counts as a script")
	}
	if _, err := os.Stat(h.path("victim.json")); err != nil {
		t.Error(err)
	}
}
