package words

import "fmt"

// A large context window has room for all instructions. In a small window, most of the room is kept
// for the conversation.

// The shares are percentages of the context window.
const (
	bytesPerToken = 4
	firstShare    = 12 // the initial instructions; the same share again for documents
	laterShare    = 4  // each [Sticky] file, and each file added later in the conversation
	systemShare   = 10 // SYSTEM.md and APPEND_SYSTEM.md
	namesShare    = 4  // descriptions of skills
	// leastTold is the minimum room for each file, in bytes. If the room per file is smaller, the
	// files with the lowest priority are omitted. The name of an empty file and the delimiters
	// around its text already take 200 bytes.
	leastTold = 200
)

// room contains the size limits in bytes.
type room struct{ first, later, system, names int }

// roomIn returns the limits for a context window with the given number of tokens. If window is 0,
// roomIn returns the largest limits.
func roomIn(window int) room {
	return room{
		first: share(window, Budget, firstShare), later: share(window, arrival, laterShare),
		system: share(window, SystemBytes, systemShare), names: share(window, descriptions, namesShare),
	}
}

func share(window, most, percent int) int {
	if window <= 0 {
		return most
	}
	return min(most, window*bytesPerToken*percent/100)
}

// DocumentBytes returns the maximum size of each document in bytes. The result depends on the
// context window in tokens and on the sizes of the documents, and never exceeds the given limit.
func DocumentBytes(window, limit int, sizes []int) int {
	if window <= 0 {
		return limit
	}
	return min(limit, largestCut(sizes, share(window, limit*max(1, len(sizes)), firstShare)))
}

// explainShortened appends the size of the context window to the Why field of each shortened file,
// if a larger window would have room for more text.
func (s *search) explainShortened() {
	if s.query.Window <= 0 || roomIn(s.query.Window) == roomIn(0) {
		return
	}
	for i := range s.Files {
		if file := &s.Files[i]; file.State == Shortened {
			file.Why += fmt.Sprintf(" where the window has %d tokens for instructions", s.query.Window)
		}
	}
}

// dropWeakest omits the files with the lowest priority if there are fewer than leastTold bytes for
// each file.
func (s *search) dropWeakest(files []*File, budget int) []*File {
	for len(files) > 1 && budget/len(files) < leastTold && s.query.Window > 0 {
		files[0].State, files[0].Why = LeftOut, fmt.Sprintf("it does not fit, because the window has only %d tokens for instructions, and files further down the list have priority", s.query.Window)
		files = files[1:]
	}
	return files
}
