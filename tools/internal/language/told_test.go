package language

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// unread holds the pending notifications of a server that reads nothing.
func unread(t *testing.T) *held {
	return &held{
		server: Server{Name: "unread", Files: []string{"*.txt"}, IDs: []string{"text"}}, ground: Ground{Root: t.TempDir(), Read: os.ReadFile},
		conn:      &conn{wake: make(chan struct{}, 1), waiting: map[string]chan<- message{}, over: make(chan struct{})},
		documents: map[string]*document{}, loose: map[string][]diagnostic{}, before: map[string]bool{}, news: make(chan struct{}),
	}
}

// told returns the messages queued for the server, one per line, and removes them.
func (s *held) told(t *testing.T) string {
	t.Helper()
	var lines []string
	for _, text := range s.conn.queue {
		one, err := readMessage(bufio.NewReader(bytes.NewReader(text)))
		if err != nil {
			t.Fatal(err)
		}
		var params struct {
			TextDocument struct {
				URI, LanguageID, Text string
				Version               int
			}
			ContentChanges []struct{ Text string }
			Changes        []struct {
				URI  string
				Type int
			}
		}
		if err := json.Unmarshal(one.Params, &params); err != nil {
			t.Fatal(err)
		}
		line := filepath.Base(one.Method)
		if of := params.TextDocument; of.URI != "" {
			line += fmt.Sprintf(" %s %d %s%s", filepath.Base(of.URI), of.Version, of.LanguageID, of.Text)
		}
		for _, change := range params.ContentChanges {
			line += change.Text
		}
		slices.SortFunc(params.Changes, func(a, b struct {
			URI  string
			Type int
		},
		) int {
			return strings.Compare(a.URI, b.URI)
		})
		for _, change := range params.Changes {
			line += fmt.Sprintf(" %s=%d", filepath.Base(change.URI), change.Type)
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	s.conn.queue, s.conn.queued = nil, 0
	return strings.Join(lines, "\n")
}

func TestServerGetsEachContentOnce(t *testing.T) {
	s := unread(t)
	path, other := filepath.Join(s.ground.Root, "a.txt"), filepath.Join(s.ground.Root, "b.txt")
	for _, one := range []struct {
		what string
		do   func() error
		want string
	}{
		{"the first content", func() error { _, err := s.put(path, "1"); return err }, "didOpen a.txt 1 text1"},
		{"the same", func() error { _, err := s.put(path, "1"); return err }, ""},
		{"another one", func() error { _, err := s.put(path, "2"); return err }, "didChange a.txt 2 2"},
		{"a second file", func() error { _, err := s.put(other, "x"); return err }, "didOpen b.txt 3 textx"},
		{"once more", func() error { return s.checkAgain(s.documents[path]) }, "didChange a.txt 4 2"},
		{"its end", func() error { return s.drop(path) }, "didClose a.txt 0"},
		{"its end again", func() error { return s.drop(path) }, ""},
		{"the end of what it never had", func() error { return s.drop(filepath.Join(s.ground.Root, "c.txt")) }, ""},
		{"the same after the end", func() error { _, err := s.put(path, "2"); return err }, "didOpen a.txt 5 text2"},
		{"nothing that changed", func() error { return s.notifyChanges(nil) }, ""},
		{"what changed", func() error { return s.notifyChanges(map[string]int{path: fileMade, other: fileGone}) }, "didChangeWatchedFiles a.txt=1 b.txt=3"},
	} {
		if err := one.do(); err != nil {
			t.Errorf("%s: %v", one.what, err)
		}
		if got := s.told(t); got != one.want {
			t.Errorf("%s: it got %q, want %q", one.what, got, one.want)
		}
	}
	if doc := s.documents[path]; doc.contents != 2 || !doc.open || doc.known || doc.used != 5 {
		t.Errorf("after two contents: %+v", doc)
	}
}

// A server gets only the files of its kind; for other files it is informed about changes. Of
// several files each is sent twice, so that a version after all contents exists.
func TestServersHearOfMatchingFiles(t *testing.T) {
	s := unread(t)
	file := func(name, content string) File {
		return File{Path: filepath.Join(s.ground.Root, name), Content: []byte(content)}
	}
	gone := File{Path: filepath.Join(s.ground.Root, "a.txt")}
	for _, one := range []struct {
		files       []File
		asked, want string
	}{
		{[]File{file("a.txt", "1")}, "a.txt", "didOpen a.txt 1 text1\ndidChangeWatchedFiles a.txt=1\ndidSave a.txt 0"},
		{[]File{file("a.txt", "2"), file("b.txt", "1")}, "a.txt b.txt", "didChange a.txt 2 2\ndidOpen b.txt 3 text1\ndidChangeWatchedFiles a.txt=2 b.txt=1\n" +
			"didChange a.txt 4 2\ndidSave a.txt 0\ndidChange b.txt 5 1\ndidSave b.txt 0"},
		{[]File{file("x.bin", "1")}, "", "didChangeWatchedFiles x.bin=1"},
		{[]File{file("b.txt", "\xff")}, "", "didClose b.txt 0\ndidChangeWatchedFiles b.txt=3"},
		{[]File{gone}, "", "didClose a.txt 0\ndidChangeWatchedFiles a.txt=3"},
		{nil, "", ""},
	} {
		asked, err := s.tell(one.files)
		for i, path := range asked {
			asked[i] = filepath.Base(path)
		}
		if got := s.told(t); err != nil || strings.Join(asked, " ") != one.asked || got != one.want {
			t.Errorf("asked %q, %v, told\n%s\nwant\n%s", asked, err, got, one.want)
		}
	}
	s.conn.err = errSlow
	if _, err := s.tell([]File{file("a.txt", "3")}); err == nil || !strings.Contains(err.Error(), errSlow.Error()) {
		t.Errorf("of a connection that is over: %v", err)
	}
}

// A server has up to sixty open files; for another one, the least recently used file is closed.
func TestTheFileThatWasUsedLongestAgoIsClosed(t *testing.T) {
	s := unread(t)
	name := func(n int) string { return filepath.Join(s.ground.Root, fmt.Sprintf("%02d.txt", n)) }
	for n := range mostOpen {
		if _, err := s.put(name(n), "x"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.put(name(0), "x"); err != nil { // it is used now
		t.Fatal(err)
	}
	if got := s.told(t); strings.Contains(got, "didClose") {
		t.Errorf("of %d files one was closed: %s", mostOpen, got)
	}
	if _, err := s.put(name(mostOpen), "x"); err != nil {
		t.Fatal(err)
	}
	if got := s.told(t); got != "didClose 01.txt 0\ndidOpen 60.txt 61 textx" {
		t.Errorf("with one more: %q", got)
	}
}

// Binary and too large contents are not sent.
func TestOnlyTextIsSentToServer(t *testing.T) {
	for _, one := range []struct {
		content []byte
		want    bool
	}{
		{nil, true},
		{[]byte("ä"), true},
		{[]byte("a\x00"), false},
		{[]byte("\xff"), false},
		{bytes.Repeat([]byte("x"), largestFile), true},
		{bytes.Repeat([]byte("x"), largestFile+1), false},
	} {
		if got := sendable(one.content); got != one.want {
			t.Errorf("%d bytes, %.5q: %v", len(one.content), one.content, got)
		}
	}
	s := unread(t)
	put(t, s.ground.Root, "a.txt", "name\x00")
	put(t, s.ground.Root, "b.txt", "a name")
	put(t, s.ground.Root, "c.txt", "nothing")
	if _, err := s.sync(filepath.Join(s.ground.Root, "a.txt")); err == nil || err.Error() != "a.txt is not UTF-8 text or is larger than 4 MiB, so no language server reads it" {
		t.Errorf("%v", err)
	}
	if _, err := s.sync(filepath.Join(s.ground.Root, "none.txt")); !os.IsNotExist(err) {
		t.Errorf("%v", err)
	}
	if err := acquaint(context.Background(), s, "name"); err != nil {
		t.Error(err)
	}
	if got := s.told(t); got != "didOpen b.txt 1 texta name" {
		t.Errorf("for a name it was shown %q", got)
	}
	s.conn.err = errSlow
	put(t, s.ground.Root, "c.txt", "a name")
	if err := acquaint(context.Background(), s, "name"); err == nil {
		t.Error("files were shown over a connection that is over")
	}
}
