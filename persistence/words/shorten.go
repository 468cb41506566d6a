package words

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// shorten truncates the longest files to one length, so that all files together have at most budget
// bytes. It then appends a notice for the model to each truncated file.
func shorten(files []*File, budget int) {
	sizes := make([]int, len(files))
	for i, file := range files {
		sizes[i] = len(file.Text)
	}
	limit := largestCut(sizes, budget)
	for _, file := range files {
		if len(file.Text) <= limit {
			continue
		}
		whole := len(file.Text)
		file.Text = fmt.Sprintf("%s\n[… shortened: %d of %d bytes are left out; read %s for the rest]", beginning(file.Text, limit), whole-limit, whole, file.Name)
		file.State, file.Why = Shortened, fmt.Sprintf("to %d of %d bytes, because all instructions together may have only %d kB", limit, whole, (budget+1023)>>10)
	}
}

// shortenDescriptions cuts the longest descriptions to one length, so that all descriptions
// together have at most budget bytes. It then appends "…" to each cut description.
func shortenDescriptions(files []*File, budget int) {
	sizes := make([]int, len(files))
	for i, file := range files {
		sizes[i] = len(file.Head.Description)
	}
	limit := largestCut(sizes, budget)
	for _, file := range files {
		if whole := len(file.Head.Description); whole > limit {
			file.Head.Description = strings.TrimSpace(strings.ToValidUTF8(file.Head.Description[:limit], "")) + "…"
			file.State, file.Why = Shortened, fmt.Sprintf("its description to %d of %d bytes, because all descriptions together may have only %d kB", limit, whole, (budget+1023)>>10)
		}
	}
}

// largestCut returns the length, in bytes, to which longer strings must be cut. After the cut, the
// total length of all strings does not exceed budget. If no cut is needed, largestCut returns the
// length of the longest string.
func largestCut(sizes []int, budget int) int {
	sorted := slices.Sorted(slices.Values(sizes))
	for i, size := range sorted {
		left := len(sorted) - i
		if size*left > budget {
			return max(0, budget/left)
		}
		budget -= size
	}
	if len(sorted) == 0 {
		return 0
	}
	return sorted[len(sorted)-1]
}

// beginning truncates text to at most the given number of bytes, without splitting a character. If
// the last quarter of the truncated text contains a line break, the result ends before the last
// line break.
func beginning(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	text = text[:limit]
	if line := strings.LastIndexByte(text, '\n'); line > len(text)*3/4 {
		text = text[:line]
	}
	return text
}
