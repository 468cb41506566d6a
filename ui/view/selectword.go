package view

import (
	"strings"

	"github.com/rivo/uniseg"
)

// wordSeparators contains the characters, besides white space, that separate words. It omits
// characters such as "/", "." and "_", so a path, an address or an identifier is a single word.
const wordSeparators = "\"'`()[]{}<>|,;│"

// Word selects the word at a cell. It returns false if the cell is not part of a word.
func (s *Selection) Word(at Spot) bool {
	if at.block == nil {
		return false
	}
	lines := s.Window.lines(at.at.block)
	if at.at.line >= len(lines) {
		return false
	}
	from, to := wordAt(lines[at.at.line], at.cell)
	if from == to {
		return false
	}
	first, last := at, at
	first.cell, last.cell = from, to-1
	s.Select(first, last)
	return true
}

// wordAt returns the range of the word at a cell. The range is empty if there is no word.
func wordAt(line Line, at int) (from, to int) {
	cell := 0
	for _, span := range line {
		for text, state := span.Text, -1; text != ""; {
			var cluster string
			var wide int
			cluster, text, wide, state = uniseg.FirstGraphemeClusterInString(text, state)
			if !span.Part.hasWords() || strings.TrimSpace(cluster) == "" || strings.Contains(wordSeparators, cluster) {
				if cell > at {
					return from, cell
				}
				if cell += wide; cell > at {
					return 0, 0
				}
				from = cell
				continue
			}
			cell += wide
		}
	}
	if at >= cell {
		return 0, 0
	}
	return from, cell
}
