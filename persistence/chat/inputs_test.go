package chat

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/persistence/internal/store"
)

func inputProfile(t *testing.T, content string) store.Profile {
	t.Helper()
	profile := store.Open(t.TempDir(), time.Now).Profile("default")
	if content != "" {
		if err := os.MkdirAll(profile.Dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(profile.Dir, "history"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return profile
}

func TestInputsOfEarlierMarvins(t *testing.T) {
	for content, want := range map[string][]string{
		"":                 nil,
		"one\ntwo words\n": {"one", "two words"},
		"no end":           {"no end"},
		"a\\040b\n":        {"a\\040b"}, // without the header a backslash is one
		"_HiStOrY_V2_\nplain words\na\\040b\\134c\n": {"plain words", "a b\\c"},
		"_HiStOrY_V2_\nW\\303\\274rzburg\\04\n":      {"Würzburg\\04"},
		"whole\nhalf\x00\x00\x00\nwhole again\n":     {"whole", "whole again"},
		"x\r\n\n \ny\n":                              {"x", "y"},
		"\xff\n":                                     {"�"},
	} {
		got, err := Inputs(inputProfile(t, content))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v; want %q", content, got, err, want)
		}
	}
}

func TestInputsAreAddedAndCapped(t *testing.T) {
	var old strings.Builder
	old.WriteString("_HiStOrY_V2_\n")
	for i := range 1200 {
		fmt.Fprintf(&old, "old\\040%d\n", i)
	}
	profile := inputProfile(t, old.String())
	for _, text := range []string{"new", "new", "over\nthree\n lines", " ", "the key is sk-0123456789abcdefghijklmno", "export X=ghp_0123456789abcdefghijklmno", "a sk-etch"} {
		if err := AddInput(profile, text); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(profile.Dir, "history")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
	if len(lines) != 1002 || !slices.Equal(lines[998:], []string{"old 1199", "new", "over three lines", "a sk-etch"}) {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-4:])
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := AddInput(store.Open("", time.Now).Profile("default"), "x"); err == nil {
		t.Error("without a home something was stored")
	}
}
