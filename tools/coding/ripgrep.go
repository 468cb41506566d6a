package coding

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"marvin/tools/internal/matching"
	"marvin/tools/internal/proc"
)

// withRipgrep searches with rg, and checks that the files with matching lines are inside the
// directory.
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

// mostFiles limits the number of files in one rg command, and mostNames limits the total length of
// their names. The kernel limits the size of a command line.
const (
	mostFiles = 5_000
	mostNames = 256 << 10
)

// ripgrep invokes rg on the files of the project, in batches.
func (s *search) ripgrep(ctx context.Context) (note string, err error) {
	var batch []string
	size := 0
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		said, err := s.run(ctx, batch)
		note, batch, size = note+said, nil, 0
		if err == nil && s.found.more {
			return errEnough
		}
		return err
	}
	err = s.eachFile(ctx, func(name string) error {
		if name != s.start && !s.wants(name) || !s.isFile(name) {
			return ctx.Err()
		}
		batch, size = append(batch, name), size+len(name)+1
		if len(batch) >= mostFiles || size >= mostNames {
			return flush()
		}
		return ctx.Err()
	})
	if err == nil {
		err = flush()
	}
	switch {
	case errors.Is(err, errEnough):
		return note, nil
	case ctx.Err() != nil:
		return "", fmt.Errorf("search: %w", context.Cause(ctx))
	}
	return note, err
}

// run invokes rg on the given files. The exit code of rg is 1 if nothing matches, and 2 after an
// error, even if there are matches.
func (s *search) run(ctx context.Context, files []string) (note string, err error) {
	result, err := proc.Run(ctx, proc.Command{
		Name: "rg", Args: append(s.ripgrepArgs(), files...), Dir: s.env.Dir, Environ: s.env.Environ,
		Childless: true, Stdout: &splitter{separator: '\n', each: s.takeLine},
	})
	switch said := strings.TrimSpace(result.Stderr.Text()); {
	case ctx.Err() != nil:
		return "", fmt.Errorf("search: %w", err)
	case s.found.more: // rg was stopped at the limit
		return "", nil
	case err != nil:
		return "", fmt.Errorf("search: %w", err)
	case result.ExitCode < 2:
		return "", nil
	case strings.Contains(said, "regex"):
		return "", matching.BadPattern(s.Pattern, said)
	case s.found.count == 0:
		if said = plainMessage(said); said == "" {
			said = fmt.Sprintf("rg did not say why (exit code %d)", result.ExitCode)
		}
		return "", fmt.Errorf("nothing could be searched: %s", said)
	default:
		return "[not everything could be searched: " + plainMessage(said) + "]\n", nil
	}
}

// plainMessage removes the prefix "rg: " and system error numbers from rg's messages.
func plainMessage(said string) string {
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
		"--no-config", // a configuration file could set --pre, which runs a program on each file
		"--color=never", "--no-heading", "--with-filename", "--line-number", "--null",
		"--sort=path", "--no-ignore", "--crlf",
		"--no-mmap", // otherwise rg needs 2 GB of memory for a 2 GB file
		fmt.Sprintf("--max-columns=%d", lineLimit), "--max-columns-preview",
		fmt.Sprintf("--context=%d", s.ContextLines),
	}
	args = append(args, matching.MemoryLimits...)
	if s.Multiline {
		args = append(args, "--multiline", "--multiline-dotall")
	}
	return append(args, "--regexp="+s.Pattern, "--")
}

// takeLine parses one line of rg's output: path, NUL, line number, mark and text. The mark is ":"
// for a match and "-" for a context line.
func (s *search) takeLine(output []byte) (more bool) {
	path, rest, ok := bytes.Cut(output, []byte{0})
	digits := bytes.IndexAny(rest, ":-")
	if !ok || digits < 0 {
		if name, _, binary := bytes.Cut(output, []byte(": binary file matches")); binary {
			s.binary[string(name)] = true
		}
		return true // separator between blocks
	}
	number, err := strconv.Atoi(string(rest[:digits]))
	if err != nil {
		return true
	}
	return s.found.add(line{
		path: string(path), number: number,
		match: rest[digits] == ':', text: string(rest[digits+1:]),
	})
}
