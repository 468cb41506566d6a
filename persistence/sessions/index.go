package sessions

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
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidwall/gjson"

	"marvin/persistence/internal/store"
)

// Info describes a session in a list.
type Info struct {
	Header
	About
	Updated time.Time `json:"updated"`
	Size    int64     `json:"size"` // number of bytes described, up to the end of the last complete line
	Path    string    `json:"-"`
}

func (info *Info) add(entry Entry) {
	if entry.Kind != TitleEntry && entry.Kind != StateEntry {
		info.Updated = entry.At
	}
	about := entry.About
	if about == nil {
		return
	}
	info.Name = cmp.Or(about.Name, info.Name)
	info.Title = cmp.Or(about.Title, info.Title)
	info.First = cmp.Or(info.First, about.First)
	info.Last = cmp.Or(about.Last, info.Last)
	info.Model = cmp.Or(about.Model, info.Model)
	info.Branch = cmp.Or(about.Branch, info.Branch)
	info.Terminal = cmp.Or(about.Terminal, info.Terminal)
	info.Turns += about.Turns
	info.Cost += about.Cost
}

// DisplayName returns the session's title. Without a title, it returns the first prompt or a
// placeholder.
func (info Info) DisplayName() string { return cmp.Or(info.Title, info.First, "(nothing was said)") }

// ForkedFrom returns the ID of the conversation from which this conversation was forked or
// continued, or "" if there is none.
func (info Info) ForkedFrom() string {
	if info.Forked == nil {
		return ""
	}
	return info.Forked.Session
}

func (s Store) indexPath() string { return filepath.Join(s.dir, "index.jsonl") }

// erasing contains one function per data directory. [SetErase] sets the function for all stores in
// the directory.
var erasing sync.Map

// SetErase sets the function with which [Store.EraseForgotten] removes forgotten facts from text.
func SetErase(h *store.Home, erase func(text string) string) { erasing.Store(h.Data, erase) }

// EraseForgotten removes forgotten facts from text. Call EraseForgotten before storing text that
// was kept in memory, because a fact in the text may have been forgotten in the meantime.
func (s Store) EraseForgotten(text string) string {
	if found, set := erasing.Load(s.home.Data); set {
		return found.(func(string) string)(text)
	}
	return text
}

// addToIndex adds the current description of a session to the index. It does not sync the file: if
// the line is lost, the session is simply read again.
func (s Store) addToIndex(info Info) error {
	info.First, info.Last, info.Title = s.EraseForgotten(info.First), s.EraseForgotten(info.Last), s.EraseForgotten(info.Title)
	line, err := store.EncodeValue(info)
	if err != nil {
		return err
	}
	return store.AppendTo(s.indexPath(), append(line, '\n'))
}

// List returns all sessions, the most recently used first. The error names the sessions that cannot
// be read.
func (s Store) List() ([]Info, error) {
	if s.dir == "" {
		return nil, nil
	}
	var files []sessionFile
	var known map[string]Info
	var lines int
	var err error
	var both sync.WaitGroup // in parallel, because both calls are slow with ten thousand sessions
	both.Go(func() { files = s.files() })
	both.Go(func() { known, lines, err = s.readIndex(nil) })
	both.Wait()
	if err != nil {
		return nil, err
	}
	list, stale, problems := s.merge(files, known)
	if stale > 0 && stale > len(list)/8 || lines > 1000+4*len(list) {
		problems = append(problems, s.rewriteIndex(list, 0))
	}
	return list, errors.Join(problems...)
}

// ListOf returns the sessions that began in dir, the most recently used first. It does not read
// other sessions.
func (s Store) ListOf(dir string) ([]Info, error) {
	if s.dir == "" {
		return nil, nil
	}
	files := s.filesOf(project(dir))
	wanted := make(map[string]bool, len(files))
	for _, file := range files {
		wanted[file.id()] = true
	}
	known, _, err := s.readIndex(wanted)
	if err != nil {
		return nil, err
	}
	list, _, problems := s.merge(files, known)
	list = slices.DeleteFunc(list, func(info Info) bool { return info.Dir != dir })
	return list, errors.Join(problems...)
}

// merge returns the sessions in the given files, the most recently used first. It reads the files
// whose size differs from the size in the index. stale is the number of missing or outdated index
// entries; an incomplete last line alone does not make an entry outdated.
func (s Store) merge(files []sessionFile, known map[string]Info) (list []Info, stale int, problems []error) {
	list = make([]Info, len(files))
	var read []int
	for i, file := range files {
		info, ok := known[file.id()]
		if !ok || info.Size != file.size {
			read = append(read, i)
		}
		info.Path = file.path()
		list[i] = info
	}
	wrong := make([]error, len(read))
	var outdated atomic.Int64
	onAllCores(len(read), func(n int) {
		looks(s, len(read))
		info := &list[read[n]]
		path, described := info.Path, info.Size
		if *info, wrong[n] = s.info(path, *info); wrong[n] != nil {
			wrong[n] = fmt.Errorf("%s: %w", path, wrong[n])
		}
		if wrong[n] != nil || info.Size != described {
			outdated.Add(1)
		}
	})
	for _, err := range wrong {
		if err != nil {
			problems = append(problems, err)
		}
	}
	list = slices.DeleteFunc(list, func(info Info) bool { return info.ID == "" }) // unreadable sessions
	slices.SortFunc(list, func(a, b Info) int {
		return cmp.Or(b.Updated.Compare(a.Updated), strings.Compare(b.ID, a.ID))
	})
	return list, int(outdated.Load()), problems
}

// readIndex returns the last readable index entry of each session, and the number of lines in the
// index. If wanted is not nil, readIndex returns only entries whose session IDs are keys of wanted.
func (s Store) readIndex(wanted map[string]bool) (known map[string]Info, lines int, err error) {
	known = map[string]Info{}
	file, size, err := store.OpenRegular(os.OpenFile, s.indexPath())
	if file == nil {
		return known, 0, err
	}
	defer file.Close()
	err = eachLineBackwards(file, size, func(line []byte) (bool, error) {
		lines++
		id, ok := idOf(line)
		if _, later := known[string(id)]; later || !ok || wanted != nil && !wanted[string(id)] {
			return true, nil
		}
		var info Info
		if json.Unmarshal(line, &info) == nil && info.ID == string(id) {
			known[info.ID] = info
		}
		return true, nil
	})
	return known, lines, err
}

// indexEntry returns the index entry of one session, or the zero value if there is none.
func (s Store) indexEntry(id string) (found Info, err error) {
	file, size, err := store.OpenRegular(os.OpenFile, s.indexPath())
	if file == nil {
		return found, err
	}
	defer file.Close()
	err = eachLineBackwards(file, size, func(line []byte) (bool, error) {
		if here, ok := idOf(line); !ok || string(here) != id || json.Unmarshal(line, &found) != nil || found.ID != id {
			found = Info{}
			return true, nil
		}
		return false, nil
	})
	return found, err
}

// idOf returns the session ID in an index line. It does not parse the rest of the line.
func idOf(line []byte) ([]byte, bool) {
	_, rest, found := bytes.Cut(line, []byte(`"id":"`))
	id, _, ended := bytes.Cut(rest, []byte(`"`))
	return id, found && ended
}

func (s Store) rewriteIndex(list []Info, wait time.Duration) error {
	path, unlock, err := s.home.LockFile(s.indexPath(), wait)
	if errors.Is(err, store.ErrLocked) {
		return nil // locked by another process, or by Rename, which calls List
	}
	if err != nil {
		return err
	}
	var text bytes.Buffer
	for _, info := range slices.Backward(list) {
		line, err := store.EncodeValue(info)
		if err != nil {
			return errors.Join(err, unlock())
		}
		text.Write(line)
		text.WriteByte('\n')
	}
	return errors.Join(store.Replace(path, text.Bytes(), store.Fleeting), unlock())
}

// info returns the current description of the session in the file at path. Files only grow, so info
// reads only the lines that the earlier description does not cover.
func (s Store) info(path string, known Info) (Info, error) {
	file, size, err := store.OpenRegular(os.OpenFile, path)
	if err != nil {
		return Info{}, err
	}
	if file == nil {
		return Info{}, fs.ErrNotExist
	}
	defer file.Close()
	header, err := readHeader(file)
	if err != nil {
		return Info{}, err
	}
	if known.ID != header.ID || known.Size > size {
		known = Info{Header: header, Updated: header.Created}
	}
	known.Path = path
	// The size of the buffer depends on the unread part of the file. Buffers of readChunk bytes for
	// ten thousand short files took 2.7 GB.
	left := max(size-known.Size, 1<<10)
	lines := bufio.NewReaderSize(io.NewSectionReader(file, known.Size, size-known.Size), int(min(left, readChunk)))
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break // ignore an incomplete last line
		}
		if err != nil {
			return Info{}, err
		}
		known.Size += int64(len(line))
		var entry Entry
		if gjson.ValidBytes(line) && json.Unmarshal(withoutBody(line), &entry) == nil && entry.ID > 0 {
			known.add(entry)
		}
	}
	return known, nil
}

// withoutBody removes the body, which is the last field, from an encoded entry. Quotes in strings
// are escaped, so `,"body":` never occurs inside a string.
func withoutBody(line []byte) []byte {
	if at := bytes.Index(line, []byte(`,"body":`)); at >= 0 {
		return append(line[:at], '}')
	}
	return line
}
