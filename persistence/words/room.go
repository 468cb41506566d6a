package words

import "fmt"

// How much what others wrote may take. A large window has room for all of it; a small one
// is kept for the conversation.

// The shares of a window, in percent of its tokens at four bytes each.
const (
	bytesPerToken = 4
	firstShare    = 12 // instructions at the start; all documents together get as much again
	laterShare    = 4  // each one that comes later
	systemShare   = 10 // SYSTEM.md, and APPEND_SYSTEM.md
	namesShare    = 4  // descriptions of skills
	// leastTold is what of a file is worth telling: with less of each the weakest are left
	// out, because the name and the frame of a file take 200 bytes too.
	leastTold = 200
)

// room is how many bytes each may have.
type room struct{ first, later, system, names int }

// roomIn is the room in a window of so many tokens; 0 is one that is not known.
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

// Documents is to how many bytes each of some documents is cut, which all have most at most,
// in a window of so many tokens.
func Documents(window, most int, sizes []int) int {
	if window <= 0 {
		return most
	}
	return min(most, even(sizes, share(window, most*max(1, len(sizes)), firstShare)))
}

// tight reports that a larger window has room for files that were shortened or left out.
func (s *search) tight() {
	if s.query.Window <= 0 || roomIn(s.query.Window) == roomIn(0) {
		return
	}
	for i := range s.Files {
		if file := &s.Files[i]; file.State == Shortened {
			file.Why += fmt.Sprintf(" where the window has %d tokens for instructions", s.query.Window)
		}
	}
}

// fits leaves out the weakest files until each of the others has a part that is worth
// telling.
func (s *search) fits(files []*File, budget int) []*File {
	for len(files) > 1 && budget/len(files) < leastTold && s.query.Window > 0 {
		files[0].State, files[0].Why = LeftOut, fmt.Sprintf("it does not fit into a window with %d tokens for instructions: files further down come first", s.query.Window)
		files = files[1:]
	}
	return files
}
