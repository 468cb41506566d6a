package edit

import (
	"bytes"

	"marvin/tools/internal/box"
)

// mostCompared limits the comparison of created with deleted files, in bytes of all pairs, which
// takes at most 0.2 s. A thousand files of each kind with 1 KB took 9 s.
const mostCompared = 32 << 20

// Moved returns, for each change, the index of the change with the file's earlier name. That is its
// own index by default, and -1 if another change reports the file. A created and a deleted file are
// considered a move if at least half of the lines are equal. If there is too much to compare, no
// move is found.
func Moved(changes []box.Change) []int {
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

// mostlyEqual reports whether two contents have at least half of their lines in common.
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
