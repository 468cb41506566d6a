package personal

import (
	"errors"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

func TestAlarmsOfTheTypeScriptMarvinAndOwnOnes(t *testing.T) {
	h := store.Open(t.TempDir(), storetest.Now)
	if alarms, err := AlarmsOf(h).All(); err != nil || len(alarms) != 0 {
		t.Fatalf("a fresh home has %v, %v", alarms, err)
	}
	storetest.Put(t, h.Path("alarms", "tea.json"), `{"label":"tea","message":"Pour","time":"2026-02-14T13:30:05.120Z"}`)
	storetest.Put(t, h.Path("alarms", "tea.sh"), "#!/bin/bash\n")
	storetest.Must(t, AlarmsOf(h).Save(Alarm{Label: "calremind_3f0c1234_60", Message: "Dinner & <wine>", Time: storetest.Noon.Truncate(time.Second), Profile: "main", Reminder: true}))
	want := `{
  "label": "calremind_3f0c1234_60",
  "message": "Dinner & <wine>",
  "time": "2026-02-14T12:30:15Z",
  "profile": "main"
}`
	if got := storetest.Get(t, h.Path("calendar_reminders", "calremind_3f0c1234_60.json")); got != want {
		t.Errorf("got %s", got)
	}
	alarms, err := AlarmsOf(h).All()
	if err != nil || len(alarms) != 2 || !alarms[0].Reminder || alarms[0].Profile != "main" || alarms[1].Label != "tea" || alarms[1].Message != "Pour" {
		t.Errorf("got %+v, %v", alarms, err)
	}
	if err := AlarmsOf(h).Save(Alarm{Label: "tea", Time: storetest.Noon}); !errors.Is(err, ErrAlarmTaken) {
		t.Errorf("a taken label: %v", err)
	}
	storetest.Put(t, h.Path("alarms", "torn.json"), `{"label":`)
	storetest.Put(t, h.Path("alarms", "when.json"), `{"label":"when","time":"soon"}`)
	alarms, err = AlarmsOf(h).All()
	if len(alarms) != 2 || err == nil || !strings.Contains(err.Error(), "torn.json") || !strings.Contains(err.Error(), "when.json") {
		t.Errorf("damage: %+v, %v", alarms, err)
	}
}

func TestOnlyOneTakesAnAlarm(t *testing.T) {
	h := store.Open(t.TempDir(), storetest.Now)
	storetest.Must(t, AlarmsOf(h).Save(Alarm{Label: "egg", Time: storetest.Noon}))
	var took atomic.Int32
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if _, err := AlarmsOf(h).Take("egg"); err == nil {
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
	h := store.Open(t.TempDir(), storetest.Now)
	storetest.Put(t, h.Path("victim.json"), `{"label":"victim","message":"","time":"2026-02-14T13:30:05Z"}`)
	for _, label := range []string{"../victim", "..", "", "/etc/passwd", ".hidden", `a\b`} {
		if err := AlarmsOf(h).Save(Alarm{Label: label, Time: storetest.Noon}); err == nil {
			t.Errorf("%q was saved", label)
		}
		if _, err := AlarmsOf(h).Take(label); err == nil {
			t.Errorf("%q was taken", label)
		}
	}
	storetest.Put(t, h.Path("alarms", "tea.sh"), "")
	storetest.Must(t, AlarmsOf(h).RemoveScript(h.Path("alarms", "tea.sh")))
	if AlarmsOf(h).RemoveScript(h.Path("config.sh")) == nil || AlarmsOf(h).RemoveScript(h.Path("alarms", "tea.json")) == nil {
		t.Error("another file counts as a script")
	}
	if _, err := os.Stat(h.Path("victim.json")); err != nil {
		t.Error(err)
	}
}
