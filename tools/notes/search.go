package notes

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"marvin/tools"
	"marvin/tools/internal/box"
)

const (
	searchLimit = 50     // matches shown
	searchDepth = 12     // levels of subdirectories
	searchFiles = 20_000 // files searched
	searchWidth = 200    // maximum number of bytes shown per line
)

type searchArgs struct {
	Query string `json:"query" doc:"Literal text to find; case does not matter" alias:"text,pattern" example:"milk"`
}

func searchTool() tools.Tool {
	return tools.New(tools.Def[searchArgs]{
		Name: "search_notes", Chat: true, Brings: tools.Private,
		Doc:      "Find text in all notes, the user's and the project's. Returns up to 50 matches as \"file:line: text\".",
		Examples: []string{"search my notes for {milk|query}", "which note mentions {the dentist|query}"},
		Run:      search,
	})
}

func search(ctx context.Context, env tools.Env, in searchArgs) (tools.Output, error) {
	if strings.TrimSpace(in.Query) == "" {
		return tools.Output{}, tools.Advise(errors.New("query is empty"), "Give the text to find; notes_ls lists all notes.")
	}
	all, err := openAll(env, "", false)
	if err != nil {
		return tools.Output{}, err
	}
	s := seeker{wanted: fold(in.Query), files: searchFiles, both: len(all) > 1}
	var names []string
	for _, dir := range all {
		defer func() { _ = dir.Close() }()
		names = append(names, dir.name)
		s.dir = dir
		if err := s.walk(ctx, ".", 0); err != nil {
			return tools.Output{}, err
		}
	}
	if len(s.found) == 0 {
		return tools.NoResults(fmt.Sprintf("No note in %s contains %q.", strings.Join(names, " and "), in.Query)), nil
	}
	if s.more {
		s.found = append(s.found, fmt.Sprintf("[only the first %d matches are shown; a longer query finds fewer]", searchLimit))
	}
	return tools.Output{Text: strings.Join(s.found, "\n")}, nil
}

// displayName returns a note's name. If both the user and the project have notes, the name includes
// the notes directory.
func (s *seeker) displayName(name string) string {
	if s.both {
		return s.dir.show(name)
	}
	return s.dir.inverse(name)
}

type seeker struct {
	dir    place
	wanted string
	found  []string
	files  int // counts down from searchFiles to 0
	more   bool
	both   bool // both the user and the project have notes
}

// walk goes through a directory tree in alphabetical order and searches the files. It skips links
// and unreadable entries.
func (s *seeker) walk(ctx context.Context, name string, depth int) error {
	entries, err := s.dir.List(name)
	if err != nil && depth == 0 {
		return err
	}
	for _, entry := range entries {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		path := strings.TrimPrefix(name+"/"+entry.Name(), "./")
		switch {
		case s.more || s.files == 0:
			return nil
		case entry.IsDir() && depth < searchDepth && !box.Skip(entry.Name()):
			if err := s.walk(ctx, path, depth+1); err != nil {
				return err
			}
		case entry.Type().IsRegular():
			s.files--
			s.file(path)
		}
	}
	return nil
}

func (s *seeker) file(path string) {
	content, err := s.dir.load(tools.Env{Seen: &tools.Stamps{}}, path) // a match does not count as reading the note
	if err != nil {
		return
	}
	number := 0
	for line := range strings.Lines(string(content)) {
		number++
		if !strings.Contains(fold(line), s.wanted) {
			continue
		}
		if len(s.found) == searchLimit {
			s.more = true
			return
		}
		s.found = append(s.found, fmt.Sprintf("%s:%d: %s", tools.Visible(s.displayName(path)), number, s.excerpt(strings.TrimSpace(line))))
	}
}

// excerpt shortens a long line to the text near the match.
func (s *seeker) excerpt(line string) string {
	line = strings.ToValidUTF8(line, "�")
	if len(line) <= searchWidth {
		return line
	}
	at := strings.Index(fold(line), s.wanted) // approximate, because fold can change the line's length
	from := min(max(0, at-searchWidth/3), len(line)-searchWidth)
	part := strings.ToValidUTF8(line[from:from+searchWidth], "")
	if from > 0 {
		part = "…" + part
	}
	if from+searchWidth < len(line) {
		part += "…"
	}
	return part
}

// fold normalizes letter case and Unicode form for comparisons.
func fold(text string) string { return strings.ToLower(norm.NFC.String(text)) }
