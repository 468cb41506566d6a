package patch

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"marvin/tools/internal/text"
)

// findPlaces searches for the wanted lines in four attempts. The first attempt ignores only
// differences in the white space at line ends. The second also ignores the indentation. The third
// ignores differences between lookalike characters, but not the indentation. The last ignores all
// these differences.
func findPlaces(lines, wanted []string, start int) []int {
	if found := indexesFrom(lines, wanted, start); len(found) > 0 || strings.TrimSpace(strings.Join(wanted, "")) == "" {
		return found
	}
	for _, key := range []func(string) string{strings.TrimSpace, func(line string) string { return trimmed(normalized(line)) }, func(line string) string { return squeeze(normalized(line)) }} {
		var found []int
		for _, at := range occurrences(lines[start:], wanted, key) {
			at += start
			if _, ok := shiftOf(lines[at:at+len(wanted)], wanted, nil); ok {
				found = append(found, at)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// describeDifferences names the kinds of differences between the file's lines and the wanted lines.
func describeDifferences(have, wanted []string) []string {
	var says []string
	add := func(differ bool, what string) {
		if differ {
			says = append(says, what)
		}
	}
	same := func(key func(string) string) bool { return slices.Equal(keys(have, key), keys(wanted, key)) }
	add(!same(indentation), "indentation")
	add(!same(func(line string) string { return line[len(trimmed(line)):] }), "blanks at line ends")
	add(!same(squeeze) && same(func(line string) string { return squeeze(normalized(line)) }), "characters that look alike")
	add(!same(strings.TrimSpace) && same(squeeze), "blanks within lines")
	return says
}

// indentation returns the indentation of a line, or "" for a blank line.
func indentation(line string) string {
	if strings.TrimSpace(line) == "" {
		return ""
	}
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// normalized replaces lookalike characters, such as curly quotes, with common ones.
func normalized(line string) string {
	if text.ASCII(line) || !utf8.ValidString(line) {
		return line
	}
	return fold(line).text
}

// folded is text in which each lookalike character is replaced with a common one.
type folded struct {
	text string
	// text[i] comes from offset from[i] of the original. The last element is the original's length.
	from []int
}

func fold(original string) folded {
	var out strings.Builder
	var from []int
	var segments norm.Iter
	segments.InitString(norm.NFC, original)
	for !segments.Done() {
		at := segments.Pos()
		plain := lookalikeOnce(string(segments.Next()))
		out.WriteString(plain)
		for range len(plain) {
			from = append(from, at)
		}
	}
	return folded{out.String(), append(from, len(original))}
}

// lookalikeOnce replaces an unusual quote, dash, space or ellipsis with its ASCII form. Unlike
// [lookalike], it keeps other visible characters, such as a superscript two.
func lookalikeOnce(character string) string {
	switch {
	case len(character) == 1:
		return character
	case strings.ContainsAny(character, "\u00a0\u2002\u2003\u2007\u2009\u202f\u3000"):
		return " "
	case character == "…":
		return "..."
	}
	if plain := lookalike(character); len(plain) == 0 || len(plain) == 1 && strings.ContainsAny(plain, "'\"- ") {
		return plain // a quote, dash or space; "" if the character is invisible
	}
	return character
}

// replaceAlike replaces the only occurrence of the old text. It treats lookalike characters as
// equal. The common prefix and suffix of the old and new text stay as they are in the file.
func replaceAlike(body, old, new string) (content string, at int, places []int) {
	if !utf8.ValidString(body) || !utf8.ValidString(old) {
		return "", 0, nil
	}
	in, was, will := fold(text.Unix(body)), fold(old), fold(new)
	if was.text == "" {
		return "", 0, nil
	}
	places = allIndexes(in.text, was.text)
	if len(places) != 1 {
		for i := range places {
			places[i] = rawOffset(body, in.from[places[i]])
		}
		return "", 0, places
	}
	start, end, middle := narrow(places[0], was.text, will.text)
	first := start - places[0]
	last := first + len(middle)
	for !in.edge(start) || !will.edge(first) {
		start, first = start-1, first-1
	}
	for !in.edge(end) || !will.edge(last) {
		end, last = end+1, last+1
	}
	from, to := rawOffset(body, in.from[start]), rawOffset(body, in.from[end])
	middle = text.WithEnding(new[will.from[first]:will.from[last]], text.Ending(body))
	return body[:from] + middle + body[to:], from, places
}

// edge returns true if a character begins at byte i.
func (f folded) edge(i int) bool { return i <= 0 || i >= len(f.text) || f.from[i] != f.from[i-1] }
