package mcp

import (
	"fmt"
	"iter"
)

// mostPages is how many pages of a list are asked for.
const mostPages = 100

// pages gives the items of a list, page by page. A server that names a page again, or has too
// many or too long ones, is an error behind the items that came: the library would ask for ever.
func pages[T any](traffic *traffic, ask func(cursor string) (items []T, next string, err error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		seen, begun := map[string]bool{}, traffic.total()
		for cursor := ""; ; {
			items, next, err := ask(cursor)
			if err != nil {
				yield(none, err)
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
			switch {
			case next == "":
				return
			case seen[next]:
				yield(none, endlessError("it repeats a page of its list"))
				return
			case traffic.total()-begun > mostListed:
				yield(none, endlessError(fmt.Sprintf("its list is longer than %d MB", mostListed>>20)))
				return
			case len(seen) >= mostPages:
				yield(none, endlessError(fmt.Sprintf("its list has more than %d pages", mostPages)))
				return
			}
			seen[next], cursor = true, next
		}
	}
}

// endlessError is why a list was not read to its end.
type endlessError string

func (e endlessError) Error() string { return string(e) }

// mostLines limits the notes about list entries that were left out.
const mostLines = 10

// few returns the first lines and the number of others.
func few(lines []string) []string {
	if rest := len(lines) - mostLines; rest > 1 {
		return append(lines[:mostLines:mostLines], fmt.Sprintf("and %d more of this kind", rest))
	}
	return lines
}
