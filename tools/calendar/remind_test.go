package calendar

import (
	"strings"
	"testing"

	"marvin/persistence/personal"
)

// Labels are part of file names, and uids may come from other people.
func TestALabelLeadsNowhereElse(t *testing.T) {
	for uid, want := range map[string]string{
		"../../etc/passwd": "calremind_.._.._et_60", "azAZ09-@.": "calremind_azAZ09-@_60", "a b\n$`é": "calremind_a_b_____60", "x": "calremind_x_60", "[{/:`": "calremind_______60",
	} {
		if got := reminderLabel(uid, 60); got != want {
			t.Errorf("%q: %s, want %s", uid, got, want)
		}
	}
}

// Reminders ring where the alarms of the profile ring, and the result says so.
func TestRemindersGoToThePhoneThatAlarmsGoTo(t *testing.T) {
	d := newFixture(t)
	event := args{"title": "x", "start": "2026-02-14 10:00"}
	if said := d.expect("calendar_add_event", event, "Reminders 60 and 30 minutes before"); strings.Contains(said, "ntfy") {
		t.Errorf("without a topic: %s", said)
	}
	if _, err := personal.TopicsOf(d.home.Profile("main")).Subscribe(personal.Subscription{Topic: "mine", Label: "alarms"}); err != nil {
		t.Fatal(err)
	}
	event["title"] = "y"
	if said := d.expect("calendar_add_event", event, "Reminders 60 and 30 minutes before"); !strings.Contains(said, " Also through ntfy.") {
		t.Errorf("with a topic: %s", said)
	}
}
