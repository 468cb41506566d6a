package shell

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"marvin/tools"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/screen"
	"marvin/tools/internal/text"
)

// shown is how much of what a command printed a model gets. It stays below
// [tools.ResultLimits], so that nothing is cut a second time, which would lose the count
// of what the first cut left out.
var shown = tools.Limits{Bytes: 54 << 10, Lines: 1900, LineBytes: 4000, Tokens: 13_500} // guard: T5: output is cut once, and counted

// Where the whole output is kept, one that is longer than ordinary is shown in its ends
// only: the model asks for more, if it needs more.
var (
	ordinary = tools.Limits{Bytes: 32 << 10, Lines: 1000, LineBytes: 4000, Tokens: 10_000}
	ends     = tools.Limits{Bytes: 20 << 10, Lines: 400, LineBytes: 1000, Tokens: 5500}
)

// report is the result as a model reads it.
func report(result proc.Result, took time.Duration, spool *tools.Spool) string {
	said := printed{read(result.Stderr), read(result.Stdout)}
	text, line := said.within(ordinary)
	kept := ""
	if result.Stderr.Total == 0 { // what goes through the spool would be both
		kept = spool.KeepBinary(result.Stdout)
	}
	if kept != "" {
		text = kept
	} else if line > 0 {
		text, _ = said.within(shown)
		if kept, err := spool.Keep(); err == nil { // guard: what is left out of an output is kept
			text, line = said.within(ends)
			text += spool.Elsewhere(kept, line)
		}
	} else {
		spool.Discard()
	}
	if text == "" {
		text = "(no output)\n"
	}
	text += ended(result, took)
	if len(result.Left) > 0 {
		text += "[left running in the background; what they print from now on is lost unless it goes to a file:]\n"
		for _, process := range result.Left {
			text += fmt.Sprintf("  pid %d: %s\n", process.PID, tools.Visible(process.Command))
		}
	}
	return text
}

// printed is what a command printed, read once and shown within the limits that fit.
type printed struct{ stderr, stdout stream }

// within is what both streams say within limits; line is the first one that is left out,
// 0 where none is.
func (p printed) within(limits tools.Limits) (text string, line int64) {
	first, missing := p.stderr.cut(part(limits, 2))
	rest := limits
	rest.Bytes, rest.Lines, rest.Tokens = limits.Bytes-len(first), limits.Lines-strings.Count(first, "\n"), limits.Tokens-tools.EstimateTokens(first)
	text, line = p.stdout.cut(rest)
	if first != "" {
		text += "STDERR:\n" + first
	}
	return text, max(line, missing)
}

// ended says how the command ended, and after how long.
func ended(result proc.Result, took time.Duration) string {
	signal := ""
	if result.Signal != "" {
		signal = ", ended by a signal: " + result.Signal
	}
	unit := 100 * time.Millisecond
	if took >= 10*time.Second {
		unit = time.Second
	}
	return fmt.Sprintf("[exit code: %d%s, took %s]\n", result.ExitCode, signal, took.Round(unit))
}

// part is the n-th part of limits.
func part(limits tools.Limits, n int) tools.Limits {
	limits.Bytes, limits.Lines, limits.Tokens = limits.Bytes/n, limits.Lines/n, limits.Tokens/n
	return limits
}

// stream is what is kept of a stream, in whole lines as a terminal would leave them.
type stream struct {
	head, tail  []string
	lines, size int64 // that are missing between the two
	gap         bool
}

// read brings a stream into lines. Where its middle is missing, the two lines that are
// broken off count as missing too.
func read(output proc.Output) (s stream) {
	first, last := output.Ends()
	if output.Dropped() == 0 {
		s.head = lines(first)
		return s
	}
	head, tail := string(first), string(last)
	end, begin := strings.LastIndexByte(head, '\n')+1, strings.IndexByte(tail, '\n')+1
	if end == 0 && begin == 0 { // one line, longer than all that is kept
		const most = 4000
		line := strings.ToValidUTF8(head[:min(most, len(head))], "�")
		s.head = []string{fmt.Sprintf("%s[… %d more bytes on this line]", screen.Clean(line), output.Total-most)}
		return s
	}
	head, tail = head[:end], tail[begin:] // guard: T5: broken lines at the gap are counted
	s.gap, s.size = true, output.Total-int64(len(head)+len(tail))
	s.lines = output.Lines - int64(strings.Count(head, "\n")+strings.Count(tail, "\n"))
	s.head, s.tail = lines([]byte(head)), lines([]byte(tail))
	return s
}

// lines are those of a text, without what steers a terminal and without binary data.
func lines(content []byte) []string {
	text := strings.TrimSuffix(screen.Clean(plain(content)), "\n")
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
	put := func(lines []string) {
		for _, one := range lines {
			text.WriteString(short(one, limits.LineBytes) + "\n")
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

// block is a stream as a person reads what they ran: progress bars as a terminal would
// leave them, and a newline at its end.
func block(output proc.Output) string {
	if output.Binary() {
		return output.Text() + "[to look into it: file, strings, xxd | head]\n"
	}
	var text strings.Builder
	for line := range strings.Lines(output.Text()) {
		line = strings.TrimRight(line, "\r\n")
		text.WriteString(line[strings.LastIndexByte(line, '\r')+1:] + "\n")
	}
	return text.String()
}
