package shell

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"marvin/tools"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/screen"
	"marvin/tools/internal/text"
)

// stream is what is kept of a stream, in whole lines as a terminal would leave them.
type stream struct {
	head, tail  []string
	lines, size int64 // that are missing between the two
	gap         bool
}

// read brings a stream into lines: all of them, or where its middle is missing as many as may
// be shown within limits. The two lines that are broken off count as missing too.
func read(output proc.Output, limits tools.Limits) (s stream) {
	first, last := output.Ends()
	if output.Dropped() == 0 {
		s.head = lines(first)
		return s
	}
	end, begin := bytes.LastIndexByte(first, '\n')+1, bytes.IndexByte(last, '\n')+1
	if end == 0 && begin == 0 { // one line, longer than all that is kept
		const most = 4000
		line := strings.ToValidUTF8(string(first[:min(most, len(first))]), "�")
		s.head = []string{fmt.Sprintf("%s[… %d more bytes on this line]", screen.Clean(line), output.Total-most)}
		return s
	}
	first, last = first[:end], last[begin:] // guard: T5: broken lines at the gap are counted
	head, tail := first[:ahead(first, share(limits, 3))], last[len(last)-behind(last, share(limits, 2)):]
	if draws(first) || draws(last) || !ordinaryText(head) || !ordinaryText(tail) {
		return around(output, first, last, lines)
	}
	return around(output, head, tail, func(content []byte) []string { return split(string(content)) })
}

// around is a stream of which these lines of both ends are read, and what is between them is
// counted. To bring all of the 128 KB that are kept of a long output into lines took as long
// as all else that is done with it: what is beyond any limits is only read where something
// in it draws on other lines.
func around(output proc.Output, head, tail []byte, read func([]byte) []string) (s stream) {
	s.gap, s.size = true, output.Total-int64(len(head)+len(tail))
	s.lines = output.Lines - int64(bytes.Count(head, []byte{'\n'})+bytes.Count(tail, []byte{'\n'}))
	s.head, s.tail = read(head), read(tail)
	return s
}

// ahead is how many bytes the lines have that may fit into limits from the beginning, and one
// line more; behind is the same from the end.
func ahead(content []byte, limits tools.Limits) (size int) {
	for n, room := 0, limits.Bytes; n <= limits.Lines && room >= 0 && size < len(content); n++ {
		line := bytes.IndexByte(content[size:], '\n') + 1
		room -= min(line, limits.LineBytes)
		size += line
	}
	return size
}

func behind(content []byte, limits tools.Limits) (size int) {
	for n, room := 0, limits.Bytes; n <= limits.Lines && room >= 0 && size < len(content); n++ {
		rest := content[:len(content)-size]
		line := len(rest) - (bytes.LastIndexByte(bytes.TrimSuffix(rest, []byte{'\n'}), '\n') + 1)
		room -= min(line, limits.LineBytes)
		size += line
	}
	return size
}

// draws says whether a sequence in content may change what stands on other lines.
func draws(content []byte) bool {
	return bytes.IndexByte(content, 0x1B) >= 0 || bytes.Contains(content, []byte("\u009b"))
}

// ordinaryText says whether content is shown as it is: valid UTF-8 that steers nothing.
func ordinaryText(content []byte) bool { return utf8.Valid(content) && !screen.Steers(content) }

// lines are those of a text, without what steers a terminal and without binary data.
func lines(content []byte) []string {
	return split(screen.Clean(plain(content)))
}

func split(text string) []string {
	text = strings.TrimSuffix(text, "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// plain is valid UTF-8, in which lines of binary data are only counted. A NUL byte alone
// makes no line binary: find -print0 prints some. Where there is much, any does.
func plain(content []byte) string {
	strange := text.Strange(content)
	if strange == 0 {
		return string(content)
	}
	mostly := strange*10 > len(content) && len(content) > 512
	var out strings.Builder
	binary := 0
	for line := range strings.Lines(string(content)) {
		if n := text.Strange([]byte(line)); n > 7 && n*10 > 3*len(line) || mostly && n > 0 {
			binary += len(line)
			continue
		}
		counted(&out, &binary)
		out.WriteString(strings.ToValidUTF8(line, "�"))
	}
	counted(&out, &binary)
	return out.String()
}

func counted(text *strings.Builder, binary *int) {
	if *binary > 0 {
		fmt.Fprintf(text, "[binary data, %d bytes, not shown; to look into it: file, strings, xxd | head]\n", *binary)
	}
	*binary = 0
}

// cut is the text within limits, with the number of lines and bytes that are missing; line
// is the first of them, 0 where none is.
func (s stream) cut(limits tools.Limits) (shown string, line int64) {
	head, tail := s.head, s.tail
	if !s.gap {
		if n := fitting(head, limits); n < len(head) {
			all := head
			head = all[:fitting(all, share(limits, 3))]
			tail = all[len(head):]
		}
	} else {
		n := fitting(head, share(limits, 3))
		s.leave(head[n:])
		head = head[:n]
	}
	if n := fittingEnd(tail, share(limits, 2)); n < len(tail) {
		s.leave(tail[:len(tail)-n])
		tail = tail[len(tail)-n:]
	}
	if s.lines > 0 || s.size > 0 {
		line = int64(len(head)) + 1
	}
	var text strings.Builder
	text.Grow(sizeOf(head, limits) + sizeOf(tail, limits) + 100) // what is left out is said in less
	put := func(lines []string) {
		for _, one := range lines {
			text.WriteString(short(one, limits.LineBytes))
			text.WriteByte('\n')
			if line == 0 && len(one) > limits.LineBytes {
				line = 1
			}
		}
	}
	put(head)
	if s.lines > 0 || s.size > 0 {
		fmt.Fprintf(&text, "[… %d lines (%d bytes) left out …]\n", s.lines, s.size)
	}
	put(tail)
	return text.String(), line
}

// sizeOf is how many bytes lines take within limits, or somewhat less.
func sizeOf(lines []string, limits tools.Limits) (size int) {
	for _, line := range lines {
		size += min(len(line), limits.LineBytes) + 1
	}
	return size
}

// leave counts lines that are not shown.
func (s *stream) leave(lines []string) {
	s.lines += int64(len(lines))
	for _, line := range lines {
		s.size += int64(len(line)) + 1
	}
}

// share is some fifths of limits.
func share(limits tools.Limits, fifths int) tools.Limits {
	limits.Bytes, limits.Lines, limits.Tokens = limits.Bytes*fifths/5, limits.Lines*fifths/5, limits.Tokens*fifths/5
	return limits
}

// fitting is how many lines from the beginning fit into limits, fittingEnd from the end.
func fitting(lines []string, limits tools.Limits) int {
	return fit(len(lines), limits, func(i int) string { return lines[i] })
}

func fittingEnd(lines []string, limits tools.Limits) int {
	return fit(len(lines), limits, func(i int) string { return lines[len(lines)-1-i] })
}

func fit(count int, limits tools.Limits, line func(int) string) int {
	size, quarters := 0, 0 // quarters of tokens, as many as ASCII bytes
	for i := range min(count, limits.Lines) {
		text := short(line(i), limits.LineBytes)
		size += len(text) + 1
		wide := utf8.RuneCountInString(text)
		quarters += len(text) + 1
		if wide != len(text) {
			quarters += 4 * wide
		}
		if size > limits.Bytes || quarters > 4*limits.Tokens {
			return i
		}
	}
	return min(count, limits.Lines)
}

// short is a line of at most so many bytes, and what is said of the rest.
func short(line string, most int) string {
	if len(line) <= most || strings.HasSuffix(line, " more bytes on this line]") {
		return line
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(line[cut]) {
		cut--
	}
	return fmt.Sprintf("%s[… %d more bytes on this line]", line[:cut], len(line)-cut)
}
