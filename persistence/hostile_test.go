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
)

// useEverything writes and reads all that a conversation leaves.
func useEverything(h *Home) error {
	profile := h.Profile("default")
	turn, running := profile.Turns().Begin("hello")
	artifacts := h.Artifacts("0-kept")
	_, kept := artifacts.Put(Artifact{Tool: "t"}, []byte("content"))
	artifacts.Close()
	_, listed := h.Sessions().List()
	var session error
	list, _ := h.Sessions().List()
	for _, info := range list {
		if one, err := h.Sessions().Open(info.ID); err == nil {
			session = errors.Join(session, one.Append(true, step("more")), one.Close())
		}
		h.Sessions().Busy(info.ID)
	}
	begun, err := h.Sessions().Create(SessionHeader{Dir: "/d"})
	if err == nil {
		err = errors.Join(begun.Append(true, step("one")), begun.Close())
	}
	h.ConfigLine("x: 1")
	return errors.Join(h.Lifetime().Add(someTurn), profile.Chat().Append(ChatEntry{Role: "you", Text: "hello"}), changeEverything(h), running, turn.Say("x"), kept, listed, session, err)
}

// A pipe in the place of any file that Marvin reads or writes would be waited for for ever.
func TestAPipeInThePlaceOfAFileHoldsNothingUp(t *testing.T) {
	whole := t.TempDir()
	must(t, useEverything(Open(whole, time.Now)))
	var names []string
	must(t, filepath.WalkDir(whole, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			names = append(names, path[len(whole):])
		}
		return err
	}))
	for _, name := range names {
		home := copyOf(t, whole)
		path := filepath.Join(strings.TrimSuffix(home.State, filepath.Join(".config", "marvin")), name)
		must(t, os.Remove(path))
		must(t, syscall.Mkfifo(path, 0o600))
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
