package persistence

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"marvin/persistence/artifacts"
	"marvin/persistence/chat"
	"marvin/persistence/internal/storetest"
	"marvin/persistence/sessions"
	"marvin/persistence/settings"
	"marvin/persistence/spending"
)

// useEverything writes and reads every document of a conversation.
func useEverything(h *Home) error {
	profile := h.Profile("default")
	turn, running := chat.TurnsOf(profile).Begin("hello")
	outputs := artifacts.New(h, "0-kept")
	_, kept := outputs.Put(artifacts.Artifact{Tool: "t"}, []byte("content"))
	outputs.Close()
	_, listed := sessions.New(h).List()
	var session error
	list, _ := sessions.New(h).List()
	for _, info := range list {
		if one, err := sessions.New(h).Open(info.ID); err == nil {
			session = errors.Join(session, one.Append(true, step("more")), one.Close())
		}
		sessions.New(h).Busy(info.ID)
	}
	begun, err := sessions.New(h).Create(sessions.Header{Dir: "/d"})
	if err == nil {
		err = errors.Join(begun.Append(true, step("one")), begun.Close())
	}
	settings.LineOf(h, "x: 1")
	return errors.Join(spending.Of(h).Add(someTurn), chat.New(profile).Append(chat.Entry{Role: "you", Text: "hello"}), changeEverything(h), running, turn.Say("x"), kept, listed, session, err)
}

func TestAPipeInThePlaceOfAFileHoldsNothingUp(t *testing.T) {
	whole := t.TempDir()
	storetest.Must(t, useEverything(Open(whole, time.Now)))
	var names []string
	storetest.Must(t, filepath.WalkDir(whole, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			names = append(names, path[len(whole):])
		}
		return err
	}))
	for _, name := range names {
		home := storetest.CopyOf(t, whole)
		path := filepath.Join(strings.TrimSuffix(home.State, filepath.Join(".config", "marvin")), name)
		storetest.Must(t, os.Remove(path))
		storetest.Must(t, syscall.Mkfifo(path, 0o600))
		ended := make(chan error, 1)
		go func() { ended <- useEverything(home) }()
		select {
		case <-ended: // with an error or without
		case <-time.After(20 * time.Second):
			t.Fatalf("%s was waited for", name)
		}
	}
	if len(names) < 20 {
		t.Errorf("only %d files: %q", len(names), names)
	}
}
