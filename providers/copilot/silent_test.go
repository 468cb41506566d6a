package copilot_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/copilot"
)

// A CLI that stands still while a session is opened: the SDK gives it up with a call that has no
// deadline. Who does not wait for it is told so all the same, and the next one has a CLI that answers.
func TestACLIThatStandsStillIsLeft(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	scripted := func(script map[string]reply) {
		t.Helper()
		encoded, err := json.Marshal(script)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "script.json"), encoded, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	ready := map[string]reply{"connect": {Result: json.RawMessage(`{"ok":true,"protocolVersion":3,"version":"1"}`)}, "auth.getStatus": {Result: json.RawMessage(`{"isAuthenticated":true,"login":"me"}`)}}
	silent := map[string]reply{"session.options.update": {Silent: true}, "session.detach": {Silent: true}}
	for method, one := range ready {
		silent[method] = one
	}
	scripted(silent)
	cli := start(t, environ(t, "COPILOT_CLI_PATH="+os.Args[0], plays+"="+dir))
	model := copilot.New(copilot.Config{CLI: cli, Model: "m1"})
	ctx, stop := context.WithCancelCause(within(t))
	defer stop(nil)
	question := providers.Question{Messages: []messages.Message{{Role: messages.User, Text: "go"}}}
	told := make(chan error, 1)
	go func() {
		_, err := model.Respond(ctx, question, func(providers.Part) {})
		told <- err
	}()
	for asked := ""; !strings.Contains(asked, "session.options.update"); {
		select {
		case err := <-told:
			t.Fatalf("it answers %v", err)
		case <-ctx.Done():
			t.Fatalf("it was only asked %s", asked)
		case <-time.After(10 * time.Millisecond):
			text, _ := os.ReadFile(filepath.Join(dir, "asked"))
			asked = string(text)
		}
	}
	stop(errors.New("enough"))
	select {
	case err := <-told:
		if err == nil || !strings.Contains(err.Error(), "enough") {
			t.Errorf("who ended it is told %v", err)
		}
	case <-within(t).Done():
		t.Fatal("the question does not end")
	}
	if err := model.Close(); err != nil {
		t.Error(err)
	}
	ready["session.send"] = reply{Error: "not now"}
	scripted(ready)
	next := copilot.New(copilot.Config{CLI: cli, Model: "m1"})
	defer next.Close()
	if _, err := next.Respond(within(t), question, func(providers.Part) {}); err == nil || !strings.Contains(err.Error(), "not now") {
		t.Errorf("the next one is told %v", err)
	}
}
