package wiki

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"regexp"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/near"
	"marvin/tools/internal/show"
)

const (
	matchLimit = 15
	lineWidth  = 300 // maximum number of characters to display for a matching paragraph
)

func (s Service) fullTool() tools.Tool {
	return tools.New(tools.Def[titleArgs]{
		Name:     "wiki_full",
		Doc:      "Save a whole Wikipedia article to a file that wiki_grep can search. Returns the path, not the text.",
		Examples: []string{"download the wikipedia article {Alan Turing|title}", "save the whole wikipedia article on {Go|title}"},
		Pool:     tools.Net, Service: "en.wikipedia.org",
		Run: s.full,
	})
}

func (s Service) full(ctx context.Context, env tools.Env, in titleArgs) (tools.Output, error) {
	asked, err := in.title()
	if err != nil {
		return tools.Output{}, err
	}
	found, err := s.article(ctx, asked, url.Values{"prop": {"extracts"}})
	if err != nil {
		return tools.Output{}, err
	}
	if strings.TrimSpace(found.Extract) == "" {
		return tools.Output{}, tools.Advise(fmt.Errorf("the article %q has no text", show.Line(found.Title, 250)), "It may be a list or a redirect to another wiki; try wiki_summary.")
	}
	dir, err := openShelf(env, true)
	if err != nil {
		return tools.Output{}, err
	}
	defer dir.Close()
	path, err := dir.save(found.Title, asked, found.Extract)
	if err != nil {
		return tools.Output{}, err
	}
	text := fmt.Sprintf("Saved %q (%s words) to %s", show.Line(found.Title, 250), show.Count(len(strings.Fields(found.Extract))), path)
	if !strings.EqualFold(found.Title, asked) {
		text += fmt.Sprintf("\n%q redirects to it.", asked)
	}
	return tools.Output{Text: text + "\nSearch it with wiki_grep. It begins:\n\n" + show.Line(found.Extract, 300)}, nil
}

type grepArgs struct {
	Title   string `json:"title" doc:"Title of a saved article; the default is all saved articles" default:"" alias:"page,article"`
	Pattern string `json:"pattern" doc:"Regular expression or text; ignores case" alias:"query,regex" example:"Bletchley"`
}

func grepTool() tools.Tool {
	return tools.New(tools.Def[grepArgs]{
		Name: "wiki_grep", Brings: tools.Strangers,
		Doc: "Search Wikipedia articles that wiki_full saved. Shows each match with one line before and after it.",
		Examples: []string{
			"find {Bletchley|pattern} in the saved wikipedia article {Alan Turing|title}",
			"search my saved wikipedia articles for {Enigma|pattern}",
		},
		Run: grep,
	})
}

func grep(ctx context.Context, env tools.Env, in grepArgs) (tools.Output, error) {
	pattern, note, err := compile(in.Pattern)
	if err != nil {
		return tools.Output{}, err
	}
	dir, err := openShelf(env, false)
	if errors.Is(err, fs.ErrNotExist) {
		return tools.Output{}, tools.Advise(errors.New("no article is saved yet"), "Save one with wiki_full.")
	}
	if err != nil {
		return tools.Output{}, err
	}
	defer dir.Close()
	names, err := dir.titles(false)
	if err != nil {
		return tools.Output{}, err
	}
	wanted := names
	if strings.TrimSpace(in.Title) != "" {
		title, err := titleArgs{Title: in.Title}.title()
		if err != nil {
			return tools.Output{}, err
		}
		wanted = []string{title}
	}
	var found matches
	for _, name := range wanted {
		if ctx.Err() != nil {
			return tools.Output{}, context.Cause(ctx)
		}
		text, err := dir.read(name)
		if errors.Is(err, fs.ErrNotExist) {
			return tools.Output{}, notSaved(name, names)
		}
		if err != nil {
			return tools.Output{}, fmt.Errorf("read the article %q: %w", name, err)
		}
		found.search(name, text, pattern)
	}
	if found.count == 0 {
		return tools.NoResults(fmt.Sprintf("No line with %q in %d saved articles.%s", in.Pattern, len(wanted), note)), nil
	}
	return tools.Output{Text: found.String() + note}, nil
}

func notSaved(title string, names []string) error {
	next := "Save it with wiki_full."
	if close := near.Similar(fileName(title), names, 3); len(close) > 0 {
		next += " Saved are: " + strings.Join(close, ", ")
	}
	return tools.Advise(fmt.Errorf("the article %q is not saved", title), "%s", next)
}

// compile returns a pattern that ignores case. If the text is not a regular expression, the pattern
// matches the text literally, and the note reports this.
func compile(text string) (pattern *regexp.Regexp, note string, err error) {
	if strings.TrimSpace(text) == "" {
		return nil, "", tools.Advise(errors.New("the pattern is empty"), "Say what to find.")
	}
	pattern, err = regexp.Compile("(?i)" + text)
	if err != nil {
		return regexp.MustCompile("(?i)" + regexp.QuoteMeta(text)), "\n[the pattern is not a regular expression, so Marvin searched for it literally]", nil
	}
	return pattern, "", nil
}

// matches is the result of a search: the text of the first matchLimit hits and the number of all
// hits.
type matches struct {
	blocks []string
	count  int
}

func (m *matches) search(title, text string, pattern *regexp.Regexp) {
	var lines []string // without the empty lines between paragraphs
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	for i, line := range lines {
		at := pattern.FindStringIndex(line)
		if at == nil {
			continue
		}
		if m.count++; m.count > matchLimit {
			continue
		}
		block := []string{fmt.Sprintf("%s:%d", tools.Visible(title), i+1)}
		if i > 0 {
			block = append(block, "  "+show.Line(lines[i-1], lineWidth/2))
		}
		block = append(block, "> "+excerpt(line, at[0]))
		if i+1 < len(lines) {
			block = append(block, "  "+show.Line(lines[i+1], lineWidth/2))
		}
		m.blocks = append(m.blocks, strings.Join(block, "\n"))
	}
}

// excerpt shortens a long paragraph to the text near a match.
func excerpt(line string, at int) string {
	from := max(0, at-lineWidth/3)
	if from == 0 {
		return show.Line(line, lineWidth)
	}
	return "…" + show.Line(strings.ToValidUTF8(line[from:], ""), lineWidth)
}

func (m *matches) String() string {
	text := strings.Join(m.blocks, "\n\n")
	if more := m.count - len(m.blocks); more > 0 {
		text += fmt.Sprintf("\n\n… and %d more", more)
	}
	return text
}
