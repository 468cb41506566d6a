package view

import (
	"math"
	"strconv"
	"strings"
)

// leftOut ends the note that replaces the middle of a long diff. See tools.Limits.
const leftOut = " left out …]"

// unnumbered is the number of lines assumed for a hunk whose middle is omitted.
const unnumbered = math.MaxInt32

// readDiff parses a diff and determines the line numbers. After omitted lines, the rest of a hunk
// has numbers only if all omitted lines were added or all were deleted.
func readDiff(text string) []diffLine {
	var lines []diffLine
	// The hunk's remaining lines are counted in left (old lines) and right (new lines).
	old, now, left, right := 0, 0, 0, 0
	texts := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, text := range texts {
		line := diffLine{text: text}
		switch {
		case strings.HasPrefix(text, "@@ "):
			old, left, now, right = hunk(text)
			line.sign = '@'
		case left > unnumbered/2 && strings.HasPrefix(text, "--- ") && i+1 < len(texts) && strings.HasPrefix(texts[i+1], "+++ "):
			left, right = 0, 0
		case left+right > 0 && strings.HasPrefix(text, "[… ") && strings.HasSuffix(text, leftOut):
			old, left, now, right = afterOmitted(text, old, left, now, right)
		case left > 0 && strings.HasPrefix(text, "-"):
			line.sign, line.text, line.old = '-', text[1:], old
			old, left = next(old), left-1
		case right > 0 && strings.HasPrefix(text, "+"):
			line.sign, line.text, line.new = '+', text[1:], now
			now, right = next(now), right-1
		case left > 0 && right > 0 && (text == "" || text[0] == ' '):
			line.sign, line.text, line.old, line.new = ' ', strings.TrimPrefix(text, " "), old, now
			old, now, left, right = next(old), next(now), left-1, right-1
		}
		lines = append(lines, line)
	}
	return lines
}

// next returns the next line number. If the given number is 0, the line numbers are unknown, and
// the result is 0.
func next(number int) int {
	if number == 0 {
		return 0
	}
	return number + 1
}

// afterOmitted returns the line numbers and remaining line counts that follow a note about omitted
// lines. Unknown line numbers are 0.
func afterOmitted(said string, old, left, now, right int) (int, int, int, int) {
	count, _, _ := strings.Cut(strings.TrimPrefix(said, "[… "), " ")
	lines, err := strconv.Atoi(count)
	switch known := err == nil && strings.HasSuffix(said, " lines"+leftOut); {
	case known && left == 0 && lines < right:
		return old, left, now + lines, right - lines
	case known && right == 0 && lines < left:
		return old + lines, left - lines, now, right
	}
	return 0, unnumbered, 0, unnumbered
}

// hunk parses "@@ -1,5 +1,6 @@".
func hunk(head string) (old, left, now, right int) {
	words := strings.Fields(head)
	if len(words) < 3 {
		return 0, 0, 0, 0
	}
	span := func(word string) (from, count int) {
		first, second, several := strings.Cut(strings.TrimLeft(word, "-+"), ",")
		from, _ = strconv.Atoi(first)
		if count = 1; several {
			count, _ = strconv.Atoi(second)
		}
		return from, count
	}
	old, left = span(words[1])
	now, right = span(words[2])
	return old, left, now, right
}
