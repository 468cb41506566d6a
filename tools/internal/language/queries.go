package language

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ErrCannot means that a server does not support a request.
var ErrCannot = errors.New("this language server cannot do that")

func errNoText(name string) error {
	return fmt.Errorf("%s is not UTF-8 text or is larger than 4 MiB, so no language server reads it", name)
}

func (s *Session) cannot(what string) error {
	return fmt.Errorf("%w: %s has no %s", ErrCannot, s.server.Name, what)
}

// Spot is a place in a file, with the text of its line.
type Spot struct {
	Path string // as returned by held.local
	Line int
	Text string // the line, trimmed and shortened; "" if Marvin did not read the file
}

// Place is the subject of a request: a name in a line of a file.
type Place struct {
	Path string // absolute, without links
	Line int    // from 1
	Name string // the suffix "#2" selects the name's second occurrence in the line
}

// ask sends the file's current content, and then a request about a place in the file.
func (s *Session) ask(ctx context.Context, method string, at Place, more map[string]any, result any) error {
	doc, err := s.sync(at.Path)
	if err != nil {
		return err
	}
	s.mu.Lock()
	where, err := doc.text.find(at.Line, at.Name)
	s.mu.Unlock()
	if err != nil {
		return err
	}
	params := map[string]any{"textDocument": map[string]any{"uri": uriOf(at.Path)}, "position": where}
	maps.Copy(params, more)
	return s.conn.call(ctx, method, params, result)
}

// Definition returns the places where a name is defined.
func (s *Session) Definition(ctx context.Context, at Place) ([]Spot, error) {
	if !can(s.able.Definition) {
		return nil, s.cannot("definitions")
	}
	return s.spotsOf(ctx, "textDocument/definition", at, nil)
}

// References returns the places where a name is used or defined.
func (s *Session) References(ctx context.Context, at Place) ([]Spot, error) {
	if !can(s.able.References) {
		return nil, s.cannot("references")
	}
	if err := acquaint(ctx, &s.held, at.Name); err != nil {
		return nil, s.explainFailure(err)
	}
	return s.spotsOf(ctx, "textDocument/references", at, map[string]any{"context": map[string]bool{"includeDeclaration": true}})
}

func (s *Session) spotsOf(ctx context.Context, method string, at Place, more map[string]any) ([]Spot, error) {
	var raw json.RawMessage
	if err := s.ask(ctx, method, at, more, &raw); err != nil {
		return nil, err
	}
	var found []location
	if err := json.Unmarshal(raw, &found); err != nil {
		var one location
		if json.Unmarshal(raw, &one) != nil {
			return nil, err
		}
		found = []location{one}
	}
	contents := map[string]text{}
	var spots []Spot
	for _, one := range found[:min(len(found), 2000)] {
		uri, where := one.URI, one.Range
		if one.TargetURI != "" {
			uri = one.TargetURI
		}
		if one.TargetSelection != nil {
			where = *one.TargetSelection
		}
		if spot, ok := s.spot(uri, where, contents); ok && !slices.Contains(spots, spot) {
			spots = append(spots, spot)
		}
	}
	slices.SortFunc(spots, func(a, b Spot) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), a.Line-b.Line)
	})
	return spots, nil
}

// spot converts a location that the server sent. It does not read files outside the project.
func (s *held) spot(uri string, where span, contents map[string]text) (Spot, bool) {
	path := pathOf(uri)
	if path == "" {
		return Spot{}, false
	}
	spot := Spot{Path: s.local(path), Line: where.Start.Line + 1}
	if !s.inRoot(path) {
		return spot, true
	}
	of, known := contents[path]
	if !known && len(contents) < 200 {
		if content, err := s.ground.Read(path); err == nil && sendable(content) {
			of = newText(string(content))
		}
		contents[path] = of
	}
	spot.Text = shorten(strings.TrimSpace(of.line(where.Start.Line)), 160)
	return spot, true
}

// Symbol is a named element of a program.
type Symbol struct {
	Name, Kind, In string
	Path           string
	Line, Last     int
	Depth          int
}

// Outline lists the definitions in a file.
func (s *Session) Outline(ctx context.Context, path string) ([]Symbol, error) {
	if !can(s.able.DocumentSymbol) {
		return nil, s.cannot("outlines")
	}
	if _, err := s.sync(path); err != nil {
		return nil, err
	}
	var found []symbol
	if err := s.conn.call(ctx, "textDocument/documentSymbol", map[string]any{"textDocument": map[string]any{"uri": uriOf(path)}}, &found); err != nil {
		return nil, err
	}
	return s.flattened(nil, found, path, 0), nil
}

func (s *held) flattened(list []Symbol, found []symbol, path string, depth int) []Symbol {
	for _, one := range found {
		if len(list) >= 2000 || depth > 10 {
			return list
		}
		where := one.Range
		if one.Location != nil {
			where = one.Location.Range
		}
		list = append(list, Symbol{
			Name: oneLine(one.Name, 100), Kind: kindName(one.Kind), In: oneLine(one.ContainerName, 80), Path: s.local(path),
			Line: where.Start.Line + 1, Last: where.End.Line + 1, Depth: depth,
		})
		list = s.flattened(list, one.Children, path, depth+1)
	}
	return list
}

// Symbols finds the names in the project that are similar to a query. If file is not "", Symbols
// opens it first, because some servers need an open file.
func (s *Session) Symbols(ctx context.Context, query, file string) ([]Symbol, error) {
	if !can(s.able.WorkspaceSymbol) {
		return nil, s.cannot("search for names")
	}
	if file != "" {
		if _, err := s.sync(file); err != nil {
			return nil, err
		}
	}
	var found []symbol
	if err := s.conn.call(ctx, "workspace/symbol", map[string]any{"query": query}, &found); err != nil {
		return nil, err
	}
	var list []Symbol
	for _, one := range found[:min(len(found), 1000)] {
		if one.Location == nil {
			continue
		}
		if path := pathOf(one.Location.URI); path != "" && s.inRoot(path) {
			list = s.flattened(list, []symbol{one}, path, 0)
		}
	}
	return list, nil
}

var kindNames = strings.Fields("file module namespace package class method property field constructor enum interface function variable constant string number boolean array object key null enum-member struct event operator type-parameter")

func kindName(kind int) string {
	if kind < 1 || kind > len(kindNames) {
		return "symbol"
	}
	return kindNames[kind-1]
}
