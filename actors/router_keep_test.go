package actors_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence"
	"marvin/providers/modeltest"
)

// R5: nothing is asked while the prompt is on its way to the disk. A disk that does not
// answer holds it up for as long as reading may take, and that is told before it is asked:
// the lock of the running turn is a pipe here, which opens once the request came.
func TestFindingR5NothingIsAskedBeforeItsPromptIsOnTheDisk(t *testing.T) {
	home := t.TempDir()
	profile := persistence.Open(home, time.Now).Profile("default")
	if err := os.MkdirAll(profile.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	disk := filepath.Join(profile.Dir, ".running.jsonl.lock")
	if err := syscall.Mkfifo(disk, 0o600); err != nil {
		t.Fatal(err)
	}
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step {
		answers, err := os.OpenFile(disk, os.O_WRONLY, 0)
		if err != nil {
			t.Error(err)
			return modeltest.Text("no")
		}
		t.Cleanup(func() { _ = answers.Close() })
		return modeltest.Text("fine")
	})
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Policy: &actors.Policy{Person: true, Persist: true}, Tuning: actors.Tuning{Prepare: time.Second}})
	turn := tree.Prompt("where?")
	told := actorstest.Of[messages.Notice](turn)
	if len(told) != 1 || !strings.HasPrefix(told[0].Text, "The disk does not answer") || turn.Ended.Outcome != messages.Completed {
		t.Errorf("told %+v, %+v", told, turn.Ended)
	}
}
