package persistence

import (
	"errors"
	"fmt"
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
			session = errors.Join(session, one.Append(true, said("more")), one.Close())
		}
		h.Sessions().Busy(info.ID)
	}
	begun, err := h.Sessions().Create(SessionHeader{Dir: "/d"})
	if err == nil {
		err = errors.Join(begun.Append(true, said("one")), begun.Close())
	}
	h.ConfigLine("x: 1")
	return errors.Join(h.Lifetime().Add(oneTurn), profile.Chat().Append(ChatEntry{Role: "you", Text: "hello"}), changeEverything(h), running, turn.Say("x"), kept, listed, session, err)
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

// Numbers in a damaged file lead to no endless loop, and the next entry is still written.
func TestNumbersThatCannotBeAreTold(t *testing.T) {
	for name, test := range map[string]struct{ lines, want string }{
		"its own parent": {`{"id":1,"kind":"k","at":"2026-11-22T09:00:00Z"}` + "\n" + `{"id":2,"parent":2,"kind":"k","at":"2026-11-22T09:00:00Z"}`, "says that it follows step 2"},
		"a circle":       {`{"id":1,"parent":2,"kind":"k","at":"2026-11-22T09:00:00Z"}` + "\n" + `{"id":2,"parent":1,"kind":"k","at":"2026-11-22T09:00:00Z"}`, "says that it follows step 2"},
		"below nothing":  {`{"id":1,"parent":-3,"kind":"k","at":"2026-11-22T09:00:00Z"}`, "says that it follows step -3"},
		"the last one":   {`{"id":9223372036854775807,"kind":"k","at":"2026-11-22T09:00:00Z"}`, "cannot be read"},
	} {
		all := storage(t)
		session, err := all.Create(SessionHeader{})
		must(t, err)
		file, err := os.OpenFile(session.path, os.O_APPEND|os.O_WRONLY, 0)
		must(t, err)
		_, err = fmt.Fprintln(file, test.lines)
		must(t, errors.Join(err, file.Close(), session.Close()))
		checked := make(chan []SessionCheck, 1)
		go func() { checked <- all.Check() }()
		select {
		case checks := <-checked:
			if !strings.Contains(strings.Join(checks[0].Problems, "\n"), test.want) {
				t.Errorf("%s: %q", name, checks[0].Problems)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s: the check does not end", name)
		}
		again, err := all.Open(session.Header().ID)
		must(t, err)
		must(t, errors.Join(again.Append(true, said("more")), again.Close()))
		if _, branch, err := all.Branch(session.Header().ID, 0, nil); err != nil || len(branch) == 0 || string(branch[len(branch)-1].Body) != `"more"` {
			t.Errorf("%s: %v, %v", name, branch, err)
		}
	}
}
