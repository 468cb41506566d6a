package chat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/gofrs/flock"

	"marvin/persistence/internal/store"
)

// Turns manages the unfinished turns of a profile.
type Turns struct{ profile store.Profile }

// TurnsOf returns the turns of a profile.
func TurnsOf(p store.Profile) Turns { return Turns{p} }

// Turn stores a running turn on disk. The prompt is stored before Marvin sends it, and each piece
// of the answer is stored as soon as it arrives. [Turns.End] moves the turn into the chat log.
//
// Each running turn has its own file, such as running.jsonl or running.1.jsonl. The first line
// holds the prompt, and each further line holds a piece of the answer. [Turns.End] adds a line with
// the entries for the chat log, and removes the file after appending the entries.
//
// A process locks the files of its running turns. An unlocked file remains after a crash or a
// failed [Turns.End]. The file is not synced, so it survives a crash of Marvin but not a crash of
// the machine.
//
// A Turn is safe for concurrent use. The zero Turn stores nothing.
type Turn struct {
	mu   sync.Mutex
	path string       // "" after the end of the turn
	lock *flock.Flock // nil if the caller holds the lock
}

type runningLine struct {
	Entry
	Closing []Entry `json:"closing,omitempty"`
}

// runningTurns is the maximum number of stored running turns per profile.
const runningTurns = 64

const interrupted = "[Interrupted: Marvin ended here unexpectedly.]"

func (r Turns) path(slot int) string {
	if slot == 0 {
		return r.profile.Path("running.jsonl")
	}
	return r.profile.Path(fmt.Sprintf("running.%d.jsonl", slot))
}

// lockRunning locks the file of a running turn. If the file is already locked, lockRunning returns
// nil, nil.
func lockRunning(path string) (*flock.Flock, error) {
	lock := store.NewLock(store.HiddenBeside(path, ".lock"))
	locked, err := lock.TryLock()
	if err != nil || !locked {
		return nil, err
	}
	return lock, nil
}

// Begin starts a turn and stores the prompt on disk.
func (r Turns) Begin(prompt string) (*Turn, error) {
	if r.profile.Dir == "" {
		return &Turn{}, nil
	}
	if err := store.MakeDir(r.profile.Dir); err != nil {
		return &Turn{}, fmt.Errorf("store the running turn: %w", err)
	}
	for slot := range runningTurns {
		path := r.path(slot)
		lock, err := lockRunning(path)
		if err != nil {
			return &Turn{}, fmt.Errorf("store the running turn: %w", err)
		}
		if lock == nil {
			continue
		}
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, os.ErrExist) { // [Turns.Recover] will handle this earlier turn
			_ = lock.Close()
			continue
		}
		if err != nil {
			return &Turn{}, errors.Join(fmt.Errorf("store the running turn: %w", err), lock.Close())
		}
		turn := &Turn{path: path, lock: lock}
		return turn, errors.Join(file.Close(), turn.add(runningLine{Entry: Entry{Role: "you", Text: prompt, Time: r.profile.Home.Now().Format("15:04")}}))
	}
	return &Turn{}, nil
}

// Say appends a piece of text to the answer. After [Turns.End], Say does nothing.
func (t *Turn) Say(text string) error {
	if t == nil || text == "" {
		return nil
	}
	return t.add(runningLine{Entry: Entry{Role: "assistant", Text: text}})
}

// add appends a line to the turn's file in a single write.
func (t *Turn) add(line runningLine) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.path == "" {
		return nil
	}
	encoded, err := store.EncodeValue(line)
	if err == nil {
		err = store.AppendTo(t.path, append(encoded, '\n'))
	}
	if err != nil {
		return fmt.Errorf("store the running turn: %w", err)
	}
	return nil
}

// End appends the entries to the chat log and removes the turn's file. If appending fails, the file
// remains for [Turns.Recover]. If t is nil, End only appends the entries.
func (r Turns) End(t *Turn, entries ...Entry) error {
	if t == nil || t.path == "" {
		return New(r.profile).Append(entries...)
	}
	entries = New(r.profile).stamped(entries)
	err := t.add(runningLine{Closing: entries})
	logged := New(r.profile).Append(entries...)
	t.mu.Lock()
	defer t.mu.Unlock()
	path := t.path
	t.path = ""
	if logged == nil || store.OnlyDamage(logged) {
		err = store.RemoveIfThere(path) // earlier write errors do not matter now
	}
	if t.lock != nil {
		err = errors.Join(err, t.lock.Close())
	}
	return errors.Join(logged, err)
}

// Recover handles turns that a crash interrupted: it moves them to the chat log and returns their
// prompts. It skips turns that another process is still running.
func (r Turns) Recover() (prompts []string, err error) {
	left, err := os.ReadDir(r.profile.Dir)
	if err != nil {
		return nil, nil // a new profile has no directory; real problems are reported elsewhere
	}
	for _, entry := range left {
		if !strings.HasPrefix(entry.Name(), "running.") || !strings.HasSuffix(entry.Name(), ".jsonl") {
			continue
		}
		prompt, failed := r.recover(r.profile.Path(entry.Name()))
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("read the rest of an interrupted turn: %w", failed))
		}
		if prompt != "" {
			prompts = append(prompts, prompt)
		}
	}
	return prompts, err
}

func (r Turns) recover(path string) (prompt string, err error) {
	lock, err := lockRunning(path)
	if lock == nil {
		return "", err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	data, err := store.ReadWhole(path, tailLimit)
	if err != nil {
		return "", err
	}
	entries, closing := readRunning(data)
	if len(entries) == 0 {
		return "", store.RemoveIfThere(path) // the prompt is incomplete, so it was never sent
	}
	if closing && New(r.profile).endsWith(entries) {
		return "", store.RemoveIfThere(path)
	}
	if !bytes.HasSuffix(data, []byte("\n")) {
		if err := store.AppendTo(path, []byte("\n")); err != nil {
			return "", err
		}
	}
	return entries[0].Text, r.End(&Turn{path: path}, entries...)
}

// readRunning returns the entries for the chat log. If closing is true, the log may already contain
// some of them. An incomplete last line is ignored.
func readRunning(data []byte) (entries []Entry, closing bool) {
	var said strings.Builder
	for line := range bytes.Lines(data) {
		var read runningLine
		switch {
		case json.Unmarshal(line, &read) != nil:
		case read.Closing != nil:
			return read.Closing, true
		case read.Role == "you" && entries == nil:
			entries = []Entry{read.Entry}
		case read.Role == "assistant":
			said.WriteString(read.Text)
		}
	}
	if entries == nil {
		return nil, false
	}
	answer := Entry{Role: "assistant", Text: strings.TrimLeft(said.String()+"\n"+interrupted, "\n"), Time: entries[0].Time}
	return append(entries, answer), false
}

// recentEntries limits the number of log entries that [Log.endsWith] reads.
const recentEntries = 500

// endsWith reports whether the given entries appear consecutively near the end of the log.
func (c Log) endsWith(entries []Entry) bool {
	recent, _ := c.Tail(recentEntries) // a damaged log still has readable entries
	for at := range recent {
		if at+len(entries) <= len(recent) && slices.Equal(recent[at:at+len(entries)], entries) {
			return true
		}
	}
	return false
}
