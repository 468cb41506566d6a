package sessionlog

import (
	"fmt"
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

// searched is a set of conversations with random changes to them and to the index.
type searched struct {
	*testing.T
	sessions sessions.Store
	random   *rand.Rand
	said     map[string][]string // by the id of a conversation
	turn     int
}

// After any changes to conversations and to the index, a search finds the same as reading all
// messages.
func TestASearchFindsWhatWasSaidInAnyHistory(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	s := &searched{T: t, random: rand.New(rand.NewPCG(seed, 1)), said: map[string][]string{}, sessions: sessions.New(persistence.Open(t.TempDir(), time.Now))}
	for range 60 {
		s.happens()
		s.compare()
		if t.Failed() {
			return
		}
	}
}

func (s *searched) must(err error) {
	s.Helper()
	if err != nil && !os.IsNotExist(err) {
		s.Fatal(err)
	}
}

func (s *searched) any() string {
	ids := make([]string, 0, len(s.said))
	for id := range s.said {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids[s.random.IntN(len(ids))]
}

func (s *searched) word() string { return fmt.Sprintf("wörd%03dX", s.random.IntN(60)) }

func (s *searched) happens() {
	s.Helper()
	words := filepath.Join(s.sessions.Dir(), "index.words")
	n := s.random.IntN(12)
	switch {
	case n < 3 || len(s.said) == 0:
		s.talk(New(s.sessions, sessions.Header{Dir: fmt.Sprint("/dir", s.random.IntN(3))}, "", time.Now))
	case n < 6:
		log, _, err := Open(s.sessions, s.any(), time.Now)
		s.must(err)
		s.talk(log)
	case n == 6:
		id := s.any()
		_, err := s.sessions.Remove(id)
		s.must(err)
		delete(s.said, id)
	case n == 7:
		id := s.any()
		copied, err := s.sessions.Fork(id, 0)
		s.must(err)
		s.said[copied] = slices.Clone(s.said[id])
	case n == 8:
		s.must(os.Remove(words))
	default: // damaged, in the middle or at the end
		text, err := os.ReadFile(words)
		s.must(err)
		if len(text) == 0 {
			return
		}
		at := s.random.IntN(len(text))
		if n == 9 {
			text = text[:at]
		} else {
			text[at] ^= byte(1 + s.random.IntN(255))
		}
		s.must(os.WriteFile(words, text, 0o600))
	}
}

// talk adds messages, sometimes long ones, and ends properly or as after a crash.
func (s *searched) talk(log *Log) {
	s.Helper()
	same := func(text string) string { return text }
	for range 1 + s.random.IntN(3) {
		s.turn++
		name := fmt.Sprint("t", s.turn)
		asked := s.word() + " " + s.word()
		answer := strings.Repeat(s.word()+" and so on ", 1+s.random.IntN(2)*2000)
		tool := messages.Message{Role: messages.Tool, Result: messages.ToolResult{Text: "output " + s.word()}}
		s.must(log.Add(false, same, BeginRecord(name, messages.Message{Role: messages.User, Text: asked}, State{}), MessagesRecord(name, 1, []messages.Message{tool, {Role: messages.Assistant, Text: answer}})))
		s.said[log.ID()] = append(s.said[log.ID()], asked, answer)
	}
	if s.random.IntN(4) > 0 {
		s.must(log.Close())
		return
	}
	s.must(log.session.Close()) // it ends without indexing
}

// compare searches for words and compares with all messages.
func (s *searched) compare() {
	s.Helper()
	list, err := s.sessions.List()
	s.must(err)
	if len(list) != len(s.said) {
		s.Fatalf("%d are listed of %d", len(list), len(s.said))
	}
	words := strings.ToUpper(s.word())
	if s.random.IntN(2) == 0 {
		words += " " + s.word()
	}
	query := NewQuery(s.sessions, words)
	for _, info := range list {
		found, err := query.MayContain(info)
		if err == nil && found {
			_, found, err = query.SearchSession(info)
		}
		want := slices.ContainsFunc(s.said[info.ID], func(text string) bool {
			return !slices.ContainsFunc(strings.Fields(strings.ToLower(words)), func(word string) bool { return !strings.Contains(strings.ToLower(text), word) })
		})
		if err != nil || found != want {
			s.Errorf("%q in %s: found %v, %v; it was said: %v", words, info.ID, found, err, want)
		}
	}
	s.must(query.Close())
}
