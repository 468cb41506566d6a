package edit

import (
	"bytes"

	"marvin/tools/internal/box"
)

// mostCompared is the maximum number of bytes compared, summed over all pairs of files. Comparing
// 32 MiB takes at most 0.2 s. Without a limit, comparing 1,000 created files with 1,000 deleted
// files of 1 KB each took 9 s.
const mostCompared = 32 << 20

// FindMoved returns an index for each change. It treats a deletion and a creation as a move if the
// two files have at least half of their lines in common: the creation gets the index of the
// deletion, and the deletion gets -1. Any other change gets its own index. FindMoved stops
// searching after comparing mostCompared bytes.
func FindMoved(changes []box.Change) []int {
	tells := make([]int, len(changes))
	for i := range changes {
		tells[i] = i
	}
	compared := 0
	for i, made := range changes {
		if made.Before != nil || len(made.After) == 0 {
			continue
		}
		for j, gone := range changes {
			if gone.After != nil || len(gone.Before) == 0 || tells[j] != j {
				continue
			}
			if compared += len(gone.Before) + len(made.After); compared > mostCompared {
				return tells
			}
			if mostlyEqual(gone.Before, made.After) {
				tells[i], tells[j] = j, -1
				break
			}
		}
	}
	return tells
}

// mostlyEqual reports whether two files have at least half of their lines in common.
func mostlyEqual(a, b []byte) bool {
	lines, all, same := map[string]int{}, 0, 0
	for line := range bytes.Lines(a) {
		lines[string(line)]++
		all++
	}
	for line := range bytes.Lines(b) {
		if lines[string(line)] > 0 {
			lines[string(line)]--
			same++
		}
		all++
	}
	return 4*same >= all
}
