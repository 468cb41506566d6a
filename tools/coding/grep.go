package coding

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/address"
	"marvin/tools/internal/box"
	"marvin/tools/internal/matching"
	"marvin/tools/internal/proc"
)

// lineLimit is the maximum number of bytes shown from one line. The limit is enough for code, and
// keeps a minified file from filling the result.
const lineLimit = 400

type grepArgs struct {
	Pattern      string `json:"pattern" doc:"Regular expression (RE2), case-sensitive unless it begins with (?i)" sent:"RE2; (?i) ignores case" example:"func main" alias:"query,regex"`
	Path         string `json:"path" doc:"File or directory to search, relative to the working directory. Or an address such as artifact:7" sent:"Or an address: artifact:7" default:"." alias:"dir,directory"`
	GlobFilter   string `json:"glob_filter" doc:"Only files that match: *.go, *.{ts,tsx}, src/**/*.py; !*.md excludes files" sent:"*.{ts,tsx}, src/**/*.py, !*.md" default:"*" alias:"glob,include"`
	ContextLines int    `json:"context_lines" doc:"Lines to show around each match" sent:"" default:"2" min:"0" max:"20" alias:"context"`
	MaxResults   int    `json:"max_results" doc:"Maximum lines or files" sent:"" default:"20" min:"1" max:"200" alias:"limit,head_limit"`
	FileType     string `json:"type,omitempty" doc:"Only files in this language: go, py, ts" sent:"-" alias:"file_type"`
	Show         string `json:"show" doc:"Show matching lines, only file names, or counts" sent:"" enum:"lines,files,counts" default:"lines" alias:"output_mode,mode"`
	Multiline    bool   `json:"multiline" doc:"Let a match span several lines" sent:"" default:"false"`
}

// foldGrep converts the arguments of other agents' search tools to arguments of code_grep. It
// replaces the names of output modes, and turns ignore_case into (?i) in the pattern.
func foldGrep(arguments map[string]any) {
	for _, name := range []string{"output_mode", "mode", "show"} {
		switch arguments[name] {
		case "content":
			arguments[name] = "lines"
		case "files_with_matches", "files_only", "filenames":
			arguments[name] = "files"
		case "count":
			arguments[name] = "counts"
		}
	}
	for _, name := range []string{"ignore_case", "case_insensitive"} {
		if ignores, ok := arguments[name]; ok {
			delete(arguments, name)
			if pattern, isText := arguments["pattern"].(string); isText && fmt.Sprint(ignores) == "true" {
				arguments["pattern"] = "(?i)" + pattern
			}
		}
	}
}

func grepTool() tools.Tool {
	return tools.WithOutline("Search the files of the project for a regular expression. Returns file:line with the surrounding lines. Skips files that git ignores.", tools.New(tools.Def[grepArgs]{
		Name: "code_grep",
		Doc: "Search the files of the project for a regular expression. Returns file:line, the match (marked with >) and the surrounding lines. " +
			"Skips ignored and binary files.",
		Examples: []string{
			"search for {TODO|pattern} in {*.go|glob_filter}", "search for {TODO|pattern}",
			"find {func main|pattern} in the code", "grep {ErrNotFound|pattern} in {src|path}",
		},
		Core: true, Needs: tools.Needs{Coding: true}, Access: tools.Shared, Pool: tools.Proc,
		Fold: foldGrep,
		Run:  grep,
	}))
}

// search is the state of one search by rg or by Go's regexp.
type search struct {
	grepArgs
	env    tools.Env
	dir    *box.Dir
	start  string // the path with links resolved
	list   listing
	found  matches
	binary map[string]bool // matching files that are not shown because they are binary
	long   int             // number of lines that were too long to search
}

func grep(ctx context.Context, env tools.Env, in grepArgs) (tools.Output, error) {
	if in.Pattern == "" {
		return tools.Output{}, errors.New("the pattern is empty")
	}
	if at, ok := address.Parse(in.Path); ok {
		return grepAddress(ctx, env, in, at)
	}
	dir, err := env.Open()
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = dir.Close() }()
	start, info, err := dir.Locate(in.Path)
	if err != nil {
		return tools.Output{}, err
	}
	if info == nil {
		_, err := dir.Open(in.Path) // Open's error suggests existing names
		return tools.Output{}, err
	}
	if err := matching.CheckGlob(in.GlobFilter); err != nil {
		return tools.Output{}, err
	}
	search := newSearch(env, in)
	search.dir, search.start, search.list = dir, start, listing{env: env, dir: dir}
	engine := search.withRipgrep
	if _, err := proc.Find("rg", env.Environ); err != nil {
		engine = search.withRegexp
	}
	note, err := engine(ctx)
	if err != nil {
		return tools.Output{}, err
	}
	note += search.describeLeftOut()
	if search.found.count == 0 {
		note += unsearchedNote(dir, in.Path, info)
		return tools.Output{Text: search.noMatchText() + note, Empty: true}, nil
	}
	return tools.Output{Text: search.found.String() + note}, nil
}

func (s *search) describeLeftOut() string {
	note := s.list.describeLeftOut()
	if count := len(s.binary); count > 0 {
		names := slices.Sorted(maps.Keys(s.binary))
		note += fmt.Sprintf("[not shown: matches in %s (%s)]\n", counted(count, "binary file"), visibleName(strings.Join(names[:min(3, count)], ", ")))
	}
	if s.long > 0 {
		note += fmt.Sprintf("[not searched: %s of more than %d MB]\n", counted(s.long, "line"), longestLine>>20)
	}
	return note
}

func newSearch(env tools.Env, in grepArgs) *search {
	s := &search{binary: map[string]bool{}, grepArgs: in, env: env, found: matches{context: in.ContextLines, limit: in.MaxResults, show: in.Show}}
	if in.Show != "lines" {
		s.ContextLines, s.found.context, s.found.counts = 0, 0, map[string]int{}
	}
	return s
}

func (s *search) noMatchText() string {
	where := "the working directory"
	if s.start != "." {
		where = s.start
	}
	if s.GlobFilter != "*" {
		where += ", files " + s.GlobFilter
	}
	if s.FileType != "" {
		where += ", type " + s.FileType
	}
	return fmt.Sprintf("No matches for %q in %s\n", s.Pattern, visibleName(where))
}

func (s *search) wants(name string) bool {
	return matching.GlobFrom(s.GlobFilter, s.start, name) && (s.FileType == "" || matching.Glob(globOfType(s.FileType), name))
}
