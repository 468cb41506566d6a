package github

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/internal/matching"
	"marvin/tools/internal/proc"
)

const (
	lineLimit = 300      // how many bytes of a line are shown
	scanLimit = 64 << 10 // maximum bytes searched per line if ripgrep is missing
)

type grepArgs struct {
	Repo       string `json:"repo" doc:"owner/name, already cloned" alias:"repository" example:"golang/example"`
	Pattern    string `json:"pattern" doc:"Regular expression" alias:"query,regex" example:"func main"`
	Path       string `json:"path" doc:"Only this file or directory" default:"" alias:"dir"`
	Glob       string `json:"glob_filter" doc:"Only files that match, for example *.go" default:"" alias:"glob,include"`
	MaxResults int    `json:"max_results" doc:"Maximum number of lines" default:"30" min:"1" max:"100" alias:"limit"`
}

func grepTool() tools.Tool {
	return tools.New(tools.Def[grepArgs]{
		Name: "github_grep", Brings: tools.Strangers,
		Doc:      "Search the files of a repository that github_clone cloned. Returns file:line:text.",
		Examples: []string{"search for {func main|pattern} in the cloned repository {golang/example|repo}", "grep {TODO|pattern} in the github clone {golang/example|repo}"},
		Pool:     tools.Proc,
		Run:      grep,
	})
}

// errEnough ends a search that has found the maximum number of lines.
var errEnough = errors.New("enough")

// search collects matching lines from all files, up to the limit.
type search struct {
	grepArgs
	dir   *box.Dir
	start string // the path with links resolved
	lines []string
	more  bool
	rest  []byte // an unfinished line of rg's output
}

func grep(ctx context.Context, env tools.Env, in grepArgs) (tools.Output, error) {
	if in.Pattern == "" {
		return tools.Output{}, tools.Advise(errors.New("the pattern is empty"), "Say what to find.")
	}
	if err := matching.CheckGlob(in.Glob); err != nil {
		return tools.Output{}, err
	}
	dir, repo, err := openClone(env, in.Repo)
	if err != nil {
		return tools.Output{}, err
	}
	defer func() { _ = dir.Close() }()
	name := boxPath(in.Path)
	start, info, err := dir.Locate(name)
	if err != nil {
		return tools.Output{}, err
	}
	if info == nil {
		_, err := dir.Open(name) // Open's error suggests existing names
		return tools.Output{}, err
	}
	s := &search{grepArgs: in, dir: dir, start: start}
	if err = s.withRipgrep(ctx, env); errors.Is(err, proc.ErrNotFound) {
		err = s.withRegexp(ctx, info.IsDir())
	}
	if err != nil {
		return tools.Output{}, err
	}
	if len(s.lines) == 0 {
		return tools.NoResults(fmt.Sprintf("No matches for %q in %s\n", in.Pattern, repo)), nil
	}
	text := strings.Join(s.lines, "\n") + "\n"
	if s.more {
		text += fmt.Sprintf("[the first %d; there are more: narrow the pattern, path or glob_filter, or raise max_results]\n", len(s.lines))
	}
	return tools.Output{Text: text}, nil
}

// add puts a line into s.lines. At the limit, add sets s.more and returns false.
func (s *search) add(name string, number, text string) bool {
	if len(s.lines) == s.MaxResults {
		s.more = true
		return false
	}
	text = strings.TrimRight(text, "\r\n")
	if len(text) > lineLimit {
		text = strings.ToValidUTF8(text[:lineLimit], "") + " [… long line]"
	}
	s.lines = append(s.lines, tools.Visible(strings.ReplaceAll(name, "\n", `\n`)+":"+number+":"+strings.TrimSpace(text)))
	return true
}

// withRipgrep searches with rg. It does not use rg's own limit (-m), which applies per file.
func (s *search) withRipgrep(ctx context.Context, env tools.Env) error {
	args := []string{
		"--no-config", "--color=never", "--no-heading", "--with-filename", "--line-number", "--null", "--sort=path",
		"--hidden", "--no-ignore", // a clone contains only files of its repository
		fmt.Sprintf("--max-columns=%d", 4*lineLimit), "--max-columns-preview",
	}
	args = append(args, matching.MemoryLimits...)
	if s.Glob != "" {
		args = append(args, "--glob="+matching.Valid(s.Glob))
	}
	args = append(args, "--glob=!.git", "--regexp="+s.Pattern, "--", s.start)
	result, err := proc.Run(ctx, proc.Command{Name: "rg", Args: args, Dir: s.dir.Path(), Environ: env.Environ, Childless: true, Stdout: s})
	switch said := strings.TrimSpace(result.Stderr.Text()); {
	case s.more: // rg was stopped at the limit
		return nil
	case err != nil:
		return fmt.Errorf("search: %w", err)
	case result.ExitCode < 2:
		return nil
	case strings.Contains(said, "regex"):
		return matching.BadPattern(s.Pattern, said)
	case len(s.lines) == 0:
		return fmt.Errorf("search: rg failed (exit code %d): %s", result.ExitCode, said)
	}
	return nil
}

// Write parses rg's output, whose lines have the form "path\x00number:text".
func (s *search) Write(output []byte) (int, error) {
	s.rest = append(s.rest, output...)
	for {
		line, rest, ok := bytes.Cut(s.rest, []byte{'\n'})
		if !ok {
			return len(output), nil
		}
		name, found, _ := bytes.Cut(line, []byte{0})
		number, text, ok := bytes.Cut(found, []byte{':'})
		if ok && !s.add(strings.TrimPrefix(string(name), "./"), string(number), string(text)) {
			return 0, errEnough
		}
		s.rest = rest
	}
}

// withRegexp searches with Go's regexp, on computers that have no ripgrep.
func (s *search) withRegexp(ctx context.Context, isDir bool) error {
	pattern, err := regexp.Compile(s.Pattern)
	if err != nil {
		return matching.BadPattern(s.Pattern, err.Error())
	}
	if isDir {
		err = s.walk(ctx, s.start, pattern)
	} else {
		err = s.file(s.start, pattern)
	}
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// walk visits the files of a directory tree in alphabetical order. It ignores links.
func (s *search) walk(ctx context.Context, at string, pattern *regexp.Regexp) error {
	entries, err := s.dir.List(at)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		name := path.Join(at, entry.Name())
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("search: %w", context.Cause(ctx))
		case entry.IsDir() && entry.Name() != ".git":
			err = s.walk(ctx, name, pattern)
		case entry.Type().IsRegular() && (s.Glob == "" || matching.Glob(s.Glob, name)):
			err = s.file(name, pattern)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *search) file(name string, pattern *regexp.Regexp) error {
	file, err := s.dir.Open(name)
	if err != nil {
		return nil // skip unreadable files, as rg does
	}
	defer func() { _ = file.Close() }()
	reader := bufio.NewReaderSize(file, scanLimit)
	if beginning, _ := reader.Peek(8 << 10); bytes.IndexByte(beginning, 0) >= 0 {
		return nil
	}
	for number := 1; ; number++ {
		line, long, err := reader.ReadLine()
		if err != nil {
			return nil // the end of the file
		}
		if pattern.Match(line) && !s.add(name, fmt.Sprint(number), string(line)) {
			return errEnough
		}
		for long && err == nil {
			_, long, err = reader.ReadLine()
		}
	}
}
