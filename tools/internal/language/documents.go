package language

import (
	"bytes"
	"cmp"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// largestFile is the maximum size in bytes of a file sent to a server.
const largestFile = 4 << 20

// mostOpen is the maximum number of files that are open in a server. When another file is opened,
// the least recently used file is closed.
const mostOpen = 60

// document is a file as it was last sent to the server.
type document struct {
	path    string
	text    text
	version int // the value of the version counter when the file was last sent
	open    bool
	used    int // the value of the version counter when the file was last used
	// contents is the number of times that new content was sent for the file. If it is 1, a report
	// without a version must be about that content.
	contents int
	// proven contains the problems in the last version that was sent.
	proven []diagnostic
	known  bool // whether proven is valid
}

// held is the state of one server, including the documents sent and the reports received.
type held struct {
	server Server
	ground Ground
	conn   *conn
	able   capabilities

	turn      sync.Mutex // serializes updates, so that file contents are sent in the order in which they were read
	mu        sync.Mutex // taken after turn
	documents map[string]*document
	versions  int
	versioned bool // whether a report about an open file has contained a version
	// loose contains the server's reports about files that are not open. The reports may be
	// outdated, so Marvin sends the files to the server for another check.
	loose  map[string][]diagnostic
	before map[string]bool // the keys of the problems that were known after the last check
	checks int
	news   chan struct{} // closed and replaced when a report arrives
	said   []string      // the server's log messages
	// disk contains, for each project file, the stamp that the file had when the server was last told
	// about it. doubted is true if other programs may have changed files since then.
	disk    map[string]stamp
	doubted atomic.Bool
}

// File is a file with its content. Content is nil if the file is gone.
type File struct {
	Path    string
	Content []byte
}

func sendable(content []byte) bool {
	return len(content) <= largestFile && utf8.Valid(content) && bytes.IndexByte(content, 0) < 0
}

// put ensures that a file is open in the server and has the given content. The caller must hold
// s.mu.
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

// checkAgain makes the server check an unchanged file again, by sending a new version number. The
// report for this version takes into account everything that was sent before.
func (s *held) checkAgain(doc *document) error {
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

// drop tells the server that a file is closed, and deletes the file's stored problems.
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

// The kinds of changes to files on disk, as numbered by the protocol.
const (
	fileMade = 1 + iota
	fileChanged
	fileGone
)

func (s *held) notifyChanges(changes map[string]int) error {
	if len(changes) == 0 {
		return nil
	}
	list := make([]map[string]any, 0, len(changes))
	for path, kind := range changes {
		list = append(list, map[string]any{"uri": uriOf(path), "type": kind})
	}
	return s.conn.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": list})
}

func (s *held) inRoot(path string) bool {
	rest, err := filepath.Rel(s.ground.Root, path)
	return err == nil && filepath.IsLocal(rest)
}

// local returns a path as users see it: relative to the root, with slashes.
func (s *held) local(path string) string {
	base := cmp.Or(s.ground.Shown, s.ground.Root)
	if rest, err := filepath.Rel(base, path); err == nil && !strings.HasPrefix(rest, "..") {
		return filepath.ToSlash(rest)
	}
	return path
}

// sync tells the server about changes made by other programs and about the current content of path.
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
