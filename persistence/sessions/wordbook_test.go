package sessions

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

// worded returns the words of a session that cover this many bytes of its file.
func worded(covered int64, said ...string) *Words {
	words := &Words{Covered: covered}
	for _, text := range said {
		words.Add(text)
	}
	return words
}

// patiently retries a change longer than a conversation would wait for other processes.
func patiently(change func() error) error {
	for {
		if err := change(); !errors.Is(err, store.ErrLocked) {
			return err
		}
	}
}

// keptFor stores the words of a session, see patiently.
func keptFor(s Store, info Info, words *Words) error {
	return patiently(func() error { return KeepWords(s, info, words) })
}

const wordRounds = 12

func init() {
	storetest.Helpers["words"] = func(home string) error {
		s := New(store.Open(home, time.Now))
		list, err := s.List()
		if err != nil {
			return err
		}
		mine := slot(list, os.Getenv("PERSISTENCE_MINE"))
		for round := range wordRounds {
			words := worded(int64(round+1), "everybody said this", fmt.Sprint("only mine ", mine.ID, " in round ", round))
			if err := keptFor(s, mine, words); err != nil {
				return err
			}
			if round%4 == 3 { // in the middle of what others write
				pack := func(file *os.File) error { return packBlocks(file, func(wordKey) bool { return true }) }
				if err := patiently(func() error { return changeWords(s, store.LockWait, pack) }); err != nil {
					return err
				}
			}
			book := WordsFor(s, []string{"everybody"})
			for _, info := range list {
				if may, covered := book.MayContain(info); covered > 0 && !may {
					return fmt.Errorf("round %d: %s is reported not to have what it has", round, info.ID)
				}
			}
			if err := book.Close(); err != nil {
				return err
			}
		}
		return nil
	}
}

func slot(list []Info, id string) Info {
	for _, info := range list {
		if info.ID == id {
			return info
		}
	}
	return Info{}
}

// Sixty-four processes write the words of their sessions, pack the file, and read it at the same
// time. No reader is told that a session lacks a word that it has, and at the end all words are
// stored.
func TestSixtyFourProcessesWriteWords(t *testing.T) {
	home := t.TempDir()
	s := New(store.Open(home, time.Now))
	for range 64 {
		session, err := s.Create(Header{Dir: "/work"})
		storetest.Must(t, err)
		add(t, session, said("something that is longer than what is covered of it"))
		storetest.Must(t, session.Close())
	}
	list, err := s.List()
	storetest.Must(t, err)
	processes := make([]*exec.Cmd, len(list))
	for i, info := range list {
		processes[i] = storetest.Helper(t, "words", home)
		processes[i].Env = append(processes[i].Env, "PERSISTENCE_MINE="+info.ID)
		storetest.Must(t, processes[i].Start())
	}
	for _, process := range processes {
		if err := process.Wait(); err != nil {
			t.Error(err)
		}
	}
	for _, info := range list {
		for word, want := range map[string]bool{fmt.Sprint("mine ", info.ID): true, fmt.Sprint("round ", wordRounds-1): true, "nobody": false} {
			book := WordsFor(s, []string{word})
			if may, covered := book.MayContain(info); may != want || covered != wordRounds {
				t.Errorf("%s: may have %q: %v, covered %d", info.ID, word, may, covered)
			}
			storetest.Must(t, book.Close())
		}
	}
}

func TestTheFileOfWordsStaysSmallAndWhole(t *testing.T) {
	s := stocked(t, 3, "a prompt")
	list, err := s.List()
	storetest.Must(t, err)
	for round := range 200 {
		for _, info := range list {
			storetest.Must(t, keptFor(s, info, worded(int64(round+1), fmt.Sprint("round ", round, " of ", info.ID))))
		}
	}
	check := func(word string, want ...bool) {
		t.Helper()
		book := WordsFor(s, []string{word})
		for i, info := range list {
			may, covered := book.MayContain(info)
			if may != want[i] || may && covered != 200 || may && book.Words(info).Covered != 200 {
				t.Errorf("%q may be in %d: %v, covered %d", word, i, may, covered)
			}
		}
		storetest.Must(t, book.Close())
	}
	check(list[1].ID, false, true, false)
	check("round 199", true, true, true)
	if info, err := os.Stat(s.wordsPath()); err != nil || info.Size() != 3*wordBlock || info.Mode().Perm() != 0o600 {
		t.Fatalf("the file is %+v, %v", info, err)
	}
	whole := storetest.Get(t, s.wordsPath())
	at := strings.Index(whole, string(worded(200, fmt.Sprint("round 199 of ", list[1].ID)).seal(keyOf(list[1].Path))))
	if at < 0 {
		t.Fatal("the words are not found in their file")
	}
	damaged := []byte(whole + whole[:1000]) // one is damaged, and the end is cut off
	damaged[at+77] ^= 1
	storetest.Put(t, s.wordsPath(), string(damaged))
	check("round 199", true, false, true)
	storetest.Must(t, keptFor(s, list[1], worded(200, "round 199", list[1].ID)))
	check("round 199", true, true, true)
	check(list[1].ID, false, true, false)
}

func TestWordsOfWhatIsGoneAreNotKept(t *testing.T) {
	s := stocked(t, 2, "a prompt")
	list, err := s.List()
	storetest.Must(t, err)
	book := WordsFor(s, nil)
	for _, info := range list {
		book.Keep(info, worded(1, "the secret"))
	}
	if _, err := s.Remove(list[0].ID); err != nil {
		t.Fatal(err)
	}
	storetest.Must(t, book.Close())
	again := WordsFor(s, []string{"secret"})
	defer again.Close()
	gone, _ := again.MayContain(list[0])
	if there, _ := again.MayContain(list[1]); gone || !there {
		t.Errorf("words of deleted sessions: %v, of existing ones: %v", gone, there)
	}
	if _, err := s.Remove(list[1].ID); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(s.wordsPath()); err != nil || info.Size() != 0 {
		t.Errorf("nothing is there any more, and of words %v, %v", info, err)
	}
}
