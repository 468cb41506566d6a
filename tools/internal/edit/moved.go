package edit

import (
	"bytes"

	"marvin/tools/internal/box"
)

// mostCompared limits the comparison of created with deleted files, in bytes of all pairs, which
// takes at most 0.2 s. A thousand files of each kind with 1 KB took 9 s.
const mostCompared = 32 << 20

// FindMoved finds moved files. Such a file is a created and a deleted file with at least half of their
// lines in common. It returns an index for each change. For the created file this is the index of
// the deleted file, and for the deleted file it is -1. For any other change it is the index of the
// change itself. Beyond the limit mostCompared, Moved finds no more files.
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
