package sessionlog

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence"
)

// Letters of ASCII are folded wherever they stand, and no other byte is touched.
func TestLowerFoldsLettersOnly(t *testing.T) {
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 1))
	for range 2_000 {
		text := make([]byte, random.IntN(40))
		for i := range text {
			text[i] = byte(random.IntN(256))
		}
		want := make([]byte, len(text))
		for i, b := range text {
			if want[i] = b; b >= 'A' && b <= 'Z' {
				want[i] = b + 'a' - 'A'
			}
		}
		before := string(text)
		if got := lower(text); string(got) != string(want) {
			t.Fatalf("seed %d: %q becomes %q, not %q", seed, before, got, want)
		}
	}
}

// Whatever is in the words beside a session, a search finds what a look at every line finds.
func TestASearchWithWordsBesideFindsWhatALookFinds(t *testing.T) {
	home := persistence.Open(t.TempDir(), time.Now)
	log := New(home.Sessions(), persistence.SessionHeader{Dir: "/p"}, "", time.Now)
	same := func(text string) string { return text }
	say := func(asked, answer string) {
		t.Helper()
		said := []messages.Message{{Role: messages.Tool, Result: messages.ToolResult{Text: "zebras in the output"}}, {Role: messages.Assistant, Text: answer}}
		if err := log.Add(false, same, Began("t", messages.Message{Role: messages.User, Text: asked}, State{}), Said("t", 1, said)); err != nil {
			t.Fatal(err)
		}
	}
	id := func() string { id, _ := log.Place(); return id }
	found := func(words string) bool {
		t.Helper()
		infos, err := home.Sessions().List()
		if err != nil || len(infos) != 1 || infos[0].ID != id() {
			t.Fatalf("%+v, %v", infos, err)
		}
		query := NewQuery(words)
		may, err := query.May(home.Sessions(), infos[0])
		if err != nil {
			t.Fatal(err)
		}
		_, ok, err := query.In(home.Sessions(), infos[0])
		if err != nil || ok && !may {
			t.Fatalf("%q: may %v, is there %v, %v", words, may, ok, err)
		}
		return ok && may
	}
	say("Where is the Märchenbuch?", "On the \"top\" shelf, 読書 in a box.")
	say(strings.Repeat("so much to read ", 4000), "Indeed.")
	for range 2 { // without words beside it, and with them
		for words, want := range map[string]bool{
			"märchen": true, "MÄRCHENBUCH": true, "chenbu shelf": false, "top": true, `"top"`: true, "読書": true, "to": true, "xq": false, "zebras": false, "nowhere": false, "reading": false, "Indeed.": true,
		} {
			if got := found(words); got != want {
				t.Errorf("%q: found %v, want %v", words, got, want)
			}
		}
	}
	paths, err := filepath.Glob(filepath.Join(home.Sessions().Dir(), "*", id()+".words"))
	if err != nil || len(paths) != 1 {
		t.Fatalf("beside it are %q, %v", paths, err)
	}
	if err := log.Add(false, same, Aside("/btw what is a monad?", messages.TurnEnded{Text: "A monoid, nearly."}, 0, nil)); err != nil {
		t.Fatal(err)
	}
	if !found("MONAD what") || !found("monoid") || found("monad monoid") {
		t.Error("what was asked beside the conversation is not found, or not as two messages")
	}
	say("And the atlas?", "Gone.") // behind what is beside it
	if !found("atlas") || found("zebras") {
		t.Error("what was said last is not found")
	}
	if err := os.WriteFile(paths[0], []byte("torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	if !found("atlas") {
		t.Error("with damaged words beside it nothing is found")
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := home.Sessions().Remove(id()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(paths[0]); err == nil {
		t.Error("the words outlive their session")
	}
}
