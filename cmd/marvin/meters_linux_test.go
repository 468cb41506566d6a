package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/cli/clitest"
)

// Each command that reads all conversations shows its progress on a terminal. In this test a second
// passes with each reading of the clock, so the progress is shown for each conversation.
func TestSessionSearchReportsProgress(t *testing.T) {
	home := t.TempDir()
	const count = 3
	for i := range count {
		id := fmt.Sprintf("20260101-00000%d-aaaaaa", i)
		clitest.WriteFile(t, fmt.Sprintf(`{"marvin_session":1,"id":%q,"created":"2026-01-01T00:00:00Z"}`, id)+"\n"+
			`{"id":1,"kind":"step","at":"2026-01-01T00:00:01Z","about":{"first":"tea","turns":1},"body":{"turn":"t1","prompt":"tea","state":{"provider":"offline","model":"built-in","profile":"default"},"messages":[{"role":"user","text":"tea"},{"role":"assistant","text":"kettle"}],"outcome":"completed","text":"kettle"}}`+"\n",
			home, ".local", "share", "marvin", "sessions", "elsewhere", id+".jsonl")
	}
	for _, row := range []struct {
		line   string
		wanted []string
	}{
		{"sessions list", []string{"Reading conversations"}},
		{"sessions list", nil}, // what they are about is known now
		{"sessions check", []string{"Checking conversations", "Checking the conversations"}},
		{"sessions search kettle", []string{"Looking through conversations"}},
	} {
		line, wanted := row.line, row.wanted
		master, slave := openPty(t)
		var clock sync.Mutex
		now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
		world := cli.World{
			Home: home, Dir: home, Stdout: io.Discard, Stderr: slave, Getenv: func(name string) string { return map[string]string{"TERM": "xterm"}[name] },
			Now: func() time.Time {
				clock.Lock()
				defer clock.Unlock()
				now = now.Add(time.Second)
				return now
			},
		}
		if code := run(context.Background(), strings.Fields(line), world); code != 0 {
			t.Errorf("%s ends with %d", line, code)
		}
		if _, err := io.WriteString(slave, "end"); err != nil {
			t.Fatal(err)
		}
		shown := readUntil(t, master, "end")
		var told []string
		for piece := range strings.SplitSeq(shown, "\r") {
			if doing, far, is := strings.Cut(piece, ": 1 of 3\x1b[K"); is && far == "" {
				told = append(told, doing)
				if !strings.Contains(shown, "\r"+doing+": 3 of 3\x1b[K\r\x1b[K") {
					t.Errorf("%s: %q is not told to its end and taken away: %q", line, doing, shown)
				}
			}
		}
		if slices.Sort(told); !slices.Equal(told, wanted) {
			t.Errorf("%s tells %q, want %q: %q", line, told, wanted, shown)
		}
	}
}
