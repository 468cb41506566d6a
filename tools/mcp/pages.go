package mcp

import (
	"fmt"
	"iter"
)

// mostPages is the maximum number of pages requested for a list.
const mostPages = 100

// pages returns an iterator over the items of a list that the server sends page by page. The
// iterator ends with an error if the server repeats a page, or sends too many pages or bytes.
// Without these checks, the library could request pages forever. The items yielded before the error
// are valid.
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
				yield(none, endlessError("the server sends the same page of its list again"))
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

// endlessError is the reason why a list was not read to its end.
type endlessError string

func (e endlessError) Error() string { return string(e) }

// mostLines is the maximum number of notes about skipped tools or prompts.
const mostLines = 10

func firstLines(lines []string) []string {
	if rest := len(lines) - mostLines; rest > 1 {
		return append(lines[:mostLines:mostLines], fmt.Sprintf("and %d more such messages", rest))
	}
	return lines
}
