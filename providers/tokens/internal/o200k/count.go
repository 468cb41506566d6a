package o200k

// mergeBytes bounds what is merged at once. Merging is quadratic, and only what
// has no blank, digit or line break for so long is cut: one token too many at most.
const mergeBytes = longest

// Count is the number of tokens of a text.
func Count(text string) int {
	total := 0
	for len(text) > 0 {
		end := next(text)
		total += countPiece(text[:end])
		text = text[end:]
	}
	return total
}

func countPiece(piece string) int {
	if rank(piece) != none {
		return 1
	}
	total := 0
	for len(piece) > mergeBytes {
		total += merge(piece[:mergeBytes])
		piece = piece[mergeBytes:]
	}
	return total + merge(piece)
}

// merge joins neighbours, those of the lowest rank first, until no two make a token.
func merge(piece string) int {
	var starts [mergeBytes + 1]int32 // where each part begins, then the end
	var ranks [mergeBytes + 1]uint32 // of each part joined with the next one
	parts := len(piece)
	for i := range parts + 1 {
		starts[i] = int32(i)
	}
	pair := func(i int) uint32 {
		if i+2 > parts {
			return none
		}
		return rank(piece[starts[i]:starts[i+2]])
	}
	for i := range parts {
		ranks[i] = pair(i)
	}
	for {
		lowest, at := none, 0
		for i, rank := range ranks[:parts] {
			if rank < lowest {
				lowest, at = rank, i
			}
		}
		if lowest == none {
			return parts
		}
		copy(starts[at+1:parts], starts[at+2:parts+1])
		copy(ranks[at+1:parts-1], ranks[at+2:parts])
		parts--
		ranks[at] = pair(at)
		if at > 0 {
			ranks[at-1] = pair(at - 1)
		}
	}
}
