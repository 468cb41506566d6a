package language

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
)

// ErrMoved means that another program changed a file during a request about the file.
var ErrMoved = errors.New("another program changed the file during the call")

// Formats reports whether the server can format files.
func (s *held) Formats() bool { return can(s.able.Formatting) }

// Format returns the formatted content. It does not write the file. It returns an error if the
// server's reply is about older content, contains overlapping edits, or would empty the file.
func (s *Session) Format(ctx context.Context, file File) ([]byte, error) {
	if !s.Formats() || !s.server.matches(file.Path) {
		return nil, s.cannot("formatting")
	}
	if !sendable(file.Content) {
		return nil, errNoText(s.local(file.Path))
	}
	doc, version, err := s.sendFile(file)
	if err != nil {
		return nil, s.explainFailure(err)
	}
	content := string(file.Content)
	var edits []textEdit
	if err := s.conn.call(ctx, "textDocument/formatting", map[string]any{
		"textDocument": map[string]any{"uri": uriOf(file.Path)}, "options": indentation(content),
	}, &edits); err != nil {
		return nil, err
	}
	s.mu.Lock()
	moved := !doc.open || doc.version != version
	s.mu.Unlock()
	if moved {
		return nil, fmt.Errorf("%s: %w", s.local(file.Path), ErrMoved)
	}
	after, err := applied(content, edits)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", s.local(file.Path), err)
	case !sendable([]byte(after)):
		return nil, errNoText(s.local(file.Path))
	case strings.TrimSpace(after) == "" && strings.TrimSpace(content) != "":
		return nil, fmt.Errorf("%s: formatting with %s would empty the file", s.local(file.Path), s.server.Name)
	}
	return []byte(after), nil
}

// sendFile sends a file to the server, and returns the file's document and version number.
func (s *held) sendFile(file File) (*document, int, error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	if s.documents[file.Path] == nil {
		s.recordWrite(file.Path)
		err = s.notifyChanges(map[string]int{file.Path: fileMade})
	}
	doc, put := s.put(file.Path, string(file.Content))
	return doc, doc.version, errors.Join(err, put)
}

// indentation returns formatting options with the content's indentation. The default is four
// spaces. The options are a hint for servers without formatting rules of their own.
func indentation(content string) map[string]any {
	size := 0
	for line := range strings.Lines(content) {
		if line[0] == '\t' {
			return map[string]any{"tabSize": 4, "insertSpaces": false}
		}
		spaces := len(line) - len(strings.TrimLeft(line, " "))
		if spaces >= 2 && spaces <= 8 && (size == 0 || spaces < size) {
			size = spaces
		}
	}
	size = cmp.Or(size, 4)
	return map[string]any{"tabSize": size, "insertSpaces": true}
}
