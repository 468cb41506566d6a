package coding

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"marvin/tools/internal/matching"
)

// longestLine is the maximum length in bytes of a line that is searched without ripgrep.
const longestLine = 16 << 20

// withRegexp searches with Go's regexp, file by file.
func (s *search) withRegexp(ctx context.Context) (note string, err error) {
	pattern, err := s.compile()
	if err != nil {
		return "", err
	}
	err = s.eachFile(ctx, func(name string) error {
		if (name == s.start || s.wants(name)) && !s.searchFile(name, pattern) {
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
		return nil, matching.BadPattern(s.Pattern, "it contains a line break, but each line is searched separately; for matches over several lines, set \"multiline\": true")
	}
	flags := ""
	if s.Multiline {
		flags = "(?ms)"
	}
	pattern, err := regexp.Compile(flags + unicodeClasses(s.Pattern))
	if err != nil {
		return nil, matching.BadPattern(s.Pattern, err.Error())
	}
	return pattern, nil
}

// unicodeClasses gives the classes \d, \w and \s the meaning that they have in ripgrep.
func unicodeClasses(pattern string) string {
	classes := map[byte]string{'d': `\p{Nd}`, 'w': `\p{L}\p{M}\p{Nd}_`, 's': `\s\x{85}\p{Z}`}
	var out strings.Builder
	inside := 0 // 1 inside brackets, otherwise 0
	for i := 0; i < len(pattern); i++ {
		char := pattern[i]
		switch {
		case char == '\\' && i+1 < len(pattern):
			i++
			next := pattern[i]
			class, lower := classes[next|0x20], next >= 'a'
			switch {
			case class == "" || inside > 0 && !lower, next|0x20 == 'q': // everything after \Q stays unchanged
				out.WriteString(pattern[i-1 : i+1])
				if next == 'Q' {
					out.WriteString(pattern[i+1:])
					return out.String()
				}
			case inside > 0:
				out.WriteString(class)
			case lower:
				out.WriteString("[" + class + "]")
			default:
				out.WriteString("[^" + class + "]")
			}
			continue
		case char == '[' && inside == 0:
			inside = 1
			if strings.HasPrefix(pattern[i+1:], "^]") {
				out.WriteString("[^]")
				i += 2
				continue
			}
			if strings.HasPrefix(pattern[i+1:], "]") {
				out.WriteString("[]")
				i++
				continue
			}
		case char == ']':
			inside = 0
		case char == '[' && strings.HasPrefix(pattern[i:], "[:"): // a class such as [:alpha:]
			if end := strings.Index(pattern[i:], ":]"); end > 0 {
				out.WriteString(pattern[i : i+end+2])
				i += end + 1
				continue
			}
		}
		out.WriteByte(char)
	}
	return out.String()
}

// eachFile calls visit for the file at s.start or, if s.start is a directory, for the files below
// it, sorted by name.
func (s *search) eachFile(ctx context.Context, visit func(name string) error) error {
	_, info, err := s.dir.Locate(s.start)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return visit(s.start)
	}
	names, err := s.list.sorted(ctx, s.start)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := visit(name); err != nil {
			return err
		}
	}
	return nil
}

// isFile reports whether name is a regular file, not a link to one.
func (s *search) isFile(name string) bool {
	at, info, err := s.dir.Locate(name)
	return err == nil && at == name && info != nil && info.Mode().IsRegular()
}

// searchFile searches one file. It skips links, special files and unreadable files.
func (s *search) searchFile(name string, pattern *regexp.Regexp) (more bool) {
	if !s.isFile(name) {
		return true
	}
	file, err := s.dir.Open(name)
	if err != nil {
		return true
	}
	defer func() { _ = file.Close() }()
	return s.text(name, decoded(file), pattern)
}

// text determines the matching lines of a file. For a binary file that matches, it records only the
// file's name.
func (s *search) text(name string, from io.Reader, pattern *regexp.Regexp) (more bool) {
	reader := bufio.NewReaderSize(from, 64<<10)
	if isBinary(reader) {
		if s.Multiline && pattern.MatchReader(reader) || !s.Multiline && binaryMatch(reader, pattern) {
			s.binary[name] = true
		}
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
		reader = bufio.NewReaderSize(bytes.NewReader(content), 64<<10)
	}
	return s.gather(name, reader, matches)
}

// binaryMatch reports whether any line of a binary file matches. As in ripgrep, a line ends at a
// newline or a NUL byte.
func binaryMatch(reader *bufio.Reader, pattern *regexp.Regexp) bool {
	lines := bufio.NewScanner(reader)
	lines.Buffer(nil, longestLine)
	lines.Split(func(data []byte, last bool) (int, []byte, error) {
		if end := bytes.IndexAny(data, "\n\x00"); end >= 0 {
			return end + 1, bytes.TrimSuffix(data[:end], []byte{'\r'}), nil
		}
		if last && len(data) > 0 || len(data) >= longestLine {
			return len(data), data, nil
		}
		return 0, nil, nil
	})
	for lines.Scan() {
		if pattern.Match(lines.Bytes()) {
			return true
		}
	}
	return false
}

// mostMultiline is the maximum number of bytes that a multiline search reads from a file.
const mostMultiline = 8 << 20

// matchedLines returns the line numbers of all matches. A match can span several lines.
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

// gather collects the matching lines of a file, and their context.
func (s *search) gather(name string, reader *bufio.Reader, matches func(number int, text []byte) bool) (more bool) {
	var before []line // the lines before the current one, at most ContextLines
	after := 0        // number of lines to add as context of the previous match
	for number := 1; ; number++ {
		text, whole, ok := readLine(reader)
		if !ok {
			return true
		}
		if !whole {
			s.long++
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

// isBinary reports whether the first 8 KiB contain a NUL byte. Git uses a similar test.
func isBinary(reader *bufio.Reader) bool {
	beginning, _ := reader.Peek(8 << 10)
	return bytes.IndexByte(beginning, 0) >= 0
}

// readLine returns the next line without its line ending. The line is valid until the next call. If
// a line is longer than [longestLine], readLine returns only its beginning.
func readLine(reader *bufio.Reader) (text []byte, whole, ok bool) {
	text, rest, err := reader.ReadLine()
	if err != nil {
		return nil, false, false
	}
	if rest {
		text = bytes.Clone(text)
	}
	for rest && err == nil {
		var more []byte
		if more, rest, err = reader.ReadLine(); len(text) < longestLine {
			text = append(text, more...)
		}
	}
	return text, len(text) < longestLine, true
}
