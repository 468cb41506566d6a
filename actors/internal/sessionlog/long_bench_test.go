package sessionlog

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/sessions"
)

// A conversation of 200 MB that was never summarized, mostly tool results, is resumed: first its
// end is read, which may take 150 ms, and then all of it, because the model knows all of it.
func BenchmarkLongWithoutCompaction(b *testing.B) {
	sessions, id := long(b, 200, 10, 100<<10)
	b.Run("end", func(b *testing.B) {
		for b.Loop() {
			log, content, err := Open(sessions, id, time.Now)
			if err != nil || !content.Partial || len(content.Turns) == 0 || len(content.Problems) != 0 {
				b.Fatal(err, content)
			}
			if err := log.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("all", func(b *testing.B) {
		log, _, err := Open(sessions, id, time.Now)
		if err != nil {
			b.Fatal(err)
		}
		defer log.Close()
		for b.Loop() {
			content, err := log.Content()
			if err != nil || content.Partial || len(content.Turns) != 200 || len(content.Problems) != 0 {
				b.Fatal(err, content)
			}
		}
	})
}

// long is a conversation with this many turns, rounds per turn, and bytes per result.
func long(tb testing.TB, turns, rounds, size int) (sessions.Store, string) {
	tb.Helper()
	home, err := os.MkdirTemp("/dev/shm", "long")
	if err != nil {
		home = tb.TempDir()
	}
	tb.Cleanup(func() { os.RemoveAll(home) })
	store := sessions.New(persistence.Open(home, time.Now))
	log := New(store, sessions.Header{Dir: "/work"}, "", time.Now)
	line := "\tif err := log.Close(); err != nil { // \"as it is\"\n"
	for turn := range turns {
		name, asked := fmt.Sprint("t", turn+1), fmt.Sprint("prompt ", turn)
		records := []Record{BeginRecord(name, messages.Message{Role: messages.User, Text: asked}, State{Model: "m1"})}
		for round := range rounds {
			call := fmt.Sprint("c", turn, ".", round)
			records = append(records, MessagesRecord(name, 1+2*round, []messages.Message{
				{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: call, Name: "read_file", Args: []byte("{}")}}},
				{Role: messages.Tool, Result: messages.ToolResult{Call: call, Name: "read_file", Status: messages.OK, Text: strings.Repeat(line, size/len(line))}},
			}))
		}
		said := messages.Message{Role: messages.Assistant, Text: "That is it."}
		records = append(records, MessagesRecord(name, 1+2*rounds, []messages.Message{said}), EndRecord(Step{Turn: name, Offset: 2 + 2*rounds, Outcome: messages.Completed, Text: said.Text}, 0))
		if err := log.Add(false, func(text string) string { return text }, records...); err != nil {
			tb.Fatal(err)
		}
	}
	id := log.ID()
	if err := log.Close(); err != nil {
		tb.Fatal(err)
	}
	return store, id
}
