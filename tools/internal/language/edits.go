package language

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// This file handles the changes that servers propose. A proposal contains the old content of each
// file, so that the writer can refuse to overwrite later changes.

// Edited is a proposed change to one file.
type Edited struct {
	Path          string // absolute
	Before, After string
	Spots         int // number of edits
}

// mostEdited is the maximum number of files that one proposal may change.
const mostEdited = 500

// Rename returns the changes that rename a symbol everywhere.
func (s *Session) Rename(ctx context.Context, at Place, to string) ([]Edited, error) {
	if !can(s.able.Rename) {
		return nil, s.cannot("renaming")
	}
	if err := acquaint(ctx, &s.held, at.Name); err != nil {
		return nil, s.explainFailure(err)
	}
	var proposed workspaceEdit
	if err := s.ask(ctx, "textDocument/rename", at, map[string]any{"newName": to}, &proposed); err != nil {
		return nil, err
	}
	return s.applyEdit(proposed)
}

// Action is a change that a server offers.
type Action struct {
	Title, Kind string
	of          codeAction
}

// Actions returns the code actions that the server offers at a place. If at.Name is empty, the
// place is the whole line.
func (s *Session) Actions(ctx context.Context, at Place) ([]Action, error) {
	if !can(s.able.CodeAction) {
		return nil, s.cannot("actions")
	}
	doc, err := s.sync(at.Path)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	where := span{position{Line: at.Line - 1}, position{at.Line - 1, units(doc.text.line(at.Line-1), len(doc.text.line(at.Line-1)))}}
	if at.Name != "" {
		where.Start, err = doc.text.find(at.Line, at.Name)
		where.End = where.Start
	} else if at.Line < 1 || at.Line > len(doc.text.starts) {
		err = fmt.Errorf("%w: the file has %d lines", ErrNoPlace, len(doc.text.starts))
	}
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if s.asksExactly() {
		// If pull fails, the request below contains the problems that are already known.
		_ = s.pull(ctx, at.Path)
	}
	about := []diagnostic{}
	s.mu.Lock()
	for _, one := range doc.proven {
		if doc.known && one.Range.Start.Line <= where.End.Line && one.Range.End.Line >= where.Start.Line {
			about = append(about, one)
		}
	}
	s.mu.Unlock()
	var found []json.RawMessage
	if err := s.conn.call(ctx, "textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": uriOf(at.Path)}, "range": where, "context": map[string]any{"diagnostics": about},
	}, &found); err != nil {
		return nil, err
	}
	var actions []Action
	for _, raw := range found[:min(len(found), 100)] {
		var one codeAction
		if json.Unmarshal(raw, &one) != nil || one.Title == "" || one.Disabled != nil || one.Edit == nil && !s.able.resolvesCodeActions {
			continue // the effect of an action without an edit is unknown
		}
		one.raw = raw
		actions = append(actions, Action{Title: oneLine(one.Title, 160), Kind: oneLine(one.Kind, 60), of: one})
	}
	return actions, nil
}

// Apply returns the changes that an action proposes.
func (s *Session) Apply(ctx context.Context, action Action) ([]Edited, error) {
	one := action.of
	if one.Edit == nil {
		if err := s.conn.call(ctx, "codeAction/resolve", one.raw, &one); err != nil {
			return nil, err
		}
	}
	if one.Edit == nil {
		return nil, fmt.Errorf("%w: %q is a command that the server runs itself, so Marvin cannot show its effect beforehand", ErrCannot, action.Title)
	}
	return s.applyEdit(*one.Edit)
}

// applyEdit computes the changes that an edit describes, but writes no files.
func (s *Session) applyEdit(proposed workspaceEdit) ([]Edited, error) {
	edits := map[string][]textEdit{}
	add := func(uri string, list []textEdit) error {
		path := pathOf(uri)
		if path == "" || !s.inRoot(path) {
			return fmt.Errorf("the change would also write %q, which is outside the project; nothing was changed", shorten(uri, 200))
		}
		edits[path] = append(edits[path], list...)
		return nil
	}
	for _, change := range proposed.DocumentChanges {
		if change.Kind != "" {
			return nil, fmt.Errorf("the change would also %s a file, which Marvin does not allow a language server to do; make this part of the change yourself", shorten(change.Kind, 20))
		}
		if err := add(change.TextDocument.URI, change.Edits); err != nil {
			return nil, err
		}
	}
	if len(proposed.DocumentChanges) == 0 {
		for _, uri := range slices.Sorted(maps.Keys(proposed.Changes)) {
			if err := add(uri, proposed.Changes[uri]); err != nil {
				return nil, err
			}
		}
	}
	if len(edits) > mostEdited {
		return nil, fmt.Errorf("the change would write %d files; the limit is %d at once", len(edits), mostEdited)
	}
	var all []Edited
	for _, path := range slices.Sorted(maps.Keys(edits)) {
		content, err := s.ground.Read(path)
		if err != nil {
			return nil, err
		}
		if !sendable(content) {
			return nil, errNoText(s.local(path))
		}
		if moved(&s.held, path, string(content)) {
			return nil, fmt.Errorf("%s: %w", s.local(path), ErrMoved)
		}
		after, err := applied(string(content), edits[path])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.local(path), err)
		}
		if after != string(content) {
			all = append(all, Edited{Path: path, Before: string(content), After: after, Spots: len(edits[path])})
		}
	}
	return all, nil
}

// moved returns true if the server's open copy of the file differs from the given content.
func moved(s *held, path, content string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	doc := s.documents[path]
	return doc != nil && doc.open && doc.text.whole != content
}

var errOverlap = errors.New("the server's edits overlap")

// applied returns the content that results from the edits. All positions refer to the old content.
func applied(content string, edits []textEdit) (string, error) {
	of := newText(content)
	type replaced struct {
		from, to int
		text     string
	}
	list := make([]replaced, len(edits))
	size := len(content)
	for i, one := range edits {
		for _, place := range []position{one.Range.Start, one.Range.End} {
			if place.Line < 0 || place.Character < 0 {
				return "", fmt.Errorf("nothing was changed, because the server wants to edit line %d, column %d, which does not exist", place.Line, place.Character)
			}
		}
		if size += len(one.NewText); size > largestFile {
			return "", fmt.Errorf("nothing was changed, because the file would be larger than %d MiB after the server's edits", largestFile>>20)
		}
		list[i] = replaced{of.offset(one.Range.Start), of.offset(one.Range.End), one.NewText}
	}
	slices.SortStableFunc(list, func(a, b replaced) int { return a.from - b.from })
	var out strings.Builder
	at := 0
	for _, one := range list {
		if one.from < at || one.to < one.from {
			return "", errOverlap
		}
		out.WriteString(content[at:one.from] + one.text)
		at = one.to
	}
	return out.String() + content[at:], nil
}
