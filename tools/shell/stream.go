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

// stream is the stored part of an output stream. The lines are complete, end with a newline, and
// look as they would on a terminal.
type stream struct {
	head, tail  string
	lines, size int64 // how many lines and bytes are missing between head and tail
	gap         bool
}

// read returns the complete lines of a stream. If the middle is missing, the result contains lines
// from both ends. If the text is ordinary, read omits the lines that exceed the limits, except the
// first one at each end. The two lines that the gap interrupts also count as missing.
func read(output proc.Output, limits tools.Limits) (s stream) {
	first, last := output.HeadAndTail()
	if output.Dropped() == 0 {
		s.head = lines(first)
		return s
	}
	end, begin := bytes.LastIndexByte(first, '\n')+1, bytes.IndexByte(last, '\n')+1
	if end == 0 && begin == 0 { // without newlines, the output counts as one line
		const most = 4000
		line := strings.ToValidUTF8(string(first[:min(most, len(first))]), "�")
		s.head = fmt.Sprintf("%s[… %d more bytes on this line]\n", screen.Clean(line), output.Total-most)
		return s
	}
	first, last = first[:end], last[begin:]
	head, tail := first[:headSize(first, share(limits, 3))], last[len(last)-tailSize(last, share(limits, 2)):]
	if output.ChangesLines() || !ordinaryText(head) || !ordinaryText(tail) {
		return streamWithGap(output, first, last, lines)
	}
	return streamWithGap(output, head, tail, func(content []byte) string { return wholeLines(string(content)) })
}

// streamWithGap returns the first and last lines of a stream, and counts the lines between them. If
// the text is ordinary, head and tail contain only the lines to show: splitting the stored 128 KB
// would take twice as long.
func streamWithGap(output proc.Output, head, tail []byte, read func([]byte) string) (s stream) {
	s.gap, s.size = true, output.Total-int64(len(head)+len(tail))
	s.lines = output.Lines - int64(bytes.Count(head, []byte{'\n'})+bytes.Count(tail, []byte{'\n'}))
	s.head, s.tail = read(head), read(tail)
	return s
}

// headSize returns the size of the leading lines, up to and including the first line that exceeds
// the limits. tailSize measures trailing lines instead.
func headSize(content []byte, limits tools.Limits) (size int) {
	for n, room := 0, limits.Bytes; n <= limits.Lines && room >= 0 && size < len(content); n++ {
		line := bytes.IndexByte(content[size:], '\n') + 1
		room -= min(line, limits.LineBytes)
		size += line
	}
	return size
}

func tailSize(content []byte, limits tools.Limits) (size int) {
	for n, room := 0, limits.Bytes; n <= limits.Lines && room >= 0 && size < len(content); n++ {
		rest := content[:len(content)-size]
		line := len(rest) - (bytes.LastIndexByte(bytes.TrimSuffix(rest, []byte{'\n'}), '\n') + 1)
		room -= min(line, limits.LineBytes)
		size += line
	}
	return size
}

// ordinaryText reports whether content is valid UTF-8 without control sequences. Such content can
// be shown unchanged.
func ordinaryText(content []byte) bool { return utf8.Valid(content) && !screen.HasControls(content) }

// lines renders content as a terminal would. It replaces binary data with the number of bytes.
func lines(content []byte) string { return wholeLines(screen.Clean(plain(content))) }

// wholeLines adds a missing newline at the end of the text. It returns "" for a single empty line.
func wholeLines(text string) string {
	switch {
	case text == "\n":
		return ""
	case text == "" || strings.HasSuffix(text, "\n"):
		return text
	}
	return text + "\n"
}

// plain converts content to valid UTF-8, and replaces binary lines with their total size. A few NUL
// bytes do not make a line binary, because "find -print0" prints NUL after each name. In content of
// more than 512 bytes, of which more than a tenth are binary, one binary byte makes a line binary.
func plain(content []byte) string {
	strange := text.CountStrange(content)
	if strange == 0 {
		return string(content)
	}
	mostly := strange*10 > len(content) && len(content) > 512
	var out strings.Builder
	binary := 0
	for line := range strings.Lines(string(content)) {
		if n := text.CountStrange([]byte(line)); n > 7 && n*10 > 3*len(line) || mostly && n > 0 {
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
		fmt.Fprintf(text, "[binary data, %d bytes, not shown; to look into it, use \"file\", \"strings\" or \"xxd | head\"]\n", *binary)
	}
	*binary = 0
}

// cut applies the limits to the stream, and notes what is missing. The second result is the number
// of the first omitted line. It is 1 if lines were only shortened, and 0 if nothing is missing.
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
		line = int64(strings.Count(head, "\n")) + 1
	}
	var text strings.Builder
	text.Grow(min(len(head)+len(tail), limits.Bytes) + 200) // 200 bytes for the note about the omitted lines
	put := func(whole string) {
		for one := range strings.Lines(whole) {
			if len(one) <= limits.LineBytes {
				text.WriteString(one)
				continue
			}
			one = strings.TrimSuffix(one, "\n")
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

func (s *stream) leave(lines string) {
	s.lines += int64(strings.Count(lines, "\n"))
	s.size += int64(len(lines))
}

func share(limits tools.Limits, fifths int) tools.Limits {
	limits.Bytes, limits.Lines, limits.Tokens = limits.Bytes*fifths/5, limits.Lines*fifths/5, limits.Tokens*fifths/5
	return limits
}

// fitting returns how many bytes at the start of text fit within the limits, in whole lines.
// fittingEnd does the same for the end.
func fitting(text string, limits tools.Limits) (size int) {
	fits := fit{limits: limits}
	for size < len(text) {
		next := size + strings.IndexByte(text[size:], '\n') + 1
		if !fits.add(text[size : next-1]) {
			break
		}
		size = next
	}
	return size
}

func fittingEnd(text string, limits tools.Limits) (size int) {
	fits := fit{limits: limits}
	for size < len(text) {
		end := len(text) - size - 1
		begin := strings.LastIndexByte(text[:end], '\n') + 1
		if !fits.add(text[begin:end]) {
			break
		}
		size = len(text) - begin
	}
	return size
}

// fit contains limits for a text, and running totals of lines, bytes and tokens.
type fit struct {
	limits                tools.Limits
	lines, size, quarters int // quarters is four times the estimated number of tokens
}

// add adds a line to the totals, and reports whether the totals are within the limits.
func (f *fit) add(line string) bool {
	line = short(line, f.limits.LineBytes)
	wide := utf8.RuneCountInString(line)
	f.lines++
	f.size += len(line) + 1
	f.quarters += len(line) + 1
	if wide != len(line) {
		f.quarters += 4 * wide
	}
	return f.lines <= f.limits.Lines && f.size <= f.limits.Bytes && f.quarters <= 4*f.limits.Tokens
}

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
