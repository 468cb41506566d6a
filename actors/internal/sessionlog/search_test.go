package sessionlog

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/sessions"
)

// ASCII letters are converted at any position, and no other byte changes.
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

// Whatever the index of a session contains, a search finds the same as reading every line.
func TestASearchWithWordsFindsWhatALookFinds(t *testing.T) {
	home := persistence.Open(t.TempDir(), time.Now)
	log := New(sessions.New(home), sessions.Header{Dir: "/p"}, "", time.Now)
	same := func(text string) string { return text }
	say := func(asked, answer string) {
		t.Helper()
		said := []messages.Message{{Role: messages.Tool, Result: messages.ToolResult{Text: "zebras in the output"}}, {Role: messages.Assistant, Text: answer}}
		if err := log.Add(false, same, BeginRecord("t", messages.Message{Role: messages.User, Text: asked}, State{}), MessagesRecord("t", 1, said)); err != nil {
			t.Fatal(err)
		}
	}
	id := func() string { id, _ := log.Place(); return id }
	found := func(words string) bool {
		t.Helper()
		infos, err := sessions.New(home).List()
		if err != nil || len(infos) != 1 || infos[0].ID != id() {
			t.Fatalf("%+v, %v", infos, err)
		}
		query := NewQuery(sessions.New(home), words)
		may, err := query.MayContain(infos[0])
		if err != nil {
			t.Fatal(err)
		}
		_, ok, err := query.SearchSession(infos[0])
		if err = errors.Join(err, query.Close()); err != nil || ok && !may {
			t.Fatalf("%q: may %v, is there %v, %v", words, may, ok, err)
		}
		return ok && may
	}
	say("Where is the Märchenbuch?", "On the \"top\" shelf, 読書 in a box.")
	say(strings.Repeat("so much to read ", 4000), "Indeed.")
	for range 2 { // without the index, and with it
		for words, want := range map[string]bool{
			"märchen": true, "MÄRCHENBUCH": true, "chenbu shelf": false, "top": true, `"top"`: true, "読書": true, "to": true, "xq": false, "zebras": false, "nowhere": false, "reading": false, "Indeed.": true,
		} {
			if got := found(words); got != want {
				t.Errorf("%q: found %v, want %v", words, got, want)
			}
		}
	}
	path := filepath.Join(sessions.New(home).Dir(), "index.words")
	if info, err := os.Stat(path); err != nil || info.Size() != 4096 {
		t.Fatalf("the words are %+v, %v", info, err)
	}
	if err := log.Add(false, same, AsideRecord("/btw what is a monad?", messages.TurnEnded{Text: "A monoid, nearly."}, 0, nil)); err != nil {
		t.Fatal(err)
	}
	if !found("MONAD what") || !found("monoid") || found("monad monoid") {
		t.Error("what was asked beside the conversation is not found, or not as two messages")
	}
	say("And the atlas?", "Gone.") // after the indexed part
	if !found("atlas") || found("zebras") {
		t.Error("what was said last is not found")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := 8; at < len(text); at += 64 { // every damaged bit must be noticed
		damaged := slices.Clone(text)
		damaged[at] ^= 1 << (at % 8)
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if !found("atlas") || !found("märchenbuch") {
			t.Fatalf("with words that are damaged at %d not all is found", at)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := sessions.New(home).Remove(id()); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || len(text) > 0 {
		t.Errorf("the words outlive their session: %v", err)
	}
}

// When a conversation that grew ends, it is indexed, so the first search reads none of it.
func TestTheEndOfAConversationWritesItsWords(t *testing.T) {
	store := sessions.New(persistence.Open(t.TempDir(), time.Now))
	same := func(text string) string { return text }
	known := func() (sessions.Info, int64) {
		t.Helper()
		list, err := store.List()
		if err != nil || len(list) != 1 {
			t.Fatalf("%+v, %v", list, err)
		}
		book := sessions.WordsFor(store, []string{"mushroom"})
		defer book.Close()
		may, covered := book.MayContain(list[0])
		if may != (covered > 0) {
			t.Errorf("of %d bytes it may have the word: %v", covered, may)
		}
		return list[0], covered
	}
	log := New(store, sessions.Header{Dir: "/p"}, "", time.Now)
	say := func(times int) {
		t.Helper()
		if err := log.Add(false, same, BeginRecord("t", messages.Message{Role: messages.User, Text: strings.Repeat("mushroom ", times)}, State{})); err != nil {
			t.Fatal(err)
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
	}
	say(1)
	info, covered := known()
	if covered != 0 {
		t.Errorf("%d bytes of a short one have their words written", covered)
	}
	for range 2 {
		var err error
		if log, _, err = Open(store, info.ID, time.Now); err != nil {
			t.Fatal(err)
		}
		say(worthKeeping / len("mushroom "))
		if info, covered = known(); covered != info.Size {
			t.Errorf("the words are of %d bytes of %d", covered, info.Size)
		}
	}
}
