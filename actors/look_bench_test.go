package actors_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/sessions"
)

func BenchmarkSearch(b *testing.B) {
	home, err := os.MkdirTemp("/dev/shm", "search")
	if err != nil {
		home = b.TempDir()
	}
	b.Cleanup(func() { os.RemoveAll(home) })
	files := persistence.Open(home, time.Now)
	result := strings.Repeat("A line of output, as a command prints it. ", 200)
	for n := range 2_000 {
		session, err := sessions.New(files).Create(sessions.Header{Dir: "/work"})
		if err != nil {
			b.Fatal(err)
		}
		for turn := range 10 {
			asked := fmt.Sprintf("Prompt %d of conversation %d", turn, n)
			body, err := json.Marshal(map[string]any{"prompt": asked, "outcome": "completed", "messages": []messages.Message{
				{Role: messages.User, Text: asked},
				{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: "c", Name: "look"}}},
				{Role: messages.Tool, Result: messages.ToolResult{Call: "c", Name: "look", Text: result}},
				{Role: messages.Assistant, Text: strings.Repeat("This is what I found there. ", 40)},
			}})
			if err == nil {
				err = session.Append(false, sessions.Entry{Kind: "step", Body: body, About: &sessions.About{First: asked, Turns: 1}})
			}
			if err != nil {
				b.Fatal(err)
			}
		}
		if err := session.Close(); err != nil {
			b.Fatal(err)
		}
	}
	list, err := sessions.New(files).List()
	if err != nil {
		b.Fatal(err)
	}
	for name, words := range map[string]string{"ascii": "conversation 1234", "beyond": "wörter"} {
		look := func() (found int) {
			query := actors.NewQuery(files, words)
			defer query.Close()
			for _, info := range list {
				may, err := query.MayContain(info)
				if err == nil && may {
					_, may, err = query.SearchSession(info)
				}
				if err != nil {
					b.Fatal(err)
				}
				if may {
					found++
				}
			}
			return found
		}
		look() // builds the index first
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				found := look()
				if name == "ascii" && found != 1 {
					b.Fatal(found)
				}
			}
		})
	}
}
