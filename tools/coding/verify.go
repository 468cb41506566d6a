package coding

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// verify compares the output of rg with the files, and drops lines that are not in the files. This
// is necessary because rg opens files by path, so a directory that becomes a link during the search
// could lead rg out of the working directory. The note says how many matches were dropped.
func (s *search) verify(ctx context.Context) (note string, err error) {
	all, gone := s.found.lines, 0
	s.found.lines, s.found.count = nil, 0
	for begin := 0; begin < len(all); {
		end := begin + 1
		for end < len(all) && all[end].path == all[begin].path {
			end++
		}
		texts, err := s.texts(ctx, all[begin:end])
		if err != nil {
			return "", err
		}
		for _, line := range all[begin:end] {
			if text, ok := texts[line.number]; ok && sameLine(line.text, text) {
				s.found.addVerified(line.withText(text))
			} else if line.match && !s.binary[line.path] {
				gone++
			}
		}
		begin = end
	}
	if gone > 0 {
		return fmt.Sprintf("[%d matches are left out, because their files changed during the search]\n", gone), nil
	}
	return "", nil
}

func (l line) withText(text string) line {
	l.text = text
	return l
}

// sameLine reports whether rg's output agrees with a line of the file. rg cuts a long line at a
// character boundary, so sameLine compares only the beginning of a long line.
func sameLine(shown, text string) bool {
	if len(text) <= lineLimit {
		return shown == shownLine(text)
	}
	const sure = lineLimit - 16
	return len(shown) > sure && strings.HasPrefix(strings.ToValidUTF8(text, "�"), shown[:sure])
}

// texts returns the text of the given lines, keyed by line number. It returns at most lineLimit+1
// bytes of each line. All lines belong to one file. The map is nil if the file is binary, missing
// or outside the working directory.
func (s *search) texts(ctx context.Context, lines []line) (map[int]string, error) {
	file, err := s.dir.Open(lines[0].path)
	if err != nil {
		return nil, nil //nolint:nilerr,nilnil // verify then drops the given lines
	}
	defer func() { _ = file.Close() }()
	texts, reader := make(map[int]string, len(lines)), bufio.NewReaderSize(decoded(file), 64<<10)
	if isBinary(reader) {
		s.binary[lines[0].path] = true
		return nil, nil //nolint:nilnil // none of the lines is shown
	}
	for number := 1; len(lines) > 0; number++ {
		text, _, ok := readLine(reader)
		if !ok {
			break
		}
		if number == lines[0].number {
			texts[number], lines = string(text[:min(len(text), lineLimit+1)]), lines[1:]
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("search: %w", context.Cause(ctx))
		}
	}
	return texts, nil
}

// decoded returns a reader that removes a byte order mark, as rg does. If the mark indicates
// UTF-16, the reader converts the file to UTF-8.
func decoded(file io.Reader) io.Reader {
	return transform.NewReader(file, unicode.BOMOverride(encoding.Nop.NewDecoder()))
}
