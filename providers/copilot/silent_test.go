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

	"marvin/providers"
	"marvin/providers/copilot"
)

// scripted writes a fake CLI with a login.
func scripted(t *testing.T, dir string, script map[string]reply) {
	t.Helper()
	script["connect"] = reply{Result: json.RawMessage(`{"ok":true,"protocolVersion":3,"version":"1"}`)}
	script["auth.getStatus"] = reply{Result: json.RawMessage(`{"isAuthenticated":true,"login":"me"}`)}
	encoded, err := json.Marshal(script)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "script.json"), encoded, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestHangingCLIIsReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	scripted(t, dir, map[string]reply{"session.options.update": {Silent: true}, "session.detach": {Silent: true}})
	cli := start(t, environ(t, "COPILOT_CLI_PATH="+os.Args[0], plays+"="+dir))
	model := copilot.New(copilot.Config{CLI: cli, Model: "m1"})
	ctx, stop := context.WithCancelCause(within(t))
	defer stop(nil)
	told := make(chan error, 1)
	go func() {
		_, err := model.Respond(ctx, question(user("go")), func(providers.Part) {})
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
	scripted(t, dir, map[string]reply{"session.send": {Error: "not now"}})
	next := copilot.New(copilot.Config{CLI: cli, Model: "m1"})
	defer next.Close()
	if _, err := next.Respond(within(t), question(user("go")), func(providers.Part) {}); err == nil || !strings.Contains(err.Error(), "not now") {
		t.Errorf("the next one is told %v", err)
	}
}

// A CLI that closes its output and keeps running is ended, started once more, and reported.
func TestSilentCLIIsEnded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	scripted(t, dir, map[string]reply{"session.send": {Closes: true}})
	model := copilot.New(copilot.Config{CLI: start(t, environ(t, "COPILOT_CLI_PATH="+os.Args[0], plays+"="+dir)), Model: "m1"})
	defer model.Close()
	if _, err := model.Respond(within(t), question(user("go")), func(providers.Part) {}); err == nil || !strings.Contains(err.Error(), "it stopped answering") {
		t.Errorf("it is told %v", err)
	}
	asked, err := os.ReadFile(filepath.Join(dir, "asked"))
	if sent := strings.Count(string(asked), "session.send "); err != nil || sent != 2 {
		t.Errorf("it was sent %d times, %v", sent, err)
	}
}
