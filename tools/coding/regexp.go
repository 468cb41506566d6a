package coding

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strings"

	"marvin/tools/internal/box"
	"marvin/tools/internal/matching"
)

// longestLine is how much of a line is searched where there is no ripgrep.
const longestLine = 64 << 10

// withRegexp searches with Go's regexp, file by file.
func (s *search) withRegexp(ctx context.Context) (note string, err error) {
	pattern, err := s.compile()
	if err != nil {
		return "", err
	}
	err = s.files(ctx, func(name string) error {
		if (name == s.start || s.wants(name)) && !s.file(name, pattern) {
			return errEnough
		}
		return ctx.Err()
	})
	if ctx.Err() != nil {
		err = fmt.Errorf("search: %w", context.Cause(ctx))
	}
	if errors.Is(err, errEnough) {
		err = nil
	}
	return "", err
}

func (s *search) compile() (*regexp.Regexp, error) {
	if strings.ContainsAny(s.Pattern, "\n") && !s.Multiline {
		return nil, matching.BadPattern(s.Pattern, "it contains a line break, and lines are searched one by one")
	}
	flags := ""
	if s.Multiline {
		flags = "(?ms)"
	}
	pattern, err := regexp.Compile(flags + s.Pattern)
	if err != nil {
		return nil, matching.BadPattern(s.Pattern, err.Error())
	}
	return pattern, nil
}

// files visits what is searched: one file, what git knows of, or everything.
func (s *search) files(ctx context.Context, visit func(name string) error) error {
	_, info, err := s.dir.Locate(s.start)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return visit(s.start)
	}
	names, ok, err := gitFiles(ctx, s.env, s.start)
	if err != nil {
		return err
	}
	if !ok || len(names) == 0 { // none: all of it is ignored, and yet it was named
		return walk(ctx, s.dir, s.start, func(name string, entry fs.DirEntry) error {
			switch {
			case entry.Type().IsRegular():
				return visit(name)
			case box.Skip(entry.Name()):
				return fs.SkipDir
			}
			return nil
		})
	}
	for _, name := range names {
		if skipped(s.start, name) {
			continue
		}
		if err := visit(name); err != nil {
			return err
		}
	}
	return nil
}

// file searches one file. What cannot be read, is binary, or a link is passed over.
func (s *search) file(name string, pattern *regexp.Regexp) (more bool) {
	at, info, err := s.dir.Locate(name)
	if err != nil || at != name || info == nil || !info.Mode().IsRegular() {
		return true
	}
	file, err := s.dir.Open(name)
	if err != nil {
		return true
	}
	defer func() { _ = file.Close() }()
	return s.text(name, file, pattern)
}

// text searches one text. What is binary is passed over.
func (s *search) text(name string, from io.Reader, pattern *regexp.Regexp) (more bool) {
	reader := bufio.NewReaderSize(from, longestLine)
	if beginning, _ := reader.Peek(8 << 10); bytes.IndexByte(beginning, 0) >= 0 {
		return true
	}
	matches := func(_ int, text []byte) bool { return pattern.Match(text) }
	if s.Multiline {
		content, err := io.ReadAll(io.LimitReader(reader, mostMultiline))
		if err != nil {
			return true
		}
		matched := matchedLines(content, pattern)
		matches = func(number int, _ []byte) bool { return matched[number] }
		reader = bufio.NewReaderSize(bytes.NewReader(content), longestLine)
	}
	return s.gather(name, reader, matches)
}

// mostMultiline is how much of a file is searched for matches over line ends.
const mostMultiline = 8 << 20

// matchedLines are the numbers of the lines that matches lie on.
func matchedLines(content []byte, pattern *regexp.Regexp) map[int]bool {
	lines := map[int]bool{}
	number, counted := 1, 0
	for _, at := range pattern.FindAllIndex(content, -1) {
		number += bytes.Count(content[counted:at[0]], []byte{'\n'})
		counted = at[0]
		last := number + bytes.Count(content[at[0]:max(at[0], at[1]-1)], []byte{'\n'})
		for line := number; line <= last; line++ {
			lines[line] = true
		}
	}
	return lines
}

// gather takes the lines of a file that match, and those around.
func (s *search) gather(name string, reader *bufio.Reader, matches func(number int, text []byte) bool) (more bool) {
	var before []line // at most as many as the context
	after := 0        // how many lines the last match still wants
	for number := 1; ; number++ {
		text, ok := readLine(reader)
		if !ok {
			return true
		}
		this := line{path: name, number: number, match: matches(number, text), text: string(text[:min(len(text), lineLimit+1)])}
		switch {
		case this.match:
			for _, earlier := range append(before, this) {
				if !s.found.add(earlier) {
					return false
				}
			}
			before, after = nil, s.ContextLines
		case after > 0:
			s.found.add(this)
			after--
		case s.ContextLines > 0:
			before = append(before[max(0, len(before)-s.ContextLines+1):], this)
		}
	}
}

// readLine returns the next line, or its beginning if it is very long.
func readLine(reader *bufio.Reader) (text []byte, ok bool) {
	text, rest, err := reader.ReadLine()
	if err != nil {
		return nil, false
	}
	if rest {
		text = bytes.Clone(text)
		for rest && err == nil {
			_, rest, err = reader.ReadLine()
		}
	}
	return text, true
}
