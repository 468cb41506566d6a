package coding

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"marvin/tools/internal/matching"
	"marvin/tools/internal/proc"
)

// withRipgrep searches with rg, and looks whether what it found is in the directory.
func (s *search) withRipgrep(ctx context.Context) (note string, err error) {
	note, err = s.ripgrep(ctx)
	if err != nil {
		return "", err
	}
	more := s.found.more
	s.found.more = false
	changed, err := s.verify(ctx)
	s.found.more = more
	return note + changed, err
}

// ripgrep runs rg. Its exit code is 1 for no match and 2 for trouble,
// also if there were matches besides.
func (s *search) ripgrep(ctx context.Context) (note string, err error) {
	result, err := proc.Run(ctx, proc.Command{
		Name: "rg", Args: s.ripgrepArgs(), Dir: s.env.Dir, Environ: s.env.Environ,
		Childless: true, Stdout: &splitter{separator: '\n', each: s.take},
	})
	switch said := strings.TrimSpace(result.Stderr.Text()); {
	case ctx.Err() != nil:
		return "", fmt.Errorf("search: %w", err)
	case s.found.more: // it was ended because there was enough
		return "", nil
	case err != nil:
		return "", fmt.Errorf("search: %w", err)
	case result.ExitCode < 2:
		return "", nil
	case strings.Contains(said, "regex"):
		return "", matching.BadPattern(s.Pattern, said)
	case s.found.count == 0:
		if said = plainly(said); said == "" {
			said = fmt.Sprintf("rg did not say why (exit code %d)", result.ExitCode)
		}
		return "", fmt.Errorf("nothing could be searched: %s", said)
	default:
		return "[not everything could be searched: " + plainly(said) + "]\n", nil
	}
}

// plainly is what rg said without its name in front of each line, and without the numbers of
// the system.
func plainly(said string) string {
	var kept []string
	for line := range strings.SplitSeq(said, "\n") {
		line = strings.TrimPrefix(strings.TrimPrefix(line, "rg: "), "./")
		if at := strings.LastIndex(line, " (os error "); at > 0 && strings.HasSuffix(line, ")") {
			line = line[:at]
		}
		if line != "" {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

func (s *search) ripgrepArgs() []string {
	args := []string{
		"--no-config", // a configuration could name a program to run on each file (--pre)
		"--color=never", "--no-heading", "--with-filename", "--line-number", "--null",
		"--sort=path", "--hidden",
		fmt.Sprintf("--max-columns=%d", lineLimit), "--max-columns-preview",
		fmt.Sprintf("--context=%d", s.ContextLines),
	}
	args = append(args, matching.Small...)
	if s.Multiline {
		args = append(args, "--multiline", "--multiline-dotall")
	}
	switch {
	case s.FileType != "": // and what the glob says is looked at here: for rg the two would add up
		args = append(args, "--type-add=wanted:"+globOfType(s.FileType), "--type=wanted")
	case s.GlobFilter == "*":
		// --glob=* would bring back what git ignores
	case strings.HasPrefix(s.GlobFilter, "!") || strings.Contains(s.GlobFilter, "/"):
		args = append(args, "--glob="+s.GlobFilter)
	default: // so would --glob=*.go; a type does not
		args = append(args, "--type-add=wanted:"+s.GlobFilter, "--type=wanted")
	}
	for _, dir := range []string{".git", ".hg", ".svn", ".tickets", "node_modules", "venv", ".venv", "__pycache__"} {
		args = append(args, "--glob=!"+dir)
	}
	return append(args, "--regexp="+s.Pattern, "--", s.start)
}

// take reads "path NUL number : text" of a match, and "path NUL number - text" of a
// line near one.
func (s *search) take(output []byte) (more bool) {
	path, rest, ok := bytes.Cut(output, []byte{0})
	digits := bytes.IndexAny(rest, ":-")
	if !ok || digits < 0 {
		return true // between blocks, or about a binary file
	}
	number, err := strconv.Atoi(string(rest[:digits]))
	if err != nil {
		return true
	}
	name := strings.TrimPrefix(string(path), "./")
	if s.FileType != "" && name != s.start && !s.wants(name) {
		return true
	}
	return s.found.add(line{
		path: name, number: number,
		match: rest[digits] == ':', text: string(rest[digits+1:]),
	})
}
