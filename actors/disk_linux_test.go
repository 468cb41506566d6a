//go:build amd64 || arm64

package actors_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence/disktest"
	"marvin/providers/modeltest"
)

func TestADiskThatHangsHoldsUpNoTurn(t *testing.T) {
	if home := os.Getenv("HANGING_DISK"); home != "" {
		whileTheDiskHangs(t, home)
		return
	}
	home := t.TempDir()
	command := exec.Command("/proc/self/exe", "-test.run=^"+t.Name()+"$")
	command.Env = append(os.Environ(), "HANGING_DISK="+home)
	var output bytes.Buffer
	command.Stderr, command.Stdout = &output, &output
	seen, held := make(chan struct{}), 0
	err := disktest.Watch(command, home, func(call disktest.Call) disktest.Verdict {
		switch {
		case call.ToStdout() && bytes.Contains(call.Data, []byte(allSeen)):
			close(seen)
		case call.Kind == disktest.Sync:
			held++
			return disktest.Verdict{Hold: seen}
		}
		return disktest.Verdict{}
	})
	if errors.Is(err, disktest.ErrNotHere) {
		t.Skip(err)
	}
	if err != nil || held == 0 {
		t.Errorf("%d calls were held, %v: %s", held, err, output.String())
	}
}

const allSeen = "all was seen"

func whileTheDiskHangs(t *testing.T, home string) {
	begun := make(chan struct{}, 1)
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		if strings.Contains(prompted(request), "wait") {
			begun <- struct{}{}
			return modeltest.Hang()
		}
		return modeltest.Text("the answer")
	})
	tree := actorstest.Start(t, actorstest.Setup{
		Server: server, Home: home, Policy: &actors.Policy{Coding: true, Person: true}, Keep: begins,
		Tuning: actors.Tuning{Disk: 50 * time.Millisecond},
	})
	toldOfTheDisk(t, tree.Prompt("talk"), messages.Completed)
	tree.Client.Send(messages.Prompt{Text: "wait"})
	<-begun
	tree.Client.Send(messages.Cancel{})
	toldOfTheDisk(t, tree.Finish(), messages.Cancelled)
	fmt.Println(allSeen)
}

func toldOfTheDisk(t *testing.T, turn actorstest.Turn, outcome messages.Outcome) {
	t.Helper()
	if turn.Ended.Outcome != outcome {
		t.Errorf("it ended as %+v", turn.Ended)
	}
	for _, notice := range actorstest.TurnEvents[messages.Notice](turn) {
		if strings.Contains(notice.Text, "the end of this turn is lost") {
			return
		}
	}
	t.Error("the user is not told that the end of the turn is not on the disk")
}

// A recorder that crashes at each write delays neither turns nor the shutdown.
func TestARecorderThatCrashesHoldsUpNoTurn(t *testing.T) {
	home := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(home, nil, 0o600); err != nil { // no file can be stored below it
		t.Fatal(err)
	}
	server := modeltest.StartFunc(t, echo)
	tree := actorstest.Start(t, actorstest.Setup{
		Server: server, Home: home, Policy: &actors.Policy{Coding: true, Person: true}, Keep: begins,
		Config: func(config *actors.Config) { config.Problem = func(error) { panic("a bug") } },
	})
	for range 6 {
		if turn := tree.Prompt("talk"); turn.Ended.Outcome != messages.Completed {
			t.Errorf("it ended as %+v", turn.Ended)
		}
	}
}
