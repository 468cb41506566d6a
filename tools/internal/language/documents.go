package language

import (
	"bytes"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// largestFile is the size of the largest file that a server is given.
const largestFile = 4 << 20

// mostOpen is how many files a server holds open. The least recently used one is closed for
// another.
const mostOpen = 60

// document is a file as the server knows it.
type document struct {
	path    string
	text    text
	version int // of the last content sent; unique in a session
	open    bool
	used    int // when it was sent or asked about last, by the count of versions
	// contents is how many contents of it the server was ever given. As long as there was
	// only one, whatever it says is about that one.
	contents int
	// proven are the problems of exactly this version; nil means that nothing is known.
	proven []diagnostic
	known  bool
}

// held is what a server knows, and its reports.
type held struct {
	server Server
	ground Ground
	conn   *conn
	able   capabilities

	turn      sync.Mutex // serializes updates: content read from the disk is sent before the next read
	mu        sync.Mutex // taken after turn
	documents map[string]*document
	versions  int
	versioned bool // the server says which version it looked at
	// loose holds reports about files the server was not given: for unknown content, so only a
	// reason to ask.
	loose  map[string][]diagnostic
	before map[string]bool // problems that were there before the next change
	checks int
	news   chan struct{} // closed and made again when something came
	said   []string      // messages of the server, for its log
	// disk are the files of the project as the server was last told that they are; doubted
	// says that others may have changed them since.
	disk    map[string]stamp
	doubted atomic.Bool
}

// File is a file with its content; nil if it is gone.
type File struct {
	Path    string
	Content []byte
}

func sendable(content []byte) bool {
	return len(content) <= largestFile && utf8.Valid(content) && bytes.IndexByte(content, 0) < 0
}

// put sends the content of a file, if the server has another. It is called with s.mu held.
func (s *held) put(path, content string) (*document, error) {
	doc := s.documents[path]
	if doc == nil {
		doc = &document{path: path}
		s.documents[path] = doc
	}
	if doc.open && doc.text.whole == content {
		doc.used = s.versions
		return doc, nil
	}
	changed := doc.contents == 0 || doc.text.whole != content
	s.versions++
	doc.version, doc.used = s.versions, s.versions
	if changed {
		doc.contents++
		doc.text, doc.known, doc.proven = newText(content), false, nil
	}
	if doc.open {
		return doc, s.tellChange(doc)
	}
	doc.open, doc.known, doc.proven = true, false, nil
	s.closeOldest()
	return doc, s.conn.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": uriOf(path), "languageId": s.server.languageID(path), "version": doc.version, "text": content,
	}})
}

// again lets the server check a file again unchanged: its report about the new version covers
// everything sent before.
func (s *held) again(doc *document) error {
	s.versions++
	doc.version, doc.known, doc.proven = s.versions, false, nil
	return s.tellChange(doc)
}

func (s *held) tellChange(doc *document) error {
	return s.conn.notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": uriOf(doc.path), "version": doc.version},
		"contentChanges": []map[string]any{{"text": doc.text.whole}},
	})
}

// drop tells the server that a file is gone.
func (s *held) drop(path string) error {
	doc := s.documents[path]
	delete(s.loose, path)
	if doc == nil || !doc.open {
		return nil
	}
	doc.open, doc.known, doc.proven = false, false, nil
	return s.conn.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": uriOf(path)}})
}

func (s *held) closeOldest() {
	var oldest *document
	open := 0
	for _, doc := range s.documents {
		if !doc.open {
			continue
		}
		open++
		if oldest == nil || doc.used < oldest.used {
			oldest = doc
		}
	}
	if open > mostOpen {
		_ = s.drop(oldest.path)
	}
}

// Kinds of changes of files that are not open, as the protocol has them.
const (
	fileMade = 1 + iota
	fileChanged
	fileGone
)

// watched tells the server of files that changed on the disk.
func (s *held) watched(changes map[string]int) error {
	if len(changes) == 0 {
		return nil
	}
	list := make([]map[string]any, 0, len(changes))
	for path, kind := range changes {
		list = append(list, map[string]any{"uri": uriOf(path), "type": kind})
	}
	return s.conn.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": list})
}

// within says whether a file lies in the root of the session.
func (s *held) within(path string) bool {
	rest, err := filepath.Rel(s.ground.Root, path)
	return err == nil && filepath.IsLocal(rest)
}

// local is a path as it is shown: from the root, with slashes.
func (s *held) local(path string) string {
	base := s.ground.Shown
	if base == "" {
		base = s.ground.Root
	}
	if rest, err := filepath.Rel(base, path); err == nil && !strings.HasPrefix(rest, "..") {
		return filepath.ToSlash(rest)
	}
	return path
}

// sync has the server know a file as it is on the disk now, and all others that it holds.
func (s *held) sync(path string) (*document, error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	content, err := s.ground.Read(path)
	if err != nil {
		return nil, err
	}
	if !sendable(content) {
		return nil, errNoText(s.local(path))
	}
	if err := s.refresh(map[string]bool{path: true}); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.put(path, string(content))
}
