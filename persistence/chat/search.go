package chat

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"marvin/persistence/internal/store"
)

// Limits for a search in backups.
const (
	backupTail  = 16 << 20  // bytes read from the end of each file
	backupTotal = 128 << 20 // total bytes read
	backupFiles = 500       // the number of files
)

// BackupHit is a message in a backup.
type BackupHit struct {
	Saved time.Time // when the backup was made, in local time
	Time  string    // in the format of [Entry.Time]; "" if unknown
	Role  string
	Text  string
}

type backup struct {
	saved time.Time
	path  string
	open  func() (*os.File, int64, error)
}

// SearchBackups searches the backups of the chat log and of conversations, including those in the
// project directory dir. It returns at most the given number of matching messages, newest first. A
// message that is in several backups is returned once. The error names unreadable backups. If the
// backups are too large or too many to search completely, cut is true.
func SearchBackups(p store.Profile, dir string, limit int, match func(text string) bool) (hits []BackupHit, cut bool, err error) {
	files, err := backupsOf(p, dir)
	shown := map[string]int{}
	room := int64(backupTotal)
	for i, file := range files {
		if len(hits) >= limit {
			return hits, cut, err
		}
		if room <= 0 || i >= backupFiles {
			return hits, true, err
		}
		entries, read, partly, failed := file.read(min(room, backupTail))
		room -= read
		cut = cut || partly
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", file.path, failed))
		}
		here := map[string]int{}
		for _, entry := range slices.Backward(entries) {
			key, cutKey := sameMessage(entry)
			if here[key]++; here[key] > shown[key]+shown[cutKey] && len(hits) < limit && match(entry.Text) {
				shown[key]++
				hits = append(hits, BackupHit{Saved: file.saved, Time: entry.Time, Role: entry.Role, Text: entry.Text})
			}
		}
	}
	return hits, cut, err
}

// sameMessage returns two keys that identify a message by its role and text. The first key is for
// the text as it is. The second key is for the text after compaction has shortened it, or "-" if
// compaction does not shorten the text. The keys contain no time, because only chat logs store
// times. Different messages can have the same key, so the caller must count the messages.
func sameMessage(entry Entry) (key, shortKey string) {
	role := strings.ToLower(entry.Role)
	switch role {
	case "you", "human":
		role = "user"
	case "marvin", "ai", "model":
		role = "assistant"
	}
	key, shortKey = role+"\x00"+strings.Join(strings.Fields(entry.Text), " "), "-"
	if runes := []rune(entry.Text); len(runes) > shortened {
		shortKey = role + "\x00" + strings.Join(strings.Fields(string(runes[:shortened])+"..."), " ")
	}
	if shortKey == key {
		shortKey = "-" // compaction does not shorten the text
	}
	return key, shortKey
}

// backupsOf lists the backups of the chat log and of conversations, newest first.
func backupsOf(p store.Profile, dir string) ([]backup, error) {
	found, err := chatBackupsOf(p)
	for _, place := range []struct{ dir, under string }{{p.Dir, "logs"}, {dir, store.LogsDir}} {
		if place.dir == "" {
			continue
		}
		more, failed := contextBackups(place.dir, place.under)
		found, err = append(found, more...), errors.Join(err, failed)
	}
	slices.SortStableFunc(found, func(a, b backup) int {
		return cmp.Or(b.saved.Compare(a.saved), cmp.Compare(b.path, a.path))
	})
	return found, err
}

var (
	chatBackupName    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^chat_log\.json\.backup\.(\d{8}_\d{6})`) })
	contextBackupName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^context-backup-(\d+)(?:-\d+)?\.jsonl$`) })
)

// chatBackupsOf lists the backups beside the log.
func chatBackupsOf(p store.Profile) ([]backup, error) {
	if p.Dir == "" {
		return nil, nil
	}
	names, err := os.ReadDir(p.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var found []backup
	for _, entry := range names {
		match := chatBackupName().FindStringSubmatch(entry.Name())
		if match == nil {
			continue
		}
		name := p.Path(entry.Name())
		saved, wrong := time.ParseInLocation("20060102_150405", match[1], p.Home.Now().Location())
		if wrong != nil {
			continue
		}
		found = append(found, backup{saved, name, func() (*os.File, int64, error) { return store.OpenRegular(os.OpenFile, name) }})
	}
	return found, err
}

// contextBackups returns the conversation backups in a subdirectory of dir. Because an untrusted
// project can contain any link, contextBackups follows no link out of dir.
func contextBackups(dir, under string) ([]backup, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, ignoreMissing(err)
	}
	defer root.Close()
	logs, err := root.Open(under)
	if err != nil {
		return nil, ignoreMissing(err)
	}
	defer logs.Close()
	names, err := logs.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	var found []backup
	for _, name := range names {
		match := contextBackupName().FindStringSubmatch(name)
		if match == nil {
			continue
		}
		inside := path.Join(under, name)
		found = append(found, backup{unixTime(match[1]), filepath.Join(dir, inside), func() (*os.File, int64, error) {
			root, err := os.OpenRoot(dir)
			if err != nil {
				return nil, 0, err
			}
			defer root.Close()
			return store.OpenRegular(root.OpenFile, inside)
		}})
	}
	return found, nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// unixTime parses a Unix time in seconds or milliseconds. Marvin's TypeScript version wrote
// milliseconds.
func unixTime(digits string) time.Time {
	number, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case err != nil:
		return time.Time{}
	case number >= 1e11:
		return time.UnixMilli(number)
	}
	return time.Unix(number, 0)
}

// read returns the messages at the end of a backup, oldest first. It reads at most limit bytes. If
// the backup is larger, cut is true.
func (b backup) read(limit int64) (entries []Entry, read int64, cut bool, err error) {
	file, size, err := b.open()
	if file == nil {
		return nil, 0, false, err
	}
	defer file.Close()
	read = min(size, limit)
	cut = read < size
	section := io.NewSectionReader(file, size-read, read)
	if strings.HasSuffix(b.path, ".jsonl") {
		entries, err = contextEntries(section, cut)
		return entries, read, cut, err
	}
	data, err := io.ReadAll(section)
	if err != nil {
		return nil, read, cut, err
	}
	entries, err = chatEntries(data, !cut)
	return entries, read, cut, err
}

// contextEntries parses one message per line. It skips invalid lines and messages without text.
func contextEntries(section io.Reader, cut bool) ([]Entry, error) {
	lines := bufio.NewScanner(section)
	lines.Buffer(nil, backupTail+1)
	var entries []Entry
	for first := true; lines.Scan(); first = false {
		if first && cut {
			continue // the start of the line was not read
		}
		var message struct {
			Role    string `json:"role"`
			Content any    `json:"content"`
		}
		if json.Unmarshal(lines.Bytes(), &message) != nil {
			continue
		}
		text, isText := message.Content.(string)
		if !isText && message.Content != nil {
			encoded, err := store.EncodeValue(message.Content) // the content can be a list of parts
			if err != nil {
				return entries, err
			}
			text = string(bytes.TrimSpace(encoded))
		}
		if text != "" {
			entries = append(entries, Entry{Role: message.Role, Text: text})
		}
	}
	return entries, lines.Err()
}
