package chat

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"

	"marvin/persistence/internal/store"
)

const (
	// keptEntries is the number of entries at the end of the log that a compaction never changes.
	keptEntries = 20
	// shortened is the length in characters to which a compaction cuts the text of older entries.
	shortened = 200
)

// Compaction is the result of compacting a chat log.
type Compaction struct {
	Before, After int // tokens, as the caller counts them
	Entries, Kept int
	Backup        string // the path of the backup; "" if there was nothing to do
	NewestTooMuch bool   // the newest entries alone exceed the target
}

// Compact shrinks a log that has more than target tokens. It shortens all entries except the newest
// 20, and drops the oldest of the shortened entries if necessary. Before changing the log, Compact
// writes and syncs a backup in the same directory. If the backup fails, the log stays unchanged.
func (c Log) Compact(target int, count func(text string) int) (done Compaction, err error) {
	path, unlock, err := c.profile.Home.LockFile(c.profile.Path("chat_log.json"), store.LockWait)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	file, size, err := store.OpenRegular(os.OpenFile, path)
	if file == nil {
		return done, err
	}
	defer file.Close()
	if size > rewriteLimit {
		if err := endAppend(path); err != nil {
			return done, err
		}
	}
	digest := chatDigest{target: target, count: count}
	if err := digest.read(file); err != nil {
		return done, &store.DamagedError{Path: path, Err: err}
	}
	entries := digest.entries()
	done = Compaction{Before: digest.whole, After: digest.whole, Entries: digest.total, Kept: digest.total}
	if digest.whole <= target || len(entries) == digest.total && !digest.cut {
		done.NewestTooMuch = digest.whole > target
		return done, nil
	}
	encoded, err := store.EncodeList(entries)
	if err != nil {
		return done, err
	}
	if done.Backup, err = c.backUp(path, file); err != nil {
		return done, fmt.Errorf("back up the chat log: %w; nothing was changed", err)
	}
	if err := store.Replace(path, encoded, store.Lasting); err != nil {
		return done, err
	}
	done.After, done.Kept = digest.sum(), len(entries)
	done.NewestTooMuch = done.After > target
	return done, nil
}

// chatDigest reads the log from the start and collects the entries that remain after a compaction.
type chatDigest struct {
	target int
	count  func(string) int

	older, newest []digested
	inOlder       int // tokens in older
	whole, total  int // number of tokens and number of entries in the log
	cut           bool
}

type digested struct {
	raw    json.RawMessage
	tokens int
}

func (d *chatDigest) read(file io.Reader) error {
	decoder := json.NewDecoder(file)
	start, err := decoder.Token()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err == nil && start != json.Delim('[') {
		err = errors.New("it is not a list of entries")
	}
	for err == nil && decoder.More() {
		var raw json.RawMessage
		if err = decoder.Decode(&raw); err == nil {
			err = d.add(raw)
		}
	}
	if err == nil {
		_, err = decoder.Token()
	}
	return err
}

func (d *chatDigest) add(raw json.RawMessage) error {
	var entry Entry
	if err := json.Unmarshal(raw, &entry); err != nil {
		return err
	}
	tokens := d.count(entry.Text)
	d.whole, d.total = d.whole+tokens, d.total+1
	d.newest = append(d.newest, digested{raw, tokens})
	if len(d.newest) <= keptEntries {
		return nil
	}
	oldest := d.newest[0]
	d.newest = d.newest[1:]
	return d.addOlder(oldest)
}

// addOlder shortens an entry and appends the entry to d.older. To limit d.older to d.target tokens,
// addOlder drops the oldest entries.
func (d *chatDigest) addOlder(old digested) error {
	var entry Entry
	if err := json.Unmarshal(old.raw, &entry); err != nil {
		return err
	}
	if utf8.RuneCountInString(entry.Text) > shortened {
		text := string([]rune(entry.Text)[:shortened]) + "..."
		raw, err := store.WithKey(old.raw, "text", text)
		if err != nil {
			return err
		}
		old, d.cut = digested{raw, d.count(text)}, true
	}
	d.older = append(d.older, old)
	d.inOlder += old.tokens
	for len(d.older) > 0 && d.inOlder > d.target {
		d.inOlder -= d.older[0].tokens
		d.older = d.older[1:]
	}
	return nil
}

func (d *chatDigest) entries() []json.RawMessage {
	for len(d.older) > 0 && d.sum() > d.target {
		d.inOlder -= d.older[0].tokens
		d.older = d.older[1:]
	}
	var all []json.RawMessage
	for _, entry := range d.older {
		all = append(all, entry.raw)
	}
	for _, entry := range d.newest {
		all = append(all, entry.raw)
	}
	return all
}

func (d *chatDigest) sum() int {
	sum := d.inOlder
	for _, entry := range d.newest {
		sum += entry.tokens
	}
	return sum
}

// backUp copies the log to a new file, syncs the copy and returns the path of the copy.
func (c Log) backUp(path string, log *os.File) (string, error) {
	if _, err := log.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	base := path + ".backup." + c.profile.Home.Now().Format("20060102_150405")
	name := base
	copied, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	for n := 2; errors.Is(err, fs.ErrExist) && n < 1000; n++ {
		name = fmt.Sprintf("%s-%d", base, n)
		copied, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	}
	if err != nil {
		return "", err
	}
	_, err = io.Copy(copied, log)
	if err == nil {
		err = copied.Chmod(0o600) // the umask may have removed the owner's own permissions
	}
	if err == nil {
		err = copied.Sync()
	}
	if err = errors.Join(err, copied.Close()); err != nil {
		return "", errors.Join(err, os.Remove(name))
	}
	return name, store.SyncDir(filepath.Dir(name))
}
