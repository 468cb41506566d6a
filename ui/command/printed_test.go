package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/actors/actorstest"
	"marvin/persistence/chat"
	"marvin/providers/modeltest"
)

func TestCommandOutputStreams(t *testing.T) {
	d := sit(t, modeltest.Start(t))
	d.shows = &shows{}
	gate := filepath.Join(d.engine.Host.(disk).dir, "gate")
	d.engine.Take("!printf '\\033[31mone\\033[0m\\033[24;1H\\n'; printf tw; until test -e gate; do sleep 0.01; done; echo o; exit 3")
	d.wait(func() bool { return len(d.shows.printed) > 0 })
	if d.shows.line == "" || d.shows.printed[0] != "one\n" || len(d.shows.ran) > 0 {
		t.Errorf("as it runs %+v is shown", d.shows)
	}
	d.engine.Take("/background")
	if len(d.said) != 1 || !strings.Contains(d.said[0], "A ! command cannot move to the background.") {
		t.Errorf("/background says %q", d.said)
	}
	d.said = nil
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	d.wait(func() bool { return len(d.engine.Working()) == 0 })
	all := strings.Join(d.shows.printed, "")
	if ran := d.shows.ran; len(ran) != 1 || ran[0].Output != "one\ntwo" || ran[0].Err == nil || all+ran[0].Rest != "one\ntwo\n[exit code 3]" {
		t.Errorf("then %+v is shown", d.shows)
	}
	if len(d.said) > 0 {
		t.Errorf("%q is said besides", d.said)
	}
	if entries, err := chat.New(d.engine.Host.(disk).home.Profile("default")).Tail(2); err != nil || len(entries) != 2 || entries[1].Text != "one\ntwo\n[exit code 3]" {
		t.Errorf("the history has %+v, %v", entries, err)
	}
}

func TestLongCommandOutputShowsEnd(t *testing.T) {
	d := sit(t, modeltest.Start(t))
	d.shows = &shows{}
	over := filepath.Join(d.engine.Host.(disk).dir, "over")
	d.engine.Take("!seq 100000; touch over; until test -e gate; do sleep 0.01; done; echo last")
	for end := time.Now().Add(actorstest.Patience); ; time.Sleep(time.Millisecond) { // the loop is blocked meanwhile, as by an editor
		if _, err := os.Stat(over); err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the command does not get to its end")
		}
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(over), "gate"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	d.wait(func() bool { return len(d.engine.Working()) == 0 })
	// At most 64 KiB wait. In addition, the pipe may hold 64 KiB, and its reader 32 KiB.
	shown := append(d.shows.printed, d.shows.ran[0].Rest)
	for _, at := range shown {
		if len(at) > 64<<10+len("[… 588895 bytes left out …]\n") {
			t.Errorf("%d bytes are shown at once", len(at))
		}
	}
	all := strings.TrimSuffix(strings.Join(shown, ""), "\n") // the last line may arrive before the end
	if !strings.HasPrefix(all, "[… ") || !strings.HasSuffix(all, "\n99999\n100000\nlast") || len(all) > 161<<10 {
		t.Errorf("%d bytes are shown: %.60q … %q", len(all), all, all[max(len(all)-40, 0):])
	}
}

func TestACommandThatIsCancelledSaysSo(t *testing.T) {
	d := sit(t, modeltest.Start(t))
	d.shows = &shows{}
	d.engine.Take("!echo begun; sleep 100")
	d.wait(func() bool { return len(d.shows.printed) > 0 })
	if !d.engine.Cancel() {
		t.Error("there was nothing to cancel")
	}
	d.wait(func() bool { return len(d.engine.Working()) == 0 })
	if ran := d.shows.ran[0]; !ran.Cancelled || ran.Output != "begun" || ran.Rest != "[cancelled]" {
		t.Errorf("%+v", ran)
	}
	d.shows.printed = nil
	d.take("!true")
	if ran := d.shows.ran[1]; ran.Rest != "(no output)" || ran.Output != "" || len(d.shows.printed) > 0 {
		t.Errorf("%+v", ran)
	}
}
